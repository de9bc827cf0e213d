import { expect, test, vi } from 'vitest';
import type { Connection, StoredApproval } from '../../src/background/approvals/store/storedApproval.ts';
import type { WalletHarness } from '../support/wallet.ts';
import { relayerOfFile } from './relayerOfFile.ts';
import { approveRequest, ORDER, openOther, PASSWORD, question, resultOf, SITE, setUp, until } from './support.ts';

/**
 * A site that may not ask for something yet is put to the user first, and its request follows under
 * the same id.
 */
const STRANGER = 'https://stranger.example';

const relayer = await relayerOfFile();

async function yes(wallet: WalletHarness, view: Awaited<ReturnType<typeof question>>) {
  const chosen = view.connect?.accounts.slice(0, 1).map(({ id }) => id);
  await wallet.ui('approve', {
    id: view.id,
    digest: view.digest ?? '',
    account: view.account?.id ?? null,
    ...(chosen ? { accounts: chosen } : {}),
  });
}

/** The open request, once it is one of a kind. */
const pending = (wallet: WalletHarness, kind: 'connect' | 'operation') =>
  until(async () => {
    const view = await question(wallet);
    return view.kind === kind && view;
  });

const sites = async (wallet: WalletHarness) =>
  (await wallet.ui('listSites', {})).filter(({ origin }) => origin === STRANGER).map(({ grants }) => grants);

test('a site that is not connected is put to the user with the one permission that its order needs, and then the order', async () => {
  const { wallet, accountView } = await setUp(relayer);
  const answer = wallet.page(STRANGER, 'relayer_submitOrder', [ORDER]);
  const first = await pending(wallet, 'connect');
  expect(first).toMatchObject({ connect: { kinds: ['orders'], hasNext: true, isMore: false }, review: null });
  await yes(wallet, first);
  const next = await pending(wallet, 'operation');
  expect([next.id, next.operation, next.connectedFirst]).toEqual([first.id, 'submitOrder', true]);
  expect(next.digest).not.toBe(first.digest);
  expect(await sites(wallet)).toEqual([[{ account: accountView, kinds: ['orders'] }]]);
  // The yes to the connection is no yes to the order.
  expect(await wallet.background().wallet.journal.list({ origin: STRANGER })).toEqual([]);
  expect(
    await wallet.uiAnswer('approve', { id: first.id, digest: first.digest ?? '', account: next.account?.id ?? null }),
  ).toMatchObject({ ok: false, error: { code: 'digest-mismatch' } });
  await yes(wallet, next);
  expect(resultOf(await answer)).toMatchObject({ status: 'acknowledged' });
});

test('a no to the connection connects nothing, a no to the order leaves the connection', async () => {
  const { wallet } = await setUp(relayer);
  const rejected = wallet.page(STRANGER, 'relayer_submitOrder', [ORDER]);
  await wallet.ui('reject', { id: (await pending(wallet, 'connect')).id, block: false });
  expect(await rejected).toMatchObject({ error: { code: 4001 } });
  expect(await sites(wallet)).toEqual([]);

  const second = wallet.page(STRANGER, 'relayer_submitOrder', [ORDER]);
  await yes(wallet, await pending(wallet, 'connect'));
  await wallet.ui('reject', { id: (await pending(wallet, 'operation')).id, block: false });
  expect(await second).toMatchObject({ error: { code: 4001 } });
  expect(await sites(wallet)).toMatchObject([[{ kinds: ['orders'] }]]);
  expect(await wallet.background().wallet.journal.list({ origin: STRANGER })).toEqual([]);
});

test('a connected site asks for one more permission on the account of the request alone, and its order of accounts stays', async () => {
  const { wallet, accountView, network } = await setUp(relayer);
  const friend = await openOther(relayer);
  const { signer } = await wallet.ui('importSigner', { privateKey: friend.privateKey });
  const { id: other } = await wallet.ui('addAccount', { networkId: network.id, signer, label: 'Other' });
  await wallet.background().wallet.grants.grant(STRANGER, [other, accountView], ['read', 'orders']);
  const { owner } = (await wallet.ui('getState', {})).accounts.find(({ id }) => id === accountView) ?? { owner: '' };
  const intent = { account: owner, token: { tokenId: 1, volume: '1000000000000000000' }, payeeAddr: friend.owner };
  void wallet.page(STRANGER, 'relayer_transfer', [intent]);
  const asked = await pending(wallet, 'connect');
  expect(asked.connect).toMatchObject({ kinds: ['transfers'], isMore: true, accounts: [{ id: accountView }] });
  await yes(wallet, asked);
  const next = await pending(wallet, 'operation');
  expect([next.operation, next.account?.id]).toEqual(['transfer', accountView]);
  expect(await sites(wallet)).toEqual([
    [
      { account: other, kinds: ['read', 'orders'] },
      { account: accountView, kinds: ['read', 'orders', 'transfers'] },
    ],
  ]);
});

test('a connected site that asks for a permission keeps the accounts that it has, in their order, and their standing approvals', async () => {
  const { wallet, accountView, network } = await setUp(relayer);
  const { signer } = await wallet.ui('importSigner', { privateKey: (await openOther(relayer)).privateKey });
  const { id: other } = await wallet.ui('addAccount', { networkId: network.id, signer, label: 'Other' });
  await wallet.background().wallet.grants.grant(SITE, [other, accountView], ['read', 'orders']);
  const limits = {
    ...{ sellTokenId: 1, buyTokenId: 0, minPrice: '0.0001', orderVolume: '1000000000000000000' },
    ...{ totalVolume: '1000000000000000000', rate: { requests: 10, seconds: 60 } },
    validUntil: Math.floor(Date.now() / 1000) + 3600,
  };
  const { id } = resultOf(await approveRequest(wallet, 'relayer_requestStandingApproval', limits)) as { id: string };
  const ask = async (method: string, params: readonly unknown[], isMore: boolean) => {
    const answer = wallet.page(SITE, method, params);
    const { id, digest, connect } = await question(wallet);
    expect(connect).toMatchObject({ granted: [other, accountView], isMore });
    await wallet.ui('approve', { id, digest: digest ?? '', account: null, accounts: [...(connect?.granted ?? [])] });
    resultOf(await answer);
  };
  await ask('wallet_requestPermissions', [{ relayer_transfers: {} }], true);
  // Nothing but a new choice of accounts.
  await ask('wallet_requestPermissions', [{ relayer_orders: {} }], false);
  const [site] = (await wallet.ui('listSites', {})).filter(({ origin }) => origin === SITE);
  const kinds = ['read', 'orders', 'transfers'];
  expect(site?.grants).toEqual([
    { account: other, kinds },
    { account: accountView, kinds },
  ]);
  expect(resultOf(await wallet.page(SITE, 'relayer_getStandingApprovals', [{}]))).toMatchObject([{ id }]);
});

test('what else the site asked for meanwhile is not asked to connect again', async () => {
  const { wallet } = await setUp(relayer);
  void wallet.page(STRANGER, 'relayer_submitOrder', [ORDER]);
  void wallet.page(STRANGER, 'relayer_submitOrder', [{ ...ORDER, clientOrderId: 'second' }]);
  const withdrawal = { token: { tokenId: 1, volume: '1000000000000000000' } };
  void wallet.page(STRANGER, 'relayer_withdraw', [withdrawal]);
  await until(async () => (await wallet.ui('listApprovals', {})).length === 3);
  await yes(wallet, await pending(wallet, 'connect'));
  await until(async () => {
    const kinds = (await wallet.ui('listApprovals', {})).map(({ kind }) => kind);
    return kinds.toSorted().toString() === 'connect,operation,operation';
  });
});

test('a worker that stops between the connection and the request goes on with the request', async () => {
  const { wallet } = await setUp(relayer);
  const answer = wallet.page(STRANGER, 'relayer_submitOrder', [ORDER]);
  const first = await pending(wallet, 'connect');
  const { approvals, grants } = wallet.background().wallet;
  await approvals.update(first.id, (current) =>
    current.kind === 'connect' && current.stage === 'ready'
      ? {
          ...current,
          stage: 'approved',
          decidedAt: Date.now(),
          chosen: { accounts: first.connect?.accounts.map(({ id }) => id) ?? [], kinds: ['orders'] },
        }
      : null,
  );
  await grants.grant(STRANGER, first.connect?.accounts.map(({ id }) => id) ?? [], ['orders']);
  wallet.restart();
  await wallet.ui('unlock', { password: PASSWORD });
  const next = await pending(wallet, 'operation');
  expect(next.id).toBe(first.id);
  await yes(wallet, next);
  expect(resultOf(await answer)).toMatchObject({ status: 'acknowledged' });
});

test('what the site may not ask for after all is refused with its reason, and the connection stays', async () => {
  const { wallet } = await setUp(relayer);
  const answer = wallet.page(STRANGER, 'relayer_submitOrder', [{ ...ORDER, account: `0x${'5'.repeat(40)}` }]);
  await yes(wallet, await pending(wallet, 'connect'));
  expect(await answer).toMatchObject({ error: { code: 4100, data: { reason: 'otherAccount' } } });
  expect(await sites(wallet)).toHaveLength(1);
});

test('a key that named a request before the site was disconnected names no second one', async () => {
  const { wallet } = await setUp(relayer);
  const keyed = [{ ...ORDER, idempotencyKey: 'order 1' }];
  const first = wallet.page(STRANGER, 'relayer_submitOrder', keyed);
  await yes(wallet, await pending(wallet, 'connect'));
  await yes(wallet, await pending(wallet, 'operation'));
  const { requestId } = resultOf(await first);
  await wallet.ui('revokeSite', { origin: STRANGER });
  const again = wallet.page(STRANGER, 'relayer_submitOrder', keyed);
  await yes(wallet, await pending(wallet, 'connect'));
  expect(await again).toEqual({
    error: {
      code: -32602,
      message: 'idempotencyKey: names an earlier request of this site',
      data: { reason: 'keyReused', requestId, status: 'unknown' },
    },
  });
  expect(await wallet.page(STRANGER, 'relayer_submitOrder', keyed)).toMatchObject({ result: { requestId } });
});

test('a wrong field, a read and another account key open no window', async () => {
  const { wallet } = await setUp(relayer);
  expect(
    await wallet.page(STRANGER, 'relayer_submitOrder', [{ ...ORDER, sellToken: { tokenId: 1, volume: '0' } }]),
  ).toMatchObject({ error: { code: -32602 } });
  for (const method of ['relayer_getBalances', 'relayer_updateAccountKey', 'relayer_getStandingApprovals'])
    expect(await wallet.page(STRANGER, method)).toMatchObject({
      error: { code: 4100, data: { reason: 'notConnected' } },
    });
  expect(wallet.shown).toEqual([]);
});

/** A connection that the user was asked for, as it was before it was decided. */
async function waitingConnection({ wallet, accountView }: Awaited<ReturnType<typeof setUp>>) {
  const answer = wallet.page(STRANGER, 'relayer_submitOrder', [ORDER]);
  const { id } = await pending(wallet, 'connect');
  const parts = wallet.background().wallet;
  const connection = (await parts.approvals.get(id)) as Connection;
  const connect = () => parts.grants.grant(STRANGER, [accountView], ['orders']);
  return { answer, id, parts, connection, connect };
}

test('a connection that was closed meanwhile stays closed, and its order is not put to the user', async () => {
  const all = await setUp(relayer);
  const { answer, id, parts, connection, connect } = await waitingConnection(all);
  await all.wallet.ui('reject', { id, block: false });
  expect(await answer).toMatchObject({ error: { code: 4001 } });
  await connect();
  await parts.continueRequest(connection);
  expect(await parts.approvals.get(id)).toMatchObject({ stage: 'closed', kind: 'connect' });
});

test('a store that does not answer leaves the connection as it is, to go on later', async () => {
  const { id, parts, connection, connect } = await waitingConnection(await setUp(relayer));
  await connect();
  vi.spyOn(parts.grants, 'of').mockRejectedValueOnce(new Error('the store does not open'));
  await expect(parts.continueRequest(connection)).rejects.toThrow('the store does not open');
  expect(await parts.approvals.get(id)).toMatchObject({ kind: 'connect' });
  await parts.continueRequest(connection);
  expect(await parts.approvals.get(id)).toMatchObject({ kind: 'operation', connectedFirst: true });
});

test('a connection that is approved while its site is looked at as not connected yet is not refused', async () => {
  const all = await setUp(relayer);
  const { id, parts, connection } = await waitingConnection(all);
  const chosen = { accounts: [all.accountView], kinds: ['orders'] };
  const approved = { stage: 'approved', decidedAt: Date.now(), chosen } as const;
  await parts.approvals.become(id, (current) => ({ ...current, ...approved }) as StoredApproval);
  await parts.continueRequest(connection);
  expect(await parts.approvals.get(id)).toMatchObject({ kind: 'connect', stage: 'approved' });
  // Now that it counts as approved, what its request meets is its answer.
  await parts.continueRequest({ ...connection, ...approved } as Connection);
  expect(await parts.approvals.get(id)).toMatchObject({ kind: 'connect', stage: 'done' });
});
