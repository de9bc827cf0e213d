import { set } from 'idb-keyval';
import { beforeEach, expect, test } from 'vitest';
import { createApprovals } from '../../src/background/approvals/store/approvals.ts';
import { createRequestRate } from '../../src/background/approvals/store/requestRate.ts';
import { createMutex } from '../../src/background/lifecycle/mutex.ts';
import { createStartupSnapshot } from '../../src/background/lifecycle/startupSnapshot.ts';
import { createRelayers } from '../../src/background/relayers/relayers.ts';
import { lastShown } from '../../src/background/rpc/ui/approvals.ts';
import { keptBalances, keptUnder } from '../../src/background/rpc/ui/storedFacts.ts';
import type { StoredAccount } from '../../src/background/settings/storedConfig.ts';
import { proposedExchange } from '../../src/background/sites/proposedExchange.ts';
import { type Lockable, tellLock } from '../../src/background/sites/tellLock.ts';
import { listenForReports } from '../../src/report/report.ts';
import { createFaultyArea } from '../support/faultyArea.ts';
import { createWalletHarness } from '../support/wallet.ts';

const SITE = 'https://a';
const account = { id: 'net:1' } as StoredAccount;

let reported: string[];
const listen = () => listenForReports(({ where }) => reported.push(where));
beforeEach(() => {
  reported = [];
  listen();
});

/** The ports of a wallet whose own list of failures hears of none. */
function portsOnly() {
  const { ports } = createWalletHarness();
  listen();
  return ports;
}

async function areaWith(values: Record<string, unknown>) {
  const { area } = createFaultyArea();
  await area.set(values);
  return area;
}

test('the rejection of a site counts whose stored rate cannot be read', async () => {
  const session = await areaWith({ 'request-rate': { [SITE]: {} } });
  const rate = createRequestRate({ now: () => 1_000, session }, createMutex());
  for (let count = 0; count < 3; count++) await rate.countRejection(SITE);
  await expect(rate.countRequest(SITE, 1_000)).rejects.toThrow('rejected several requests');
  expect(reported).toEqual(['storage: read request-rate']);
});

test.each([
  ['garbage'],
  [{ state: { networks: [], accounts: [], settings: {}, openApprovals: 0 }, sites: [{ origin: SITE }] }],
  [{ state: { networks: [{}], accounts: [], settings: {}, openApprovals: 0 }, sites: [] }],
])('a startup snapshot that cannot be read gives no first answer: %j', async (stored) => {
  const { facts } = createStartupSnapshot(async () => ({ 'startup-snapshot': stored }), Date.now);
  expect(await facts()).toBeUndefined();
  expect(reported).toEqual(['storage: read startup-snapshot']);
});

const homeAccount = { id: 'net:1' };
test.each([
  ['garbage'],
  [{ account: homeAccount, balances: [{ token: 'ETH' }], activity: [] }],
  [{ account: homeAccount, balances: [], activity: [{ sentence: 'sent' }] }],
  [{ balances: [], activity: [] }],
])('a kept home screen that cannot be read gives no first answer: %j', async (stored) => {
  const { home } = createStartupSnapshot(async () => ({ 'startup-home': stored }), Date.now);
  expect(await home()).toBeUndefined();
  expect(reported).toEqual(['storage: read startup-home']);
});

test('pages are told of no lock for what cannot be read', async () => {
  const told: unknown[] = [];
  const session = await areaWith({ 'told-locked': 'garbage' });
  const ports = {
    session,
    lock: (_: string, work: () => Promise<unknown>) => work(),
    toAllPages: async (...all: unknown[]) => void told.push(all),
  };
  const vault = { isUnlocked: async () => false };
  const grants = { list: async () => [{ origin: SITE, grants: [{ account: account.id, kinds: [] }], blocked: false }] };
  const config = { read: async () => ({ networks: [], accounts: [account] }) };
  await tellLock({ ports, vault, grants: { ...grants, of: async () => (await grants.list())[0] }, config } as Lockable);
  expect(told).toEqual([]);
  expect(reported).toEqual(['storage: read told-locked']);
});

test.each([
  ['proposed-exchange', { origin: SITE, baseUrl: 7 }, undefined, (ports: never) => proposedExchange(ports).read()],
  ['approval-shown', { id: 'x', open: 7 }, undefined, (ports: never) => lastShown({ ports })],
])('what cannot be read counts as absent: %s', async (key, stored, absent, read) => {
  expect(await read({ session: await areaWith({ [key]: stored }) } as never)).toBe(absent);
  expect(reported).toEqual([`storage: read ${key}`]);
});

test.each([
  ['balances', { at: 'never', balances: [] }],
  ['balances', { at: 1, balances: [{ token: {} }] }],
])('stored %s that cannot be read count as never read: %j', async (name, stored) => {
  const local = await areaWith({ [`${name}:net:1`]: stored });
  expect(await keptBalances({ local }).read(account.id)).toBeUndefined();
  expect(reported).toEqual([`storage: read ${name}:`]);
});

test.each([
  ['history', { at: 1, data: { events: 'none' } }],
  ['orders', { at: 1, data: { open: [], over: [7], more: false } }],
  ['nfts', { at: 1, data: [{ slot: '7' }] }],
  ['pools', { at: 1, data: { positions: null, moves: [] } }],
  ['prices', { at: 1, data: { currency: 'USD', rates: [{ tokenId: 1 }] } }],
] as const)('stored %s that cannot be read count as never read', async (name, stored) => {
  const local = await areaWith({ [`${name}:net:1`]: stored });
  expect(await keptUnder({ local }, name).read(account.id)).toBeUndefined();
  expect(reported).toEqual([`storage: read ${name}:`]);
});

test('facts of a network that cannot be read are asked for again', async () => {
  const local = await areaWith({ 'facts:net': { at: 1, tokens: [{ tokenId: 1 }], markets: [] } });
  const relayers = createRelayers({ ...portsOnly(), local });
  expect([...(await relayers.knownSymbols('net'))]).toEqual([]);
  expect(reported).toEqual(['storage: read facts:']);
});

test('a name and a sentence that cannot be read are none', async () => {
  const ports = portsOnly();
  const approvals = createApprovals(ports.requestStore, ports.relaxedRequestStore);
  await set(`named:${SITE} order`, 7, ports.requestStore);
  await set('sentence:x', { at: 1, sentence: 7 }, ports.requestStore);
  expect(await approvals.idOfKey(SITE, 'order')).toBeUndefined();
  expect(await approvals.sentences(['x'])).toEqual(new Map());
  expect(reported).toEqual(['storage: read named:', 'storage: read sentence:']);
});
