import { expect, test } from 'vitest';
import { checkOpenBounds } from '../../src/background/approvals/openBounds.ts';
import type { StoredApproval } from '../../src/background/approvals/store/storedApproval.ts';
import { OWN_ORIGIN } from '../../src/messaging/ownOrigin.ts';

const SITE = 'https://shop.example';

/** Pending approvals of an origin, in a tab of its own each unless one is named. */
const pending = (origin: string, many: number, tab?: number) => Array.from({ length: many }, () => ({ origin, tab }));

/** Whether one more is within the bounds, or what the refusal says. */
async function admitted(open: ReturnType<typeof pending>, origin = SITE, tabId = 1): Promise<true | string> {
  let asked = 0;
  const requests = {
    tabsOf: async (of: readonly StoredApproval[]) => {
      asked++;
      return of.map((approval) => (approval as unknown as { tab?: number }).tab ?? 1_000 + asked++);
    },
  };
  const approvals = open as unknown as StoredApproval[];
  return checkOpenBounds({ requests: requests as never }, { origin, tabId } as never, approvals).then(
    () => true as const,
    (error: { code: number; message: string }) => `${error.code} ${error.message}`,
  );
}

const refusal = (most: number, whose: string) => `-32005 ${most} requests of ${whose} wait for the user already.`;

test('ten of one site', async () => {
  expect(await admitted(pending(SITE, 9))).toBe(true);
  expect(await admitted(pending(SITE, 10))).toBe(refusal(10, 'this site'));
  expect(await admitted(pending(SITE, 10), 'https://other.test')).toBe(true);
});

test('ten of one tab, through however many sites', async () => {
  const others = (many: number, tab: number) =>
    Array.from({ length: many }, (_, index) => pending(`https://site${index}.test${index}`, 1, tab)).flat();
  expect(await admitted(others(10, 1), SITE, 2)).toBe(true);
  expect(await admitted([...others(9, 1), ...pending('https://more.test', 1, 3)])).toBe(true);
  expect(await admitted(others(10, 1))).toBe(refusal(10, 'this tab'));
  expect(await admitted([...others(10, 1), ...pending('https://more.test', 1, 3)])).toBe(refusal(10, 'this tab'));
});

test('fifteen of the names of one owner', async () => {
  const names = (many: number, of = 'shop.example') =>
    Array.from({ length: many }, (_, index) => pending(`https://n${index}.${of}:8443`, 1)).flat();
  expect(await admitted(names(14))).toBe(true);
  expect(await admitted(names(15))).toBe(refusal(15, 'sites of shop.example'));
  expect(await admitted(names(15), 'https://shop.example.')).toBe(refusal(15, 'sites of shop.example'));
  expect(await admitted(names(15), 'https://deep.n1.shop.example')).toBe(refusal(15, 'sites of shop.example'));
  expect(await admitted(names(15), 'https://other.example')).toBe(true);
  // Labels that look like an address are labels.
  const numbers = Array.from({ length: 15 }, (_, index) => pending(`https://10.0.0.${index}.shop.example`, 1)).flat();
  expect(await admitted(numbers)).toBe(refusal(15, 'sites of shop.example'));
});

test('an address is an owner of its own', async () => {
  const ports = (host: string, many: number) =>
    Array.from({ length: many }, (_, index) => pending(`http://${host}:${3_000 + index}`, 1)).flat();
  expect(await admitted(ports('10.0.7.1', 15), 'http://10.0.7.1')).toBe(refusal(15, 'sites of 10.0.7.1'));
  expect(await admitted(ports('10.0.7.1', 15), 'http://10.9.7.1')).toBe(true);
  expect(await admitted(ports('192.168.100.20', 15), 'http://192.168.100.20')).toBe(
    refusal(15, 'sites of 192.168.100.20'),
  );
  expect(await admitted(ports('192.168.100.20', 15), 'http://10.9.100.20')).toBe(true);
  expect(await admitted(ports('[fe80::1:2]', 15), 'http://[fe80::1:2]')).toBe(refusal(15, 'sites of [fe80::1:2]'));
  expect(await admitted(ports('[fe80::1:2]', 15), 'http://[fe81::1:2]')).toBe(true);
  expect(await admitted(ports('localhost', 15), 'http://localhost')).toBe(refusal(15, 'sites of localhost'));
});

test('thirty of all sites together, beside what the user asks in the wallet’s own pages', async () => {
  const sites = (many: number) =>
    Array.from({ length: many }, (_, index) => pending(`https://a.owner${index}.test`, 1)).flat();
  expect(await admitted([...sites(29), ...pending(OWN_ORIGIN, 9)])).toBe(true);
  expect(await admitted(sites(30))).toBe(refusal(30, 'all sites'));
  expect(await admitted([...sites(30), ...pending(OWN_ORIGIN, 9)], OWN_ORIGIN)).toBe(true);
  expect(await admitted(pending(OWN_ORIGIN, 10), OWN_ORIGIN)).toBe(refusal(10, 'this site'));
});
