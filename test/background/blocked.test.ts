import { expect, test } from 'vitest';
import { closingAnswer } from '../../src/background/approvals/answerFor.ts';
import { answerTo } from '../../src/background/approvals/answerPages.ts';
import type { StoredRequest } from '../../src/background/approvals/store/requests.ts';
import { RpcError } from '../../src/background/errors/rpcError.ts';
import { relayerOfFile } from './relayerOfFile.ts';
import { ORDER, PASSWORD, question, refusal, resultOf, type SetUp, SITE, setUp, until } from './support.ts';

const relayer = await relayerOfFile();

const refused = { error: { code: 4100, message: 'The user has blocked this site.' } };

async function withStanding({ wallet }: SetUp) {
  const answer = wallet.page(SITE, 'relayer_requestStandingApproval', [
    {
      sellTokenId: 1,
      buyTokenId: 0,
      minPrice: '0.0004',
      orderVolume: ORDER.sellToken.volume,
      totalVolume: `${ORDER.sellToken.volume}0`,
      rate: { requests: 5, seconds: 60 },
      validUntil: Math.floor(Date.now() / 1000) + 86_400,
    },
  ]);
  const view = await question(wallet);
  await wallet.ui('approve', { id: view.id, digest: view.digest ?? '', account: view.account?.id ?? null });
  resultOf(await answer);
}

test.each(['in the list of sites', 'in the approval window'])(
  'a site that is blocked %s gets no answer any more',
  async (where) => {
    const stage = await setUp(relayer, {}, ['transfers']);
    const { wallet } = stage;
    await withStanding(stage);
    const payeeAddr = '0x4a17b2b5a9b1f4b8d1b9f7c4b6e5d4c3b2a19081';
    const transfer = { payeeAddr, token: { tokenId: 1, volume: '1000' }, feeTokenId: 0 };
    const requestId = crypto.randomUUID();
    const open = [
      wallet.page(SITE, 'relayer_transfer', [transfer], requestId),
      wallet.page(SITE, 'relayer_transfer', [{ ...transfer, memo: 'b' }]),
    ];
    await until(async () => (await wallet.ui('listApprovals', {})).length === 2);
    const view = await question(wallet);
    wallet.pushed.length = 0;
    const windows = wallet.shown.length;
    if (where === 'in the list of sites') await wallet.ui('blockSite', { origin: SITE });
    else await wallet.ui('reject', { id: view.id, block: true });
    expect(await Promise.all(open)).toMatchObject([{ error: { code: 4001 } }, { error: { code: 4001 } }]);
    expect(await wallet.ui('listApprovals', {})).toEqual([]);
    expect(await wallet.ui('listStanding', {})).toEqual([]);
    const events = () => wallet.pushed.flatMap(({ message }) => ('event' in message ? [message.event] : []));
    expect(events()).toEqual(['accountsChanged', 'disconnect']);
    expect(wallet.pushed).toContainEqual({ origin: SITE, message: { event: 'accountsChanged', data: [] } });

    expect(await wallet.page(SITE, 'eth_accounts')).toEqual({ result: [] });
    expect(await wallet.page(SITE, 'wallet_getPermissions')).toEqual({ result: [] });
    for (const method of [
      'eth_requestAccounts',
      'relayer_getBalances',
      'relayer_getRequests',
      'wallet_getCapabilities',
    ])
      expect(await wallet.page(SITE, method)).toMatchObject(refused);
    expect(await wallet.page(SITE, 'relayer_submitOrder', [ORDER])).toMatchObject(refused);
    expect(wallet.shown).toHaveLength(windows);

    await wallet.ui('unblockSite', { origin: SITE });
    expect(await wallet.page(SITE, 'eth_accounts')).toMatchObject({ result: [expect.any(String)] });
    expect(await wallet.ui('listStanding', {})).toEqual([]);
  },
);

test.each([
  ['goes on', 'acknowledged', (input: RequestInfo | URL, init?: RequestInit) => fetch(input, init)],
  ['is refused', 'refused', async () => refusal(102007)],
])('what was signed before a site is blocked %s, and the site is told nothing of it', async (_how, status, end) => {
  let goOn = () => {};
  const held = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  let isSent = () => {};
  const sent = new Promise<void>((resolve) => {
    isSent = resolve;
  });
  const { wallet } = await setUp(relayer, {
    fetch: async (input, init) => {
      if (init?.method === 'POST' && String(input).endsWith('/api/v3/order')) {
        isSent();
        await held;
        return end(input, init);
      }
      return fetch(input, init);
    },
  });
  const requestId = crypto.randomUUID();
  const answer = wallet.page(SITE, 'relayer_submitOrder', [ORDER], requestId);
  const view = await question(wallet);
  await wallet.ui('approve', { id: view.id, digest: view.digest ?? '', account: view.account?.id ?? null });
  await sent;
  await wallet.ui('blockSite', { origin: SITE });
  wallet.pushed.length = 0;
  goOn();
  expect(await answer).toMatchObject(refused);
  await until(async () => (await wallet.ui('getActivity', { limit: 1 }))[0]?.status === status);
  // Pages are told after the answer is stored.
  await expect.poll(() => wallet.background().wallet.executing.size).toBe(0);
  expect(JSON.stringify(wallet.pushed)).not.toContain('hash');
  expect(await wallet.page(SITE, 'relayer_submitOrder', [ORDER], requestId)).toMatchObject(refused);
});

test('a worker that stops while it blocks leaves nothing that lives again when the site is unblocked', async () => {
  const stage = await setUp(relayer);
  const { wallet } = stage;
  await withStanding(stage);
  await wallet.background().wallet.grants.setBlocked(SITE, true);
  wallet.restart();
  expect(await wallet.page(SITE, 'eth_accounts')).toEqual({ result: [] });
  await wallet.ui('unlock', { password: PASSWORD });
  await wallet.ui('unblockSite', { origin: SITE });
  expect(await wallet.ui('listStanding', {})).toEqual([]);
});

test('the worker that starts after it tells a blocked site nothing of what changed', async () => {
  const { wallet } = await setUp(relayer);
  await wallet.background().wallet.grants.setBlocked(SITE, true);
  const other = 'https://other.example';
  const [account] = (await wallet.ui('getState', {})).accounts;
  await wallet.background().wallet.grants.grant(other, [account?.id ?? ''], ['read']);
  wallet.pushed.length = 0;
  wallet.restart();
  await wallet.ui('getState', {});
  // Sites are told in one round, so that what the other one hears says that it is over.
  await until(async () => wallet.pushed.some(({ origin }) => origin === other));
  await wallet.background().wallet.ports.lock('told', async () => {});
  expect(wallet.pushed.filter(({ origin }) => origin === SITE)).toEqual([]);
});

test.each([
  [true, { code: 4100, data: { reason: 'blocked' } }],
  [false, { code: 4001, data: { status: 'refused', requestId: 'q', validUntil: 5 } }],
])('a site of which blocked is %s, and whose request ended after a refusal', async (blocked, error) => {
  const answer = closingAnswer(
    { id: 'q', signedBefore: { copies: 1, validUntil: 5 } },
    new RpcError('rejected', 'No.'),
  );
  const grants = { of: async () => ({ blocked }) } as never;
  expect(
    await answerTo({ grants, approvals: { get: async () => undefined }, journal: undefined as never }, {
      origin: SITE,
      answer,
    } as StoredRequest & { answer: typeof answer }),
  ).toMatchObject({ error });
});

test('a blocked site changes nothing: it proposes no exchange, and takes nothing back that counts again later', async () => {
  const { wallet } = await setUp(relayer);
  await wallet.background().wallet.grants.setBlocked(SITE, true);
  const chain = { chainId: '0x1', chainName: 'Other', rpcUrls: ['https://other.example'] };
  expect(await wallet.page(SITE, 'wallet_addEthereumChain', [chain])).toMatchObject(refused);
  expect(await wallet.page(SITE, 'wallet_revokePermissions', [{ eth_accounts: {} }])).toMatchObject(refused);
  expect(await wallet.ui('getProposedExchange', {})).toBeNull();
  await wallet.ui('unblockSite', { origin: SITE });
  expect(await wallet.page(SITE, 'eth_accounts')).toMatchObject({ result: [expect.any(String)] });
});
