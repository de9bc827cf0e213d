import { describe, expect, test } from 'vitest';
import type { WalletHarness } from '../support/wallet.ts';
import { relayerOfFile } from './relayerOfFile.ts';
import {
  movableClock,
  ORDER,
  openOther,
  ordersOf,
  PASSWORD,
  question,
  resultOf,
  type SetUp,
  SITE,
  setUp,
  until,
} from './support.ts';

const MINUTE = 60_000;

const relayer = await relayerOfFile();

/** The click is on the disk, and the worker is stopped before anything else happens. */
async function approveAndStop(wallet: WalletHarness, accounts?: string[]) {
  const view = await question(wallet);
  const { approvals } = wallet.background().wallet;
  const { update } = approvals;
  const stored = new Promise<void>((done) => {
    Object.assign(approvals, {
      update: async (...given: Parameters<typeof update>) => {
        await update(...given);
        done();
        return new Promise(() => {});
      },
    });
  });
  void wallet.uiAnswer('approve', {
    id: view.id,
    digest: view.digest ?? '',
    account: view.account?.id ?? null,
    ...(accounts && { accounts }),
  });
  await stored;
  wallet.stop();
  return view;
}

const forgetUnlocked = ({ ports }: WalletHarness) =>
  ports.session.remove(['vault:session:key', 'vault:session:deadline']);

const records = (wallet: WalletHarness) => wallet.background().wallet.journal.list();

function transferTo({ wallet }: SetUp, payeeAddr: string) {
  const intent = { token: { tokenId: 1, volume: '1000000000000000000' }, payeeAddr, feeTokenId: 0 };
  return wallet.page(SITE, 'relayer_transfer', [intent]);
}

describe('an approval that is not signed within two minutes', () => {
  test.each([
    ['later', 3 * 24 * 60 * MINUTE],
    ['just too late', 2 * MINUTE + 1_000],
    ['before the click, by a clock that was set back', -MINUTE],
  ])('%s: comes back as a pending one, and is signed only after another click', async (_when, moved) => {
    const clock = movableClock();
    const stage = await setUp(relayer, { now: clock.now }, ['transfers']);
    const { wallet } = stage;
    const friend = await openOther(relayer);
    const answer = transferTo(stage, friend.owner);
    const { id, digest } = await approveAndStop(wallet);
    clock.advance(moved);
    await forgetUnlocked(wallet);
    wallet.restart();
    expect(await wallet.ui('getApproval', { id })).toMatchObject({ needsPassword: true, again: { key: 'again_late' } });
    await wallet.ui('unlock', { password: PASSWORD });
    const again = await question(wallet);
    expect(again).toMatchObject({ id, again: { key: 'again_late', values: { time: { kind: 'time' } } } });
    expect(again.digest).not.toBe(digest);
    expect(await records(wallet)).toEqual([]);
    await wallet.ui('approve', { id, digest: again.digest ?? '', account: again.account?.id ?? null });
    expect(resultOf(await answer)).toMatchObject({ requestId: id });
    expect(await records(wallet)).toHaveLength(1);
  });

  test('a click that is stored while the window reads the approval counts', async () => {
    const clock = movableClock();
    const { wallet } = await setUp(relayer, { now: clock.now });
    void wallet.page(SITE, 'relayer_submitOrder', [ORDER]);
    const { id } = await question(wallet);
    const { approvals } = wallet.background().wallet;
    const { get } = approvals;
    Object.assign(approvals, {
      get: async (asked: string) => {
        clock.advance(1);
        await approvals.update(id, (current) =>
          current.kind === 'operation' && current.stage === 'ready'
            ? { ...current, stage: 'approved', decidedAt: clock.now() }
            : null,
        );
        return get(asked);
      },
    });
    const view = await wallet.ui('getApproval', { id });
    expect(view).toMatchObject({ stage: 'approved', needsPassword: false, again: null });
  });

  test('an unlock within the two minutes carries it out', async () => {
    const clock = movableClock();
    const stage = await setUp(relayer, { now: clock.now });
    const { wallet } = stage;
    const answer = wallet.page(SITE, 'relayer_submitOrder', [ORDER]);
    const { id } = await approveAndStop(wallet);
    clock.advance(MINUTE);
    await forgetUnlocked(wallet);
    wallet.restart();
    await wallet.ui('unlock', { password: PASSWORD });
    expect(resultOf(await answer)).toMatchObject({ requestId: id });
    expect(await ordersOf(stage)).toHaveLength(1);
  });

  test('the time is compared right before the signature: one that became too old on the way there is not signed', async () => {
    const clock = movableClock();
    const stage = await setUp(relayer, {
      now: clock.now,
      fetch: async (input, init) => {
        // The machine sleeps while the relayer is asked for the next storage id.
        if (String(input).includes('storageId')) clock.advance(3 * MINUTE);
        return fetch(input, init);
      },
    });
    const { wallet } = stage;
    void wallet.page(SITE, 'relayer_submitOrder', [ORDER]);
    const view = await question(wallet);
    await wallet.ui('approve', { id: view.id, digest: view.digest ?? '', account: view.account?.id ?? null });
    const again = await until(async () => {
      const now = await wallet.ui('getApproval', { id: view.id });
      return now.again !== null && now;
    });
    expect(again.again).toMatchObject({ key: 'again_late' });
    expect((await records(wallet)).map(({ state, wire }) => [state, wire])).toEqual([['abandoned', undefined]]);
    expect(await ordersOf(stage)).toEqual([]);
  });

  test.each([
    ['the storage id is reserved', 'reserve'],
    ['the signature is made', 'markSigned'],
  ] as const)(
    'one whose worker stopped right before %s is not signed days later without another click',
    async (_when, step) => {
      const clock = movableClock();
      const stage = await setUp(relayer, { now: clock.now }, ['transfers']);
      const { wallet } = stage;
      const friend = await openOther(relayer);
      const answer = transferTo(stage, friend.owner);
      const { id, digest, account } = await question(wallet);
      const { journal } = wallet.background().wallet;
      const reached = new Promise<void>((done) => {
        Object.assign(journal, {
          [step]: () => {
            done();
            return new Promise(() => {});
          },
        });
      });
      void wallet.uiAnswer('approve', { id, digest: digest ?? '', account: account?.id ?? null });
      await reached;
      wallet.stop();
      clock.advance(3 * 24 * 60 * MINUTE);
      wallet.restart();
      await wallet.ui('unlock', { password: PASSWORD });
      const again = await question(wallet);
      expect(again).toMatchObject({ id, again: { key: 'again_late' } });
      expect((await records(wallet)).filter(({ wire }) => wire)).toEqual([]);
      await wallet.ui('approve', { id, digest: again.digest ?? '', account: again.account?.id ?? null });
      expect(resultOf(await answer)).toMatchObject({ requestId: id });
      expect((await records(wallet)).filter(({ wire }) => wire)).toHaveLength(1);
    },
  );

  test('a connection is not carried out late either', async () => {
    const clock = movableClock();
    const { wallet, accountView } = await setUp(relayer, { now: clock.now });
    const other = 'https://other.example';
    const answer = wallet.page(other, 'eth_requestAccounts');
    const { id } = await approveAndStop(wallet, [accountView]);
    clock.advance(3 * MINUTE);
    wallet.restart();
    const again = await question(wallet);
    expect(again.again).toMatchObject({ key: 'again_late' });
    expect(await wallet.page(other, 'eth_accounts')).toEqual({ result: [] });
    await wallet.ui('approve', { id, account: null, accounts: [accountView], digest: again.digest ?? '' });
    expect(await answer).toMatchObject({ result: [expect.any(String)] });
  });
});

describe('an approval of which nothing is signed', () => {
  async function lockedAfterTheClick() {
    const stage = await setUp(relayer, {}, ['transfers']);
    const friend = await openOther(relayer);
    const answer = transferTo(stage, friend.owner);
    const { id } = await approveAndStop(stage.wallet);
    await forgetUnlocked(stage.wallet);
    stage.wallet.restart();
    return { ...stage, id, answer };
  }

  test('is listed, and can be taken back by the user', async () => {
    const { wallet, id, answer } = await lockedAfterTheClick();
    expect(await wallet.ui('listApprovals', {})).toMatchObject([{ id, approvedAt: expect.any(Number) }]);
    expect(await wallet.ui('getAttention', { refresh: false })).toMatchObject([
      { id: `approved:${id}`, kind: 'approved', actions: ['take-back'] },
    ]);
    expect(await wallet.ui('repair', { id: `approved:${id}`, action: 'take-back' })).toEqual([]);
    expect(await answer).toMatchObject({ error: { code: 4001 } });
    await wallet.ui('unlock', { password: PASSWORD });
    expect(await records(wallet)).toEqual([]);
    expect(await wallet.ui('listApprovals', {})).toEqual([]);
  });

  test('can be taken back by its site, and by no other', async () => {
    const { wallet, accountView, id, answer } = await lockedAfterTheClick();
    const withdraw = (origin: string) => wallet.page(origin, 'relayer_withdrawRequest', [{ requestId: id }]);
    expect(await withdraw('https://other.example')).toMatchObject({ error: { code: 4100 } });
    await wallet.background().wallet.grants.grant('https://connected.example', [accountView], ['read', 'transfers']);
    expect(await withdraw('https://connected.example')).toMatchObject({ error: { code: -32602 } });
    expect(await withdraw(SITE)).toEqual({ result: null });
    expect(await answer).toMatchObject({ error: { code: 4001, data: { status: 'withdrawn' } } });
    await wallet.ui('unlock', { password: PASSWORD });
    expect(await records(wallet)).toEqual([]);
  });

  test.each([
    ['revoked', 'revoke'],
    ['blocked', 'setBlocked'],
  ] as const)(
    'is never signed once its site was %s, also when the worker stopped right after that',
    async (_how, change) => {
      const { wallet, id, answer } = await lockedAfterTheClick();
      // Nothing of what follows from the change.
      await wallet.background().wallet.grants[change](SITE, true);
      wallet.stop();
      wallet.restart();
      await wallet.ui('unlock', { password: PASSWORD });
      await until(async () => (await wallet.ui('getApproval', { id })).stage === 'closed');
      expect(await answer).toMatchObject({ error: { code: 4100, data: { reason: 'revoked' } } });
      expect(await records(wallet)).toEqual([]);
    },
  );

  test('is taken back on its way to the signature, and not any more once that has begun', async () => {
    let atId = () => {};
    const asked = new Promise<void>((resolve) => {
      atId = resolve;
    });
    let goOn = () => {};
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const stage = await setUp(relayer, {
      fetch: async (input, init) => {
        if (String(input).includes('storageId')) {
          atId();
          await held;
        }
        return fetch(input, init);
      },
    });
    const { wallet } = stage;
    const answer = wallet.page(SITE, 'relayer_submitOrder', [ORDER]);
    const view = await question(wallet);
    const click = { id: view.id, digest: view.digest ?? '', account: view.account?.id ?? null };
    await wallet.ui('approve', click);
    await asked;
    await wallet.ui('reject', { id: view.id, block: false });
    goOn();
    expect(await answer).toMatchObject({ error: { code: 4001 } });
    await until(async () => (await records(wallet))[0]?.state === 'abandoned');
    expect((await records(wallet))[0]?.wire).toBeUndefined();
    expect(await ordersOf(stage)).toEqual([]);

    void wallet.page(SITE, 'relayer_submitOrder', [ORDER]);
    const second = await question(wallet);
    const { journal } = wallet.background().wallet;
    const { markSigned } = journal;
    const refusals: unknown[] = [];
    Object.assign(journal, {
      markSigned: async (...given: Parameters<typeof markSigned>) => {
        refusals.push(await wallet.uiAnswer('reject', { id: second.id, block: false }));
        return markSigned(...given);
      },
    });
    await wallet.ui('approve', { ...click, id: second.id, digest: second.digest ?? '' });
    await until(async () => (await ordersOf(stage)).length === 1);
    expect(refusals).toMatchObject([{ ok: false, error: { code: 'already-signed' } }]);
  });
});
