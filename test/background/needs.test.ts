import { expect, test } from 'vitest';
import { RpcError } from '../../src/background/errors/rpcError.ts';
import { pageMethods } from '../../src/background/rpc/page/index.ts';
import { type AnyPageMethod, LATER, type PageCall } from '../../src/background/rpc/page/pageMethod.ts';
import { callMethod } from '../../src/background/rpc/page/router.ts';
import { createConfig } from '../../src/background/settings/config.ts';
import type { StoredAccount } from '../../src/background/settings/storedConfig.ts';
import { createGrants } from '../../src/background/sites/grants.ts';
import { createSite } from '../../src/background/sites/site.ts';
import { pageRooms } from '../../src/background/wire.ts';
import { permissionKinds } from '../../src/operations/permissionKinds.ts';
import { createFaultyArea } from '../support/faultyArea.ts';
import { createPromiseLock } from '../support/promiseLock.ts';
import { createWalletHarness } from '../support/wallet.ts';
import { connection } from './approvalStage.ts';
import { standingOf, terms } from './standingStage.ts';

const SITE = 'https://site.example';
const NETWORK = {
  id: 'network',
  name: 'Network',
  baseUrl: 'https://relayer.example/',
  chainId: 1,
  exchangeAddress: `0x${'e'.repeat(40)}`,
};
const accountOf = (accountId: number): StoredAccount => ({
  id: `network:${accountId}`,
  networkId: 'network',
  accountId,
  owner: `0x${String(accountId).repeat(40)}`,
  label: `Account ${accountId}`,
  publicKey: { x: '0x1', y: '0x2' },
  signer: 'signer',
  keySeed: '',
});
const [mine, other] = [accountOf(1), accountOf(2)];

/** A wallet with two accounts. */
async function setUp() {
  const [local, lock] = [createFaultyArea().area, createPromiseLock()];
  const [config, grants] = [createConfig(local, createFaultyArea().area, lock), createGrants(local, lock)];
  await config.update((data) => ({ ...data, networks: [NETWORK], accounts: [mine, other] }));
  const site = createSite({ config, grants, changed: async () => {} }, SITE);
  const call: Omit<PageCall<unknown, 'none'>, 'right'> = {
    site,
    params: [],
    // No method reaches it: what runs in place of the handlers only hands back its right.
    rooms: {} as PageCall<unknown, 'none'>['rooms'],
    ask: async () => LATER,
  };
  return { config, grants, call };
}

/** The same need, with a handler that hands back what the router gave it. */
const probe = ({ name, needs }: AnyPageMethod, owner?: string): AnyPageMethod => ({
  name,
  needs,
  params: {} as AnyPageMethod['params'],
  parse: () => [],
  ...(owner === undefined ? {} : { owner: () => owner }),
  handle: async ({ right }) => right,
});

const guarded = [...pageMethods.values()].filter(({ needs }) => needs !== 'none');

test('the table has methods that need something', () => {
  expect(guarded.length).toBeGreaterThan(50);
});

test.each(guarded)('$name is refused to a site that is not connected', async (method) => {
  const { config, call } = await setUp();
  await expect(callMethod(config, probe(method), call)).rejects.toMatchObject({
    code: 4100,
    data: { reason: 'notConnected' },
  });
});

test.each(guarded.filter(({ needs }) => needs !== 'connection'))(
  '$name is refused without $needs, whatever else is granted, and for an account that the site does not see',
  async (method) => {
    const { config, grants, call } = await setUp();
    await grants.grant(
      SITE,
      [mine.id],
      permissionKinds.filter((kind) => kind !== method.needs),
    );
    await expect(callMethod(config, probe(method), call)).rejects.toMatchObject({
      code: 4100,
      message: `This site has no permission "${method.needs}". Ask with wallet_requestPermissions.`,
      data: { reason: 'noPermission', permission: `relayer_${method.needs}` },
    });
    await grants.grant(SITE, [mine.id], permissionKinds);
    await expect(callMethod(config, probe(method, other.owner), call)).rejects.toMatchObject({
      code: 4100,
      data: { reason: 'otherAccount' },
    });
    expect(await callMethod(config, probe(method), call)).toEqual({ account: mine, network: NETWORK });
  },
);

test.each(guarded.filter(({ owner }) => owner))(
  '$name names its account in the place that the router reads',
  (method) => {
    const given = method.name === 'personal_sign' ? ['0x', mine.owner] : [mine.owner, '{}'];
    const isEthereum = !method.name.startsWith('relayer_');
    const asked = isEthereum ? given : { account: mine.owner, intent: { account: mine.owner } };
    expect(method.owner?.(asked)).toBe(mine.owner);
  },
);

test('a method that takes an account says to the router which one', () => {
  const silent = guarded.filter(({ needs, owner }) => needs !== 'connection' && !owner);
  expect(silent.map(({ name }) => name)).toEqual([]);
});

test('no method reaches the requests or standing approvals of another site', async () => {
  const { wallet } = createWalletHarness().background();
  const createdAt = Date.now();
  await wallet.approvals.ask(connection({ id: 'theirs', origin: SITE, requestIds: [], createdAt }), {
    ...{ id: 'page', origin: SITE, tabId: 1, documentId: 'document', createdAt },
  });
  await wallet.grants.grant(SITE, [standingOf('standing').account], ['orders']);
  const lasting = { endsWithLock: false, terms: { ...terms, validUntil: createdAt } };
  await wallet.standing.open(standingOf('standing', { origin: SITE, ...lasting }));
  const [theirs, others] = [SITE, 'https://own.example'].map(pageRooms(wallet));
  const refusal = new RpcError('rejected', 'taken back');
  const seen = async (rooms = theirs) => [
    (await rooms?.history.approval('theirs'))?.id,
    (await rooms?.history.approvals(9))?.map(({ id }) => id),
    (await rooms?.history.request('page'))?.approvalId,
    (await rooms?.standing.active())?.map(({ approval }) => approval.id),
  ];
  expect(await seen(others)).toEqual([undefined, [], undefined, []]);
  expect(await others?.history.withdraw('theirs', refusal)).toBe(false);
  expect(await others?.standing.end('standing')).toBe(false);
  expect(await seen()).toEqual(['theirs', ['theirs'], 'theirs', ['standing']]);
  expect(await theirs?.history.withdraw('theirs', refusal)).toBe(true);
  expect(await theirs?.standing.end('standing')).toBe(true);
});
