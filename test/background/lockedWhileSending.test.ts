import { describe, expect, test } from 'vitest';
import { verifyReceipt } from '../../src/receipts/verifyReceipt.ts';
import type { WalletHarness } from '../support/wallet.ts';
import { relayerOfFile } from './relayerOfFile.ts';
import {
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

/** What becomes of an approved order when the wallet locks before it has an answer. */
const MINUTE = 60_000;
const DAYS = 10 * 24 * 60 * MINUTE;
const UNKNOWN = { error: { code: 4900, data: { status: 'unknown' } } };

const relayer = await relayerOfFile();

type Moment = 'before the signature' | 'after the signature' | 'after the bytes left' | 'before the answer';

/**
 * An order that is approved; at a moment of its way the wallet locks, or its worker and the browser
 * stop.
 */
async function interrupted(moment: Moment, isStopped = false, order: object = ORDER) {
  const clock = movableClock();
  let interrupt: (() => Promise<void>) | undefined;
  const posted: string[] = [];
  const stage = await setUp(relayer, {
    now: clock.now,
    async fetch(input, init) {
      if (init?.method !== 'POST' || !String(input).endsWith('/order')) return fetch(input, init);
      posted.push(String(init.body));
      const answer = moment === 'before the answer' ? await fetch(input, init) : undefined;
      if (!interrupt) return answer ?? fetch(input, init);
      await interrupt();
      throw new TypeError('fetch failed');
    },
  });
  const { wallet } = stage;
  const { journal } = wallet.background().wallet;
  interrupt = async () => {
    interrupt = undefined;
    if (!isStopped) return void (await wallet.ui('lock', {}));
    wallet.stop();
    await wallet.ports.session.remove(['vault:session:key', 'vault:session:deadline']);
    wallet.restart();
  };
  const step = { 'before the signature': 'reserve', 'after the signature': 'markSigned' } as const;
  if (moment in step) {
    const name = step[moment as keyof typeof step];
    const real = journal[name].bind(journal) as (...given: unknown[]) => Promise<unknown>;
    Object.assign(journal, {
      [name]: async (...given: unknown[]) => {
        const done = await real(...given);
        await interrupt?.();
        return done;
      },
    });
  }
  const answer = wallet.page(SITE, 'relayer_submitOrder', [order]);
  const view = await question(wallet);
  const { id } = view;
  void wallet.uiAnswer('approve', { id, digest: view.digest ?? '', account: view.account?.id ?? null });
  await until(async () => interrupt === undefined);
  const record = async () => (await wallet.background().wallet.journal.list())[0];
  const ended = () =>
    until(async () => {
      const now = await wallet.ui('getApproval', { id });
      return now.stage === 'done' && now;
    });
  return { ...stage, answer, clock, ended, id, posted, record };
}

const unlock = (wallet: WalletHarness) => wallet.ui('unlock', { password: PASSWORD });

test('before the signature, it waits for the password, and is signed after an unlock within two minutes', async () => {
  const { answer, clock, id, posted, wallet, ...stage } = await interrupted('before the signature');
  await until(async () => (await stage.record())?.state === 'abandoned');
  expect(await wallet.ui('getApproval', { id })).toMatchObject({ stage: 'approved', needsPassword: true });
  clock.advance(MINUTE);
  await unlock(wallet);
  expect(resultOf(await answer)).toMatchObject({ requestId: id });
  expect(await ordersOf(stage)).toHaveLength(1);
  expect(posted).toHaveLength(1);
});

describe('when the wallet locks', () => {
  test.each(['after the signature', 'after the bytes left', 'before the answer'] as const)(
    '%s, the outcome is unknown to the user and the page, and an unlock soon gives one order',
    async (moment) => {
      const { answer, clock, ended, id, posted, record, wallet, ...stage } = await interrupted(moment);
      expect(await ended()).toMatchObject({ needsPassword: false, again: null, result: { status: 'unknown' } });
      expect(await answer).toMatchObject(UNKNOWN);
      expect((await record())?.state).toBe(moment === 'after the signature' ? 'signed' : 'sent');
      const before = posted.length;
      clock.advance(MINUTE);
      await unlock(wallet);
      await until(async () => {
        // The first look can fail on a busy machine, and no alarm rings here.
        await wallet.background().wallet.submissions.checkOpen(() => true, 1);
        return (await record())?.state === 'acknowledged';
      });
      expect(await ordersOf(stage)).toHaveLength(1);
      expect(new Set(posted).size).toBe(1);
      expect(posted.length).toBe(before + (moment === 'before the answer' ? 0 : 1));
      const known = await wallet.page(SITE, 'relayer_getRequest', [{ requestId: id }]);
      expect(known).toMatchObject({ result: { status: 'acknowledged' } });
    },
  );

  test('what never left is given up by a much later unlock, and the page is told', async () => {
    const { answer, clock, ended, id, posted, record, wallet, ...stage } = await interrupted('after the signature');
    await ended();
    expect(await answer).toMatchObject(UNKNOWN);
    clock.advance(DAYS);
    await unlock(wallet);
    await until(async () => (await record())?.state === 'abandoned');
    expect(posted).toEqual([]);
    expect(await ordersOf(stage)).toEqual([]);
    await until(async () =>
      wallet.pushed.some(({ message }) => JSON.stringify(message).includes('"status":"abandoned"')),
    );
    const known = await wallet.page(SITE, 'relayer_getRequest', [{ requestId: id }]);
    expect(known).toMatchObject({ result: { status: 'abandoned' } });
    const notSigned = { error: { code: 4900, data: { status: 'not-signed' } } };
    const repeat = { ...ORDER, idempotencyKey: id };
    expect(await wallet.page(SITE, 'relayer_submitOrder', [repeat])).toMatchObject(notSigned);
  });

  test('what never left gives the key of its site to the next request', async () => {
    const keyed = { ...ORDER, idempotencyKey: 'order 1' };
    const interruptedOrder = await interrupted('after the signature', false, keyed);
    const { answer, clock, ended, id, posted, record, wallet, ...stage } = interruptedOrder;
    await ended();
    // Whoever had the signed bytes could carry them out.
    const receipt = () => wallet.page(SITE, 'relayer_getReceipt', [{ requestId: id }]);
    expect(await receipt()).toMatchObject({ result: { status: 'signed', request: null } });
    const ask = (intent = keyed) => wallet.page(SITE, 'relayer_submitOrder', [intent]);
    // It may leave yet.
    expect(await ask()).toEqual(await answer);
    clock.advance(3 * MINUTE);
    await unlock(wallet);
    await until(async () => (await record())?.state === 'abandoned');
    expect(posted).toEqual([]);
    expect(await receipt()).toMatchObject({ result: { status: 'abandoned', request: null } });
    expect(await verifyReceipt(resultOf(await receipt()))).toMatchObject({ valid: true, signed: false });
    const { requestId } = resultOf(await approveRequest(wallet, 'relayer_submitOrder', keyed));
    expect(requestId).not.toBe(id);
    expect(await ask()).toMatchObject({ result: { requestId } });
    expect(await ordersOf(stage)).toHaveLength(1);
  });
});

describe('when the browser stops, and the next worker is locked', () => {
  test.each(['after the signature', 'after the bytes left', 'before the answer'] as const)(
    '%s, the window says so, and an unlock soon answers with the one order',
    async (moment) => {
      const { answer, clock, id, posted, wallet, ...stage } = await interrupted(moment, true);
      const signed = { stage: 'approved', result: { status: 'unknown' } };
      expect(await wallet.ui('getApproval', { id })).toMatchObject(signed);
      clock.advance(MINUTE);
      await unlock(wallet);
      expect(resultOf(await answer)).toMatchObject({ requestId: id, status: 'acknowledged' });
      expect(await ordersOf(stage)).toHaveLength(1);
      expect(new Set(posted).size).toBe(1);
    },
  );

  test('what never left is asked about again by a much later unlock', async () => {
    const { clock, id, posted, wallet } = await interrupted('after the signature', true);
    clock.advance(DAYS);
    await unlock(wallet);
    expect(await question(wallet)).toMatchObject({ id, again: { key: 'again_late' }, result: null });
    expect(posted).toEqual([]);
  });
});

test('a second approval that fails before its signature is answered with that, and not with the first signature', async () => {
  const { answer, clock, posted, wallet } = await interrupted('after the signature', true);
  clock.advance(3 * MINUTE);
  await unlock(wallet);
  const again = await question(wallet);
  const { journal } = wallet.background().wallet;
  expect((await journal.list()).map(({ state }) => state)).toEqual(['abandoned']);
  Object.assign(journal, { reserve: () => Promise.reject(new Error('no room')) });
  await wallet.uiAnswer('approve', { id: again.id, digest: again.digest ?? '', account: again.account?.id ?? null });
  expect(await answer).toMatchObject({ error: { data: { status: 'not-signed' } } });
  expect(posted).toEqual([]);
});

test('what an earlier worker signed minutes ago and never sent comes back as a pending approval', async () => {
  const clock = movableClock();
  const posted: string[] = [];
  const { wallet } = await setUp(relayer, {
    now: clock.now,
    async fetch(input, init) {
      if (init?.method === 'POST' && String(input).endsWith('/order')) posted.push(String(init.body));
      return fetch(input, init);
    },
  });
  const reached = new Promise<void>((done) => {
    const send = () => {
      done();
      return new Promise(() => {});
    };
    Object.assign(wallet.background().wallet.submissions, { send });
  });
  const answer = wallet.page(SITE, 'relayer_submitOrder', [ORDER]);
  const { id, digest, account } = await question(wallet);
  void wallet.uiAnswer('approve', { id, digest: digest ?? '', account: account?.id ?? null });
  await reached;
  wallet.stop();
  clock.advance(3 * MINUTE);
  wallet.restart();
  const again = await question(wallet);
  expect(again).toMatchObject({ id, again: { key: 'again_late' } });
  expect(posted).toEqual([]);
  await wallet.ui('approve', { id, digest: again.digest ?? '', account: again.account?.id ?? null });
  expect(resultOf(await answer)).toMatchObject({ requestId: id });
  expect((await wallet.background().wallet.journal.list()).map(({ state }) => state)).toEqual([
    'acknowledged',
    'abandoned',
  ]);
  expect(posted).toHaveLength(1);
});
