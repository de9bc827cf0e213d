import { describe, expect, test } from 'vitest';
import type { StoredApproval } from '../../src/background/approvals/store/storedApproval.ts';
import { UiFailure } from '../../src/background/errors/uiFailure.ts';
import { tidyUp } from '../../src/background/lifecycle/resume.ts';
import { pageMethods } from '../../src/background/rpc/page/index.ts';
import { operations } from '../../src/operations/index.ts';
import { DAY_MS, HOUR_MS } from '../../src/protocol/time.ts';
import type { WalletHarness } from '../support/wallet.ts';
import { relayerOfFile } from './relayerOfFile.ts';
import {
  approveOrder,
  approveRequest,
  movableClock,
  ORDER,
  ordersOf,
  PASSWORD,
  question,
  resultOf,
  SITE,
  setUp,
  until,
} from './support.ts';

const relayer = await relayerOfFile();

const OTHER = 'https://other.example';

/** Events that a site's pages got, as name and data. */
const eventsOf = (wallet: WalletHarness, site = SITE) =>
  wallet.pushed.flatMap(({ origin, message }) =>
    origin === site && 'event' in message && message.event !== 'message' ? [[message.event, message.data]] : [],
  );

const click = async (wallet: WalletHarness) => {
  const view = await question(wallet);
  await wallet.ui('approve', { id: view.id, digest: view.digest ?? '', account: view.account?.id ?? null });
};

describe('wallet_getCapabilities', () => {
  test('names every relayer method of the chain with the permission that it needs', async () => {
    const { wallet } = await setUp(relayer);
    const result = resultOf<Record<string, { relayer: { methods: { name: string; permission: string | null }[] } }>>(
      await wallet.page(SITE, 'wallet_getCapabilities'),
    );
    expect(Object.keys(result)).toEqual(['0x7a69']);
    const methods = result['0x7a69']?.relayer.methods ?? [];
    expect(methods).toContainEqual({ name: 'relayer_withdraw', permission: 'relayer_withdrawals' });
    expect(methods).toContainEqual({ name: 'relayer_getNftBalances', permission: 'relayer_read' });
    expect(methods).toContainEqual({ name: 'relayer_getRequests', permission: null });
    expect(methods.map(({ name }) => name).sort()).toEqual(
      [...pageMethods.keys()].filter((name) => name.startsWith('relayer_')).sort(),
    );
    for (const { method } of Object.values(operations)) expect([...pageMethods.keys()]).toContain(method);
  });

  test('knows no other chain and no foreign account', async () => {
    const { wallet, account } = await setUp(relayer);
    expect(await wallet.page(SITE, 'wallet_getCapabilities', [account.owner, ['0x1']])).toEqual({ result: {} });
    expect(await wallet.page(OTHER, 'wallet_getCapabilities', [account.owner])).toMatchObject({
      error: { code: 4100 },
    });
  });
});

describe('events', () => {
  test('a connection is told once, and its end', async () => {
    const { wallet, account } = await setUp(relayer);
    const asked = wallet.page(OTHER, 'eth_requestAccounts');
    const view = await question(wallet);
    const accounts = view.connect?.accounts.map(({ id }) => id) ?? [];
    await wallet.ui('approve', { id: view.id, digest: view.digest ?? '', account: null, accounts });
    expect(await asked).toEqual({ result: [account.owner] });
    const connected = [
      ['connect', { chainId: '0x7a69' }],
      ['accountsChanged', [account.owner]],
    ];
    await until(async () => eventsOf(wallet, OTHER).length === 2);
    expect(eventsOf(wallet, OTHER)).toEqual(connected);
    await wallet.ui('revokeSite', { origin: OTHER });
    expect(eventsOf(wallet, OTHER)).toEqual([
      ...connected,
      ['accountsChanged', []],
      ['disconnect', { code: 4900, message: 'This site sees no account any more.' }],
    ]);
  });

  test('a worker that stopped between a change and its events tells them at its next start, and nothing twice', async () => {
    const { wallet } = await setUp(relayer);
    wallet.pushed.length = 0;
    // The change is stored, and the worker stops before it tells.
    await wallet.background().wallet.grants.revoke(SITE);
    wallet.restart();
    await until(async () => eventsOf(wallet).length === 2);
    expect(eventsOf(wallet).map(([name]) => name)).toEqual(['accountsChanged', 'disconnect']);
    wallet.restart();
    await wallet.background().ready;
    await wallet.page(SITE, 'eth_accounts');
    expect(eventsOf(wallet)).toHaveLength(2);
  });

  test('an account on another chain changes the chain of the site', async () => {
    const { wallet, accountView } = await setUp(relayer);
    wallet.pushed.length = 0;
    const { config, grants } = wallet.background().wallet;
    await config.update((data) => ({
      ...data,
      networks: data.networks.flatMap((network) => [network, { ...network, id: 'second', chainId: 1 }]),
      accounts: data.accounts.flatMap((account) => [account, { ...account, id: 'second:1', networkId: 'second' }]),
    }));
    await grants.revoke(SITE);
    await grants.grant(SITE, ['second:1', accountView], ['read']);
    wallet.restart();
    await until(async () => eventsOf(wallet).length > 0);
    expect(eventsOf(wallet)[0]).toEqual(['chainChanged', '0x1']);
    expect(await wallet.page(SITE, 'eth_chainId')).toEqual({ result: '0x1' });
  });
});

describe('taking a permission back', () => {
  test('closes what the site still asks, and its pages are told', async () => {
    const { wallet } = await setUp(relayer);
    const answer = wallet.page(SITE, 'relayer_submitOrder', [ORDER]);
    await question(wallet);
    await wallet.ui('revokeSite', { origin: SITE });
    expect(await answer).toEqual({
      error: { code: 4100, message: 'The permission for this request was taken back.', data: { reason: 'revoked' } },
    });
    expect(await wallet.ui('listApprovals', {})).toEqual([]);
    expect(wallet.badge()).toBe(0);
  });

  test('of one kind leaves the others, closes its approval requests only, and tells nobody of accounts', async () => {
    const { wallet } = await setUp(relayer, {}, ['transfers']);
    const names = async () =>
      resultOf<{ parentCapability: string }[]>(await wallet.page(SITE, 'wallet_getPermissions')).map(
        ({ parentCapability }) => parentCapability,
      );
    expect(await names()).toContain('relayer_transfers');
    const transfer = { token: { tokenId: 1, volume: '1' }, payeeAddr: `0x${'7'.repeat(40)}` };
    const closed = wallet.page(SITE, 'relayer_transfer', [transfer]);
    wallet.page(SITE, 'relayer_submitOrder', [ORDER]);
    await until(async () => (await wallet.ui('listApprovals', {})).length === 2);
    wallet.pushed.length = 0;
    expect(await wallet.page(SITE, 'wallet_revokePermissions', [{ relayer_transfers: {} }])).toEqual({ result: null });
    expect(await closed).toMatchObject({ error: { code: 4100 } });
    expect(await wallet.ui('listApprovals', {})).toMatchObject([{ operation: 'submitOrder' }]);
    expect(await names()).not.toContain('relayer_transfers');
    expect(await names()).toContain('relayer_orders');
    expect(eventsOf(wallet)).toEqual([]);
  });

  test('of the connection itself is its end', async () => {
    for (const named of [{ eth_accounts: {} }, { relayer_read: {}, eth_accounts: {} }]) {
      const { wallet } = await setUp(relayer);
      await wallet.page(SITE, 'wallet_revokePermissions', [named]);
      expect(await wallet.page(SITE, 'eth_accounts')).toEqual({ result: [] });
    }
  });

  test('leaves the approval requests of other sites open', async () => {
    const { wallet, accountView } = await setUp(relayer);
    await wallet.background().wallet.grants.grant(OTHER, [accountView], ['orders']);
    wallet.page(OTHER, 'relayer_submitOrder', [ORDER]);
    await question(wallet);
    await wallet.page(SITE, 'wallet_revokePermissions', [{ eth_accounts: {} }]);
    expect(await wallet.ui('listApprovals', {})).toMatchObject([{ origin: OTHER }]);
  });
});

describe('requests of a site', () => {
  interface Row {
    readonly requestId: string;
    readonly operation: string;
    readonly status: string;
    readonly hash: string | null;
  }
  const list = async (wallet: WalletHarness, site = SITE) =>
    resultOf<Row[]>(await wallet.page(site, 'relayer_getRequests'));

  test('are listed from approval request to submission, for the site itself only', async () => {
    const { wallet, accountView } = await setUp(relayer);
    await wallet.background().wallet.grants.grant(OTHER, [accountView], ['read']);
    const answer = wallet.page(SITE, 'relayer_submitOrder', [ORDER]);
    await question(wallet);
    const [pending] = await list(wallet);
    expect(pending).toMatchObject({ operation: 'submitOrder', status: 'pending', hash: null });
    await click(wallet);
    const { requestId, hash } = resultOf(await answer);
    expect(await list(wallet)).toMatchObject([{ requestId, hash, status: 'acknowledged' }]);
    expect(pending?.requestId).toBe(requestId);
    expect(await list(wallet, OTHER)).toEqual([]);
    expect(await wallet.page('https://third.example', 'relayer_getRequests')).toMatchObject({ error: { code: 4100 } });
  });

  test('one that waits can be taken back by its site, and only by it', async () => {
    const { wallet, accountView } = await setUp(relayer);
    await wallet.background().wallet.grants.grant(OTHER, [accountView], ['read']);
    const answer = wallet.page(SITE, 'relayer_submitOrder', [ORDER]);
    const view = await question(wallet);
    const refused = {
      error: { code: -32602, message: 'requestId: no request of this site waits under it, or signing has begun' },
    };
    const withdraw = (site: string) => wallet.page(site, 'relayer_withdrawRequest', [{ requestId: view.id }]);
    expect(await withdraw(OTHER)).toEqual(refused);
    expect(await withdraw(SITE)).toEqual({ result: null });
    expect(await answer).toMatchObject({ error: { code: 4001, data: { status: 'withdrawn' } } });
    expect(
      await wallet.uiAnswer('approve', { id: view.id, digest: view.digest ?? '', account: accountView }),
    ).toMatchObject({ ok: false, error: { code: 'approval-gone' } });
    // The answer to the first may have been lost.
    expect(await withdraw(SITE)).toEqual({ result: null });
  });

  test.each([
    ['after a refused signature', 1, { code: 4001, data: { status: 'refused' } }],
    ['and was perhaps signed', 0, { code: 4900, data: { status: 'unknown' } }],
  ])('takes back twice what is asked again %s', async (_, copies, error) => {
    const { wallet } = await setUp(relayer);
    const answer = wallet.page(SITE, 'relayer_submitOrder', [ORDER]);
    const { id } = await question(wallet);
    const { approvals } = wallet.background().wallet;
    const signedBefore = { copies, validUntil: null };
    await approvals.put({ ...(await approvals.get(id)), signedBefore } as StoredApproval);
    const withdraw = () => wallet.page(SITE, 'relayer_withdrawRequest', [{ requestId: id }]);
    expect(await withdraw()).toEqual({ result: null });
    expect(await answer).toMatchObject({ error });
    expect(await withdraw()).toEqual({ result: null });
  });

  test('what the user rejected, or what was approved, cannot be taken back', async () => {
    const { wallet } = await setUp(relayer);
    const asked = wallet.page(SITE, 'relayer_submitOrder', [ORDER]);
    const { id } = await question(wallet);
    await wallet.ui('reject', { id, block: false });
    expect(await asked).toMatchObject({ error: { code: 4001 } });
    expect(await wallet.page(SITE, 'relayer_withdrawRequest', [{ requestId: id }])).toMatchObject({
      error: { code: -32602 },
    });
    const { requestId } = resultOf(await approveOrder(wallet));
    expect(await wallet.page(SITE, 'relayer_withdrawRequest', [{ requestId }])).toMatchObject({
      error: { code: -32602 },
    });
  });
});

describe('idempotency key', () => {
  const keyed = { ...ORDER, idempotencyKey: 'order-1' };

  test('repeats of a request are one approval request, one order and one answer, also after it is over', async () => {
    const stage = await setUp(relayer);
    const { wallet } = stage;
    const first = wallet.page(SITE, 'relayer_submitOrder', [keyed]);
    await question(wallet);
    const second = wallet.page(SITE, 'relayer_submitOrder', [keyed]);
    await until(async () => (await wallet.background().wallet.approvals.list())[0]?.requestIds.length === 2);
    await click(wallet);
    const answer = await first;
    expect(await second).toEqual(answer);
    wallet.restart();
    expect(await wallet.page(SITE, 'relayer_submitOrder', [keyed])).toEqual(answer);
    expect(await ordersOf(stage)).toHaveLength(1);
  });

  test('another request under a used key is refused, the same key of another site is not', async () => {
    const { wallet, accountView } = await setUp(relayer);
    wallet.page(SITE, 'relayer_submitOrder', [keyed]);
    const { id: requestId } = await question(wallet);
    expect(await wallet.page(SITE, 'relayer_submitOrder', [{ ...keyed, maxFeeBips: 5 }])).toEqual({
      error: {
        code: -32602,
        message: 'idempotencyKey: names another request of this site',
        data: { reason: 'keyReused', requestId, status: 'unknown' },
      },
    });
    await wallet.background().wallet.grants.grant(OTHER, [accountView], ['orders']);
    wallet.page(OTHER, 'relayer_submitOrder', [keyed]);
    await until(async () => (await wallet.ui('listApprovals', {})).length === 2);
  });

  test('a page that lost an answer names the request by its id: it is told, and a repeat joins it', async () => {
    const stage = await setUp(relayer);
    const { wallet, accountView } = stage;
    await wallet.background().wallet.grants.grant(OTHER, [accountView], ['read', 'orders']);
    const id = crypto.randomUUID();
    const told = (site: string, requestId: string) => wallet.page(site, 'relayer_getRequest', [{ requestId }]);
    const first = wallet.page(SITE, 'relayer_submitOrder', [ORDER], id);
    const { id: number } = await question(wallet);
    expect(await told(SITE, id)).toMatchObject({ result: { requestId: number, status: 'pending' } });
    const repeat = { ...ORDER, idempotencyKey: id };
    const second = wallet.page(SITE, 'relayer_submitOrder', [repeat]);
    await until(async () => (await wallet.background().wallet.approvals.list())[0]?.requestIds.length === 2);
    await click(wallet);
    const answer = await first;
    expect(await second).toEqual(answer);
    wallet.restart();
    expect(await wallet.page(SITE, 'relayer_submitOrder', [repeat])).toEqual(answer);
    expect(await ordersOf(stage)).toHaveLength(1);
    const { hash } = resultOf(answer);
    for (const requestId of [id, number])
      expect(await told(SITE, requestId)).toMatchObject({
        result: { requestId: number, hash, status: 'acknowledged' },
      });
    const unknown = { error: { code: -32602, message: 'requestId: this site has no request of this id' } };
    expect(await told(OTHER, id)).toEqual(unknown);
    expect(await told(OTHER, number)).toEqual(unknown);
    expect(await wallet.page(SITE, 'relayer_submitOrder', [{ ...repeat, maxFeeBips: 5 }])).toMatchObject({
      error: { code: -32602, message: 'idempotencyKey: names another request of this site' },
    });
  });

  test('a page that learned of an unknown outcome joins its request by the id that the answer names', async () => {
    let isLost = true;
    const stage = await setUp(relayer, {
      fetch: async (input, init) => {
        if (isLost && init?.method === 'POST') throw new TypeError('fetch failed');
        return fetch(input, init);
      },
    });
    const { wallet, accountView } = stage;
    const outcome = await approveRequest(wallet, 'relayer_submitOrder', ORDER);
    expect(outcome).toMatchObject({ error: { code: 4900, data: { status: 'unknown' } } });
    const { requestId } = (outcome as { error: { data: { requestId: string } } }).error.data;
    isLost = false;
    const repeat = { ...ORDER, idempotencyKey: requestId };
    expect(await wallet.page(SITE, 'relayer_submitOrder', [repeat])).toEqual(outcome);
    expect(await wallet.background().wallet.journal.list()).toHaveLength(1);
    expect(await wallet.page(SITE, 'relayer_submitOrder', [{ ...repeat, maxFeeBips: 5 }])).toMatchObject({
      error: { code: -32602, message: 'idempotencyKey: names another request of this site' },
    });
    await wallet.background().wallet.grants.grant(OTHER, [accountView], ['orders']);
    void wallet.page(OTHER, 'relayer_submitOrder', [repeat]);
    await until(async () => (await wallet.ui('listApprovals', {})).length === 1);
  });

  test('is not forgotten before its request is final, whichever name of it is repeated', async () => {
    const clock = movableClock();
    const stage = await setUp(relayer, { now: clock.now });
    const { wallet } = stage;
    const answer = await approveRequest(wallet, 'relayer_submitOrder', keyed);
    const { requestId } = resultOf(answer);
    const later = async (ms: number) => {
      clock.advance(ms);
      wallet.restart();
      await wallet.ui('unlock', { password: PASSWORD });
      await tidyUp(wallet.background().wallet);
    };
    for (const idempotencyKey of ['order-1', requestId]) {
      await later(DAY_MS + 1);
      expect(await wallet.page(SITE, 'relayer_submitOrder', [{ ...keyed, idempotencyKey }])).toEqual(answer);
    }
    expect(await ordersOf(stage)).toHaveLength(1);
    const { journal } = wallet.background().wallet;
    const [record] = await journal.list();
    await journal.markFinal(record?.id ?? '', 'cancelled');
    await later(2 * HOUR_MS);
    await later(DAY_MS + 1);
    const { approvals } = wallet.background().wallet;
    expect(await approvals.get(requestId)).toBeUndefined();
    expect(await approvals.idOfKey(SITE, 'order-1')).toBeUndefined();
    expect(await wallet.page(SITE, 'relayer_getRequest', [{ requestId }])).toMatchObject({
      result: { status: 'cancelled' },
    });
  });

  test('is forgotten two days later by a worker that goes on, too', async () => {
    const clock = movableClock();
    const { wallet } = await setUp(relayer, { now: clock.now });
    const answer = wallet.page(SITE, 'relayer_submitOrder', [keyed]);
    await wallet.ui('reject', { id: (await question(wallet)).id, block: false });
    await answer;
    const { approvals } = wallet.background().wallet;
    const forgotten = async () => {
      clock.advance(DAY_MS + 1);
      await wallet.ui('unlock', { password: PASSWORD });
      await wallet.background().onWake();
      return (await approvals.idOfKey(SITE, 'order-1')) === undefined;
    };
    expect([await forgotten(), await forgotten()]).toEqual([false, true]);
  });

  test('of an unknown or refused outcome is not forgotten while the order may still be carried out', async () => {
    const clock = movableClock();
    let isLost = true;
    const { wallet } = await setUp(relayer, {
      now: clock.now,
      fetch: async (input, init) => {
        if (isLost && init?.method === 'POST') throw new TypeError('fetch failed');
        return fetch(input, init);
      },
    });
    const { approvals, journal } = wallet.background().wallet;
    await approveRequest(wallet, 'relayer_submitOrder', keyed);
    const [record] = await journal.list();
    const tidy = async (ms: number) => {
      clock.advance(ms);
      await tidyUp(wallet.background().wallet);
      return (await approvals.idOfKey(SITE, 'order-1')) !== undefined;
    };
    expect(await tidy(DAY_MS + 1)).toBe(true);
    isLost = false;
    await journal.markRefused(record?.id ?? '', { code: 102_011, message: 'no', outcome: 'refused' });
    expect(await tidy(DAY_MS)).toBe(true);
    expect(await tidy((record?.validUntil ?? 0) * 1000 + DAY_MS - clock.now())).toBe(true);
    expect(await tidy(DAY_MS + 1)).toBe(false);
  });

  test('takes back a request, and reads its receipt, as it names it', async () => {
    const { wallet } = await setUp(relayer);
    const named = [{ requestId: 'order-1' }];
    const asked = wallet.page(SITE, 'relayer_submitOrder', [keyed]);
    await question(wallet);
    expect(await wallet.page(SITE, 'relayer_withdrawRequest', named)).toEqual({ result: null });
    expect(await asked).toMatchObject({ error: { code: 4001, data: { status: 'withdrawn' } } });
    expect(await wallet.page(SITE, 'relayer_withdrawRequest', named)).toEqual({ result: null });
    const other = { ...keyed, idempotencyKey: 'order-2' };
    const pageId = crypto.randomUUID();
    const placed = wallet.page(SITE, 'relayer_submitOrder', [other], pageId);
    await click(wallet);
    const { hash } = resultOf(await placed);
    for (const requestId of ['order-2', pageId]) {
      expect(await wallet.page(SITE, 'relayer_getReceipt', [{ requestId }])).toMatchObject({ result: { hash } });
      expect(await wallet.page(OTHER, 'relayer_getReceipt', [{ requestId }])).toMatchObject({ error: {} });
    }
  });

  test('what fails inside names the request, so that the page can ask what became of it', async () => {
    const { wallet } = await setUp(relayer);
    const { requests } = wallet.background().wallet;
    Object.assign(requests, { find: () => Promise.reject(new Error('disk')) });
    const id = crypto.randomUUID();
    expect(await wallet.page(SITE, 'relayer_submitOrder', [ORDER], id)).toEqual({
      error: { code: -32603, message: 'Internal error.', data: { status: 'unknown', requestId: id } },
    });
  });

  test('equal requests under different keys are different requests', async () => {
    const { wallet } = await setUp(relayer);
    wallet.page(SITE, 'relayer_submitOrder', [keyed]);
    wallet.page(SITE, 'relayer_submitOrder', [{ ...keyed, idempotencyKey: 'order-2' }]);
    await until(async () => (await wallet.ui('listApprovals', {})).length === 2);
  });
});

test('an approval request that comes while the window goes with one that turned out wrong gets a window of its own', async () => {
  const { wallet } = await setUp(relayer);
  wallet.page(SITE, 'relayer_submitOrder', [{ ...ORDER, clientOrderId: 'wrong' }]);
  const wrong = await question(wallet);
  const { approvals } = wallet.background().wallet;
  await approvals.update(wrong.id, (current) => ({ ...current, stage: 'closed' }));
  wallet.page(SITE, 'relayer_submitOrder', [{ ...ORDER, clientOrderId: 'right' }]);
  const right = await until(async () => (await approvals.open()).find(({ stage }) => stage === 'ready'));
  // The window of the first one hears of the change before it is gone.
  await wallet.ui('getApproval', { id: wrong.id });
  const before = wallet.shown.length;
  await wallet.background().onApprovalWindowClosed();
  expect(wallet.shown.slice(before)).toEqual([right.id]);
});

test('a request that comes while the window closes gets its own, also when the one it showed just ended', async () => {
  const { wallet } = await setUp(relayer);
  wallet.page(SITE, 'relayer_submitOrder', [{ ...ORDER, clientOrderId: 'shown' }]);
  const { id } = await question(wallet);
  const parts = wallet.background().wallet;
  await wallet.ui('getApproval', { id });
  wallet.page(SITE, 'relayer_submitOrder', [{ ...ORDER, clientOrderId: 'meanwhile' }]);
  const next = await until(async () =>
    (await parts.approvals.open()).find((one) => one.id !== id && one.stage === 'ready'),
  );
  await until(async () => wallet.shown.length === 2);
  Object.assign(parts, { reject: () => Promise.reject(new UiFailure('approval-gone', 'error_approvalGone')) });
  await wallet.background().onApprovalWindowClosed();
  expect(wallet.shown.slice(2)).toEqual([next.id]);
});

test('a request that comes while the window reads another one gets a window of its own when that one is closed', async () => {
  const { wallet } = await setUp(relayer);
  const rejected = wallet.page(SITE, 'relayer_submitOrder', [{ ...ORDER, clientOrderId: 'read' }]);
  const { id } = await question(wallet);
  const parts = wallet.background().wallet;
  const { viewOf } = parts;
  let release = () => {};
  const released = new Promise<void>((done) => {
    release = done;
  });
  let isRead = false;
  Object.assign(parts, {
    viewOf: async (read: string) => {
      const view = await viewOf(read);
      isRead = true;
      await released;
      return view;
    },
  });
  const reading = wallet.ui('getApproval', { id });
  await until(async () => isRead);
  wallet.page(SITE, 'relayer_submitOrder', [{ ...ORDER, clientOrderId: 'meanwhile' }]);
  const next = await until(async () =>
    (await parts.approvals.open()).find((one) => one.id !== id && one.stage === 'ready'),
  );
  await until(async () => wallet.shown.length === 2);
  release();
  await reading;
  const before = wallet.shown.length;
  await wallet.background().onApprovalWindowClosed();
  expect(await rejected).toMatchObject({ error: { code: 4001 } });
  expect(wallet.shown.slice(before)).toEqual([next.id]);
});

test('an approval request that comes while the window closes gets a window of its own; one that it could have shown waits', async () => {
  const { wallet } = await setUp(relayer);
  const rejected = wallet.page(SITE, 'relayer_submitOrder', [{ ...ORDER, clientOrderId: 'shown' }]);
  await question(wallet);
  wallet.page(SITE, 'relayer_submitOrder', [{ ...ORDER, clientOrderId: 'waits' }]);
  await until(async () => wallet.badge() === 2);
  await question(wallet);
  await until(async () => wallet.shown.length === 2);
  const shownBefore = wallet.shown.length;
  await wallet.background().onApprovalWindowClosed();
  expect(await rejected).toMatchObject({ error: { code: 4001 } });
  expect(wallet.shown).toHaveLength(shownBefore);

  const { id } = await question(wallet);
  await wallet.ui('showApproval', { id });
  expect(wallet.shown.slice(shownBefore)).toEqual([id]);
  wallet.page(SITE, 'relayer_submitOrder', [{ ...ORDER, clientOrderId: 'late' }]);
  await until(async () => wallet.badge() === 2);
  await wallet.background().onApprovalWindowClosed();
  const [late] = await wallet.ui('listApprovals', {});
  expect(wallet.shown.at(-1)).toBe(late?.id);
});
