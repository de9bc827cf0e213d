import { clear, get, set } from 'idb-keyval';
import { describe, expect, test } from 'vitest';
import { hexPoint } from '../../src/background/keys/stagedKeys.ts';
import { OPERATION } from '../../src/background/keyUpdate/keyUpdates.ts';
import { tidyStagedKeys } from '../../src/background/keyUpdate/steps.ts';
import { createRelayerClient } from '../../src/client/index.ts';
import { getPublicKey } from '../../src/crypto/index.ts';
import { createWalletHarness } from '../support/wallet.ts';
import { PASSWORD } from './support.ts';

/** Which keys may go, for whatever a relayer has answered to the requests that name them. */
const NOW = 1_800_000_000_000;
const HOUR = 3_600_000;
const DAY = 86_400_000;
const END = NOW / 1000 + 600;
/** What was signed may be registered until then. */
const LAST = END * 1000 + DAY;
const OWNER = `0x${'c'.repeat(40)}`;
const account = {
  ...{ id: 'net:7', networkId: 'net', accountId: 7, owner: OWNER, label: 'Main', signer: 'one', keySeed: '' },
  publicKey: { x: `0x${'1'.repeat(64)}`, y: `0x${'2'.repeat(64)}` },
};
const network = { id: 'net', name: 'Net', baseUrl: 'https://relayer.example', chainId: 1, exchangeAddress: OWNER };
const secretOf = (seed: number) => Uint8Array.from({ length: 32 }, (_, at) => (at === 0 ? 1 : seed));

/** @param file - A backup that the wallet is restored from. */
async function stage(file?: string) {
  const clock = { wallet: NOW, relayer: NOW };
  const registered = { x: '', y: '' };
  const relayer = { isClockRead: true, owner: OWNER, nonce: 1, asked: 0, beforeAnswer: async () => {} };
  const harness = createWalletHarness({ now: () => clock.wallet });
  await (file === undefined
    ? harness.ui('createVault', { password: PASSWORD })
    : harness.ui('restoreBackup', { file, password: PASSWORD }));
  const { approvals, journal, stagedKeys, vault } = harness.background().wallet;
  // The last secret of a vault is never removed.
  await vault.putSecret({ id: 'eddsa', account: account.id, kind: 'eddsa-key' }, secretOf(9));
  const client = createRelayerClient({
    baseUrl: network.baseUrl,
    sleep: async () => {},
    fetch: async (input) => {
      relayer.asked += 1;
      if (String(input).endsWith('/timestamp'))
        return relayer.isClockRead
          ? Response.json({ timestamp: clock.relayer })
          : Promise.reject(new TypeError('Failed to fetch'));
      await relayer.beforeAnswer();
      return Response.json({
        ...{ accountId: 7, owner: relayer.owner, frozen: false, publicKey: registered, nonce: relayer.nonce },
        keySeed: '',
      });
    },
  });
  const relayers = { client: () => client, checkExchange: async () => {} } as never;
  const put = async (seed: number) => {
    await harness.ui('touch', {});
    return stagedKeys.put(account.id, 'random', secretOf(seed));
  };
  const tidy = async () => {
    await harness.ui('touch', {});
    await tidyStagedKeys({ ...harness.background().wallet, relayers }, account, network);
  };
  /** A key update that was signed for a key and a nonce. */
  async function sign(publicKey: { x: string; y: string }, nonce: number, isSigned = true): Promise<string> {
    const { id } = await journal.reserve({
      ...{ networkId: 'net', accountId: 7, origin: 'own', requestId: crypto.randomUUID(), operation: OPERATION },
      ...{ draft: { publicKey, keySeed: '', validUntil: END, nonce }, reviewDigest: '0x1', validUntil: END },
    });
    if (isSigned) await journal.markSigned(id, { wire: { endpoint: 'updateAccount', bodyText: '{}' } });
    return id;
  }
  const refuse = (id: string) => journal.markRefused(id, { code: 102_021, message: 'no', outcome: 'refused' });
  /** A request for a key that is still asked for, or not any more. */
  const ask = (publicKey: { x: string; y: string } | null, last: object) =>
    approvals.put({
      ...{ version: 1, id: crypto.randomUUID(), kind: 'operation', origin: 'own', requestIds: [], createdAt: NOW },
      ...{ askedDigest: '0x1', operation: OPERATION, account: account.id },
      ...(publicKey && { choice: { publicKey, kind: 'random', keySeed: '', nonce: 1, backedUp: true } }),
      ...last,
    } as never);
  const has = async ({ x }: { x: string }) =>
    (await harness.background().wallet.stagedKeys.list(account.id)).some((key) => key.x === x);
  const unlock = () => harness.ui('unlock', { password: PASSWORD });
  return { harness, clock, registered, relayer, journal, put, tidy, sign, refuse, ask, has, unlock };
}

test('a key that nobody asks with and that nothing signed names goes', async () => {
  const { put, tidy, has } = await stage();
  const key = await put(2);
  await tidy();
  expect(await has(key)).toBe(false);
});

test('the relayer is not asked while no key of the account is staged', async () => {
  const { put, tidy, relayer } = await stage();
  await tidy();
  expect(relayer.asked).toBe(0);
  await put(2);
  await tidy();
  expect(relayer.asked).toBe(2);
});

describe('nothing goes', () => {
  test('while the relayer does not tell its time', async () => {
    const { put, tidy, has, relayer } = await stage();
    const key = await put(2);
    relayer.isClockRead = false;
    await tidy();
    expect(await has(key)).toBe(true);
  });

  test('after an answer about the account of another owner', async () => {
    const { put, tidy, has, relayer } = await stage();
    const key = await put(2);
    relayer.owner = `0x${'d'.repeat(40)}`;
    await expect(tidy()).rejects.toMatchObject({
      code: 'relayer-unreadable',
      key: 'error_relayerAnswerUnreadable',
      values: { host: 'relayer.example' },
    });
    expect(await has(key)).toBe(true);
  });
});

describe('a key stays', () => {
  test('while a record cannot be read, such as one of a newer version', async () => {
    const { harness, put, tidy, has, sign, journal } = await stage();
    const [key, other] = [await put(2), await put(3)];
    const id = await sign(key, 1);
    const { journalStore } = harness.ports;
    const record = await get(['submission', id], journalStore);
    await set(['submission', id], { ...record, version: 4 }, journalStore);
    expect((await journal.everything()).damaged).toEqual([id]);
    await tidy();
    expect([await has(key), await has(other)]).toEqual([true, true]);
  });

  type Tidied = Pick<Awaited<ReturnType<typeof stage>>, 'tidy' | 'has' | 'clock' | 'unlock'>;

  /** The key stays until both clocks are a day past the latest end of what was signed before. */
  async function goesAfterADay({ tidy, has, clock, unlock }: Tidied, key: Parameters<Tidied['has']>[0]) {
    for (const [ms, stays] of [
      [0, true],
      [2 * DAY - 1, true],
      [2 * DAY, false],
    ] as const) {
      clock.wallet = clock.relayer = NOW + ms;
      await unlock();
      await tidy();
      expect([ms, await has(key)]).toEqual([ms, stays]);
    }
  }

  test('that came with a backup, until both clocks are a day past the end of what was signed before', async () => {
    const { harness, put, ...first } = await stage();
    const key = await put(2);
    await first.sign(key, 1);
    const { file } = await harness.ui('exportBackup', { password: PASSWORD });
    await goesAfterADay(await stage(file), key);
  });

  test.each([
    ['the journal', false],
    ['every database of the extension', true],
  ])('after %s was lost, until both clocks are a day past the end of what was signed before', async (_, all) => {
    const { harness, put, sign, ...rest } = await stage();
    const key = await put(2);
    await sign(key, 1);
    const { ports } = harness;
    await clear(ports.journalStore);
    if (all) {
      for (const store of [ports.vaultStore, ports.requestStore]) await clear(store);
      await ports.local.remove(Object.keys(harness.kept().local));
    }
    harness.restart();
    await goesAfterADay(rest, key);
  });

  test.each([
    ['behind as the journal was lost', -2 * DAY, 0],
    ['behind until the relayer had told its time', -2 * DAY, -2 * DAY],
    ['ahead as the journal was lost', 2 * DAY, 0],
  ])('when this machine’s clock was two days %s, as long as with a right one', async (_when, lost, first) => {
    const { harness, put, sign, ...rest } = await stage();
    const key = await put(2);
    await sign(key, 1);
    await clear(harness.ports.journalStore);
    rest.clock.wallet = NOW + lost;
    harness.restart();
    await rest.unlock();
    rest.clock.wallet = NOW + first;
    await rest.unlock();
    await rest.tidy();
    await goesAfterADay(rest, key);
  });

  test('no longer for a relayer that said a time far ahead, once it says another', async () => {
    const { harness, put, sign, ...rest } = await stage();
    const key = await put(2);
    await sign(key, 1);
    await clear(harness.ports.journalStore);
    harness.restart();
    rest.clock.relayer = NOW + 1_000 * DAY;
    await rest.unlock();
    await rest.tidy();
    await goesAfterADay(rest, key);
  });

  test('whose refused request has more requests behind it than the history holds', async () => {
    const { put, tidy, has, journal, sign, clock, unlock } = await stage();
    const key = await put(2);
    const id = await sign(key, 1);
    // Nobody looks for it any more.
    await journal.markWatched(await journal.markFinal(id, 'failed'), null);
    const end = async () => {
      const draft = { networkId: 'net', accountId: 8, origin: 'own', requestId: crypto.randomUUID() };
      const record = await journal.reserve({ ...draft, operation: 'order', draft: {}, reviewDigest: '0x1' });
      await journal.markAbandoned(record.id, 'given up');
    };
    clock.wallet = clock.relayer = LAST - 1;
    for (let i = 0; i < 1_000; i++) await end();
    await unlock();
    await tidy();
    expect(await has(key)).toBe(true);
    clock.wallet = LAST;
    await end();
    expect(await journal.get(id)).toBeUndefined();
  });

  test('that is registered, however the relayer writes its owner, also without a record of its request', async () => {
    const { put, tidy, has, registered, relayer } = await stage();
    const [key, other] = [await put(2), await put(3)];
    relayer.owner = OWNER.replaceAll('c', 'C');
    Object.assign(registered, key);
    await tidy();
    expect([await has(key), await has(other)]).toEqual([true, false]);
  });

  test('that was staged while the relayer was asked', async () => {
    const { put, tidy, has, relayer } = await stage();
    await put(2);
    relayer.beforeAnswer = async () => {
      await put(3);
    };
    await tidy();
    expect(await has(hexPoint(getPublicKey(secretOf(3))))).toBe(true);
    expect(await has(hexPoint(getPublicKey(secretOf(2))))).toBe(false);
  });

  test('that is asked with, until the request has its end', async () => {
    const { put, tidy, has, ask } = await stage();
    const prepared = { draft: { body: {}, shown: {} }, review: {}, reviewedAt: 1, digest: '0x1' };
    const [open, approved, closed] = [await put(2), await put(3), await put(4)];
    await ask(open, { stage: 'waiting' });
    await ask(approved, { ...prepared, stage: 'approved', decidedAt: NOW });
    await ask(closed, { stage: 'closed', decidedAt: NOW });
    await ask(null, { stage: 'choosing' });
    await tidy();
    expect([await has(open), await has(approved), await has(closed)]).toEqual([true, true, false]);
  });

  test('whose signed request has no end, however late it is', async () => {
    const { put, tidy, has, sign, clock, unlock } = await stage();
    const key = await put(2);
    await sign(key, 1);
    clock.wallet = clock.relayer = LAST + HOUR;
    await unlock();
    await tidy();
    expect(await has(key)).toBe(true);
  });

  test('whose signed request was refused, until both clocks are a day past its end', async () => {
    const { put, tidy, has, sign, refuse, clock } = await stage();
    const [key, unsigned] = [await put(2), await put(3)];
    await refuse(await sign(key, 1));
    await sign(unsigned, 1, false);
    await tidy();
    expect([await has(key), await has(unsigned)]).toEqual([true, false]);
    clock.relayer = LAST + HOUR;
    await tidy();
    expect(await has(key)).toBe(true);
  });

  test.each([
    [-1, true],
    [0, false],
  ])('whose request was refused, %i ms from a day after its end by both clocks: %s', async (ms, stays) => {
    const { put, tidy, has, sign, refuse, clock, unlock } = await stage();
    const key = await put(2);
    await refuse(await sign(key, 1));
    Object.assign(clock, { wallet: LAST + ms, relayer: LAST + HOUR });
    await unlock();
    await tidy();
    expect(await has(key)).toBe(stays);
  });

  test('that is the newest registered one, while the relayer still reports another', async () => {
    const { put, tidy, has, sign, refuse, journal, clock, unlock, relayer } = await stage();
    relayer.nonce = 3;
    const [first, second, refusedBefore, refusedAfter] = [await put(2), await put(3), await put(4), await put(5)];
    await journal.markFinal(await sign(first, 1), 'processed');
    await journal.markFinal(await sign(second, 2), 'processed');
    await refuse(await sign(refusedBefore, 2));
    await refuse(await sign(refusedAfter, 3));
    await tidy();
    const keys = [first, second, refusedBefore, refusedAfter];
    expect(await Promise.all(keys.map(has))).toEqual([true, true, true, true]);
    clock.wallet = clock.relayer = LAST;
    await unlock();
    await tidy();
    expect(await Promise.all(keys.map(has))).toEqual([false, true, false, false]);
  });

  test('whose request was refused, while its signature is valid, also when another key took its nonce', async () => {
    const { put, tidy, has, sign, refuse, journal, relayer, registered, clock, unlock } = await stage();
    const [key, other] = [await put(2), await put(3)];
    await refuse(await sign(key, 1));
    await journal.markFinal(await sign(other, 1), 'processed');
    Object.assign(registered, other);
    relayer.nonce = 2;
    await tidy();
    expect([await has(key), await has(other)]).toEqual([true, true]);
    clock.wallet = clock.relayer = LAST;
    await unlock();
    await tidy();
    expect([await has(key), await has(other)]).toEqual([false, true]);
  });

  test('whose request was refused at nonce 0, when none is registered', async () => {
    const { put, tidy, has, sign, refuse } = await stage();
    const key = await put(2);
    await refuse(await sign(key, 0));
    await tidy();
    expect(await has(key)).toBe(true);
  });
});
