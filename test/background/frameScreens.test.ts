import { describe, expect, it } from 'vitest';
import { relayerOfFile } from './relayerOfFile.ts';
import { approveOrder, approveRequest, ORDER, openOther, question, resultOf, SITE, setUp, until } from './support.ts';

const relayer = await relayerOfFile();
const stage = await setUp(relayer, {}, ['transfers']);

describe('the journal in numbers', () => {
  it('names the next storage id of the token, counts by state, and is saved without a signature that could be sent again', async () => {
    const { wallet, accountView: account } = stage;
    expect(await wallet.ui('getDiagnostics', { account })).toEqual({ cursors: [], states: [] });
    await approveOrder(wallet);
    expect(await wallet.ui('getDiagnostics', { account })).toEqual({
      cursors: [{ tokenId: 1, symbol: 'LRC', parity: 'order', next: 2 }],
      states: [{ status: 'acknowledged', count: 1 }],
    });
    const payee = await openOther(relayer);
    const token = { tokenId: 0, volume: '1000000000000000' };
    resultOf(await approveRequest(wallet, 'relayer_transfer', { payeeAddr: payee.owner, token, feeTokenId: 0 }));
    const { json } = await wallet.ui('exportJournal', {});
    const journal = JSON.parse(json);
    expect(journal).toMatchObject({
      format: 'countersign-journal',
      cursors: [{ tokenId: 0 }, { tokenId: 1, next: 2 }],
    });
    const byName = journal.submissions.toSorted((one: { operation: string }, other: { operation: string }) =>
      one.operation < other.operation ? -1 : 1,
    );
    expect(byName).toMatchObject([
      { operation: 'submitOrder', draft: ORDER, wire: { endpoint: 'submitOrder' } },
      { operation: 'transfer', draft: { token }, wire: { endpoint: 'submitTransfer' } },
    ]);
    const kept = JSON.stringify(await wallet.background().wallet.journal.list());
    const signatures = kept.match(/0x[0-9a-f]{130,}/gi) ?? [];
    // Of an order, and of a transfer in the body by both keys and once more in the header.
    expect(signatures).toHaveLength(4);
    for (const signature of signatures) expect(json).not.toContain(signature);
    expect(json).not.toMatch(/signature\\?"/i);
  });
});

describe('the state of a relayer', () => {
  it('says how long its answer took and how far the clocks are apart', async () => {
    const health = await stage.wallet.ui('getRelayerHealth', { networkId: stage.network.id });
    expect(health).toMatchObject({ baseUrl: relayer.url, problem: null });
    expect(health.milliseconds).toBeGreaterThanOrEqual(0);
    expect(Math.abs(health.clockAhead ?? Number.POSITIVE_INFINITY)).toBeLessThan(60_000);
  });

  it('says what is wrong when nobody answers', async () => {
    const { wallet } = stage;
    await wallet.background().wallet.config.update((data) => ({
      ...data,
      networks: [...data.networks, { ...stage.network, id: 'gone', baseUrl: 'http://127.0.0.1:1' }],
    }));
    expect(await wallet.ui('getRelayerHealth', { networkId: 'gone' })).toEqual({
      baseUrl: 'http://127.0.0.1:1',
      milliseconds: null,
      clockAhead: null,
      problem: { key: 'error_relayerUnreachable', values: { host: { kind: 'text', text: '127.0.0.1:1' } } },
    });
  });
});

describe('one permission of a site', () => {
  it('is taken back alone: the approval request that needs it is closed, the others stay until the last one goes', async () => {
    const { wallet, accountView: account } = stage;
    const refused = wallet.page(SITE, 'relayer_submitOrder', [ORDER]);
    await question(wallet);
    expect(await wallet.ui('listApprovals', {})).toMatchObject([
      { kind: 'operation', origin: SITE, operation: 'submitOrder', account },
    ]);
    await wallet.ui('revokeGrant', { origin: SITE, account, kind: 'orders' });
    expect(await refused).toMatchObject({ error: { code: 4100 } });
    expect(await wallet.ui('listSites', {})).toEqual([
      { origin: SITE, grants: [{ account, kinds: ['read', 'transfers'] }], blocked: false },
    ]);
    const listed = (asked: object) => wallet.page(SITE, 'relayer_getStandingApprovals', [asked]);
    expect(await listed({ account: stage.account.owner })).toMatchObject({ error: { code: 4100 } });
    expect(await listed({})).toEqual({ result: [] });
    await wallet.ui('revokeGrant', { origin: SITE, account, kind: 'transfers' });
    await wallet.ui('revokeGrant', { origin: SITE, account, kind: 'read' });
    expect(await wallet.ui('listSites', {})).toEqual([]);
    expect(await wallet.page(SITE, 'eth_accounts', [])).toMatchObject({ result: [] });
  });
});

it('the end of a submission is noted by the browser only when the user has asked for it, without amounts', async () => {
  const { wallet, client, account, accountView } = await setUp(relayer);
  const orderToCancel = async () => {
    const placed = (await approveOrder(wallet)) as { result: { hash: string } };
    const key = { accountId: account.accountId, orderHash: placed.result.hash };
    await approveRequest(wallet, 'relayer_cancelOrder', { orderHash: placed.result.hash });
    await until(async () => {
      const order = await client.getOrder({ query: key, apiKey: account.apiKey });
      return order.status === 'cancelled';
    });
    for (const { id } of await wallet.ui('getActivity', { limit: 10 }))
      await wallet.uiAnswer('checkSubmission', { id });
  };
  await orderToCancel();
  expect(wallet.notes).toEqual([]);
  await wallet.ui('setSettings', { notifications: true, language: 'es' });
  await orderToCancel();
  expect(wallet.notes.map(({ title, message, language }) => [title, message, language])).toContainEqual([
    'operation_submitOrder',
    'statusCancelledMeaning',
    'es',
  ]);
  expect(JSON.stringify(wallet.notes)).not.toContain(accountView);
});
