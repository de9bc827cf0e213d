import { describe, expect, test, vi } from 'vitest';
import { keyUpdates } from '../../src/background/keyUpdate/keyUpdates.ts';
import { finishKeyUpdates } from '../../src/background/keyUpdate/steps.ts';
import { formatSignature, sign } from '../../src/crypto/index.ts';
import type { KeyUpdateView } from '../../src/messaging/views.ts';
import { endpoints, requestHash, requestMessage } from '../../src/protocol/index.ts';
import { randomSecretKey } from '../relayer/support/testAccount.ts';
import { createWalletHarness, pageSender, type WalletHarness } from '../support/wallet.ts';
import { relayerOfFile } from './relayerOfFile.ts';
import {
  approveOrder,
  approveRequest,
  movableClock,
  moveRelayerClock,
  PASSWORD,
  refusal,
  registeredX,
  replaceKeyElsewhere,
  resultOf,
  type SetUp,
  SITE,
  secretsOf,
  setUp,
  until,
} from './support.ts';

const relayer = await relayerOfFile();

const view = (wallet: WalletHarness, account: string) => wallet.ui('getKeyUpdate', { account, approval: null });

async function begin({ wallet, accountView }: SetUp, kind: 'derived' | 'random', approval: string | null = null) {
  return wallet.ui('startKeyUpdate', { account: accountView, approval, kind, feeTokenId: null });
}

/** Writes the new key down and shows it. */
async function backUp(wallet: WalletHarness, { account, approval, newKey }: KeyUpdateView): Promise<string> {
  const pending = newKey?.publicKey.x ?? '';
  const { text } = await wallet.ui('exportAccountKey', {
    account: account.id,
    pending,
    form: 'hex',
    password: PASSWORD,
  });
  await wallet.ui('confirmBackup', { approval: approval?.id ?? '', shown: { lastDigits: text.slice(-6) } });
  return text;
}

const confirm = (wallet: WalletHarness, { approval, account }: KeyUpdateView) =>
  wallet.ui('approve', {
    id: approval?.id ?? '',
    digest: approval?.digest ?? '',
    account: account.id,
    password: PASSWORD,
  });

/** Lets time pass until the new key is the account's, or the update has another end. */
/** @param stepMs - From one look to the next: an older request is looked at less often. */
const settled = (stage: SetUp, clock: ReturnType<typeof movableClock>, stepMs = 5_000) =>
  until(async () => {
    await relayer.engine.run();
    await stage.wallet.ui('touch', {});
    clock.advance(stepMs);
    await stage.wallet.background().onWake();
    const [newest] = await stage.wallet.ui('getActivity', { limit: 1 });
    return newest && !['acknowledged', 'unknown', 'reserved', 'approved'].includes(newest.status) ? newest : undefined;
  });

async function replaceKey(stage: SetUp, clock: ReturnType<typeof movableClock>, kind: 'derived' | 'random') {
  await begin(stage, kind);
  const asked = await view(stage.wallet, stage.accountView);
  if (kind === 'random') await backUp(stage.wallet, asked);
  await confirm(stage.wallet, await view(stage.wallet, stage.accountView));
  return settled(stage, clock);
}

describe.each(['derived', 'random'] as const)('a %s key', (kind) => {
  test('is registered, takes the place of the old one, and signs the next order', async () => {
    const clock = movableClock();
    const stage = await setUp(relayer, { now: clock.now });
    const { wallet, accountView, client } = stage;
    resultOf(await approveOrder(wallet));
    const before = await wallet.ui('getKeyInfo', { account: accountView });
    expect(before.signatures).toBeGreaterThan(1);
    expect(await wallet.ui('getKeyUpdateFacts', { account: accountView })).toMatchObject({
      openOrders: 1,
      hasApiKey: true,
      keyIsRegistered: true,
      nonce: 1,
    });
    expect(await wallet.ui('getAttention', { refresh: true })).toEqual([]);

    expect(await replaceKey(stage, clock, kind)).toMatchObject({ operation: 'updateAccountKey', status: 'processed' });
    expect(await wallet.ui('getAttention', { refresh: false })).toEqual([]);
    const after = await wallet.ui('getKeyInfo', { account: accountView });
    expect(after.publicKey.x).toBe(await registeredX(stage));
    expect(after.publicKey.x).not.toBe(before.publicKey.x);
    expect(after).toMatchObject({ kind, signatures: 0 });
    expect(await secretsOf(wallet)).toEqual(['eddsa-key', 'l1-key']);
    const { keySeed } = await client.getAccount({ query: { accountId: stage.account.accountId } });
    expect(keySeed === '').toBe(kind === 'random');

    expect(resultOf(await approveOrder(wallet, { clientOrderId: 'after' })).status).toBe('acknowledged');
    const query = { accountId: stage.account.accountId };
    await expect(client.getOrders({ query, apiKey: stage.account.apiKey })).rejects.toMatchObject({
      relayerCode: 104002,
    });
    // And the old key logs in no more.
    const { method, path } = endpoints.getApiKey;
    const message = requestHash(requestMessage({ method, baseUrl: relayer.url, path, query }));
    const signature = formatSignature(sign(message, stage.account.secretKey));
    await expect(client.getApiKey({ query, signature })).rejects.toMatchObject({ kind: 'refused' });
  });
});

/** A relayer that tells the fees of requests to nobody without an API key. */
const guarded: typeof fetch = async (input, init) => {
  const isFee = new URL(String(input)).pathname.endsWith('/offchainFee');
  if (!isFee || new Headers(init?.headers).has('X-API-KEY')) return fetch(input, init);
  return Response.json({ resultInfo: { code: 104001, message: 'Empty ApiKey' } }, { status: 400 });
};

describe('where the fee is told only to who has an API key', () => {
  test('a key is replaced, with the fees and balances before its eyes', async () => {
    const clock = movableClock();
    const stage = await setUp(relayer, { now: clock.now, fetch: guarded });
    const { fees } = await stage.wallet.ui('getKeyUpdateFacts', { account: stage.accountView });
    expect(fees).toContainEqual({
      token: expect.objectContaining({ symbol: 'ETH' }),
      volume: expect.stringMatching(/^[1-9]/),
      balance: expect.stringMatching(/^[1-9]/),
    });
    expect(await replaceKey(stage, clock, 'derived')).toMatchObject({ status: 'processed' });
  });

  test('a key that was replaced elsewhere is replaced by the fee that everybody is told', async () => {
    const clock = movableClock();
    const stage = await setUp(relayer, { now: clock.now, fetch: guarded });
    await replaceKeyElsewhere(stage.client, stage.account);
    const { fees, keyIsRegistered } = await stage.wallet.ui('getKeyUpdateFacts', { account: stage.accountView });
    const { updateFees = [] } = await stage.client.getExchangeInfo({});
    expect(keyIsRegistered).toBe(false);
    expect(fees.map(({ token, volume }) => [token.symbol, volume])).toEqual(
      updateFees.map(({ token, fee }) => [token, fee]),
    );
    expect(await replaceKey(stage, clock, 'derived')).toMatchObject({ status: 'processed' });
  });
});

test('the facts about a key are told without the fees when those cannot be read', async () => {
  const silent: typeof fetch = async (input, init) =>
    new URL(String(input)).pathname.endsWith('/offchainFee')
      ? Response.json({ resultInfo: { code: 100000, message: 'unknown' } }, { status: 500 })
      : fetch(input, init);
  const { wallet, accountView } = await setUp(relayer, { fetch: silent });
  expect(await wallet.ui('getKeyUpdateFacts', { account: accountView })).toMatchObject({
    openOrders: 0,
    keyIsRegistered: true,
    fees: [],
  });
});

describe('nothing is signed', () => {
  test('without the password, with a wrong one, or with another digest', async () => {
    const stage = await setUp(relayer);
    const { wallet, accountView } = stage;
    const { id, digest } = await begin(stage, 'derived');
    const decide = (changes: object) =>
      wallet.uiAnswer('approve', { id, digest: digest ?? '', account: accountView, ...changes });
    expect(await decide({})).toMatchObject({ error: { code: 'password-needed' } });
    expect(await decide({ password: 'wrong' })).toMatchObject({ error: { code: 'wrong-password' } });
    expect(await decide({ password: PASSWORD, digest: `0x${'1'.repeat(64)}` })).toMatchObject({
      error: { code: 'digest-mismatch' },
    });
    expect(
      await keyUpdates(wallet.background().wallet, { networkId: stage.network.id, accountId: stage.account.accountId }),
    ).toEqual([]);
  });

  test('with a random key before its backup was shown, as digits or as the file', async () => {
    const stage = await setUp(relayer);
    const { wallet, accountView } = stage;
    await begin(stage, 'random');
    const asked = await view(wallet, accountView);
    const decide = () =>
      wallet.uiAnswer('approve', {
        id: asked.approval?.id ?? '',
        digest: asked.approval?.digest ?? '',
        account: accountView,
        password: PASSWORD,
      });
    expect(await decide()).toMatchObject({ error: { code: 'backup-needed' } });
    const approval = asked.approval?.id ?? '';
    const exported = async (pending: string | null, form: 'hex' | 'file') =>
      (await wallet.ui('exportAccountKey', { account: accountView, pending, form, password: PASSWORD })).text;
    const newKey = asked.newKey?.publicKey.x ?? '';
    const text = await exported(newKey, 'file');
    const lastDigits = (await exported(newKey, 'hex')).slice(-6);
    for (const shown of [
      { lastDigits: '' },
      { lastDigits: `${lastDigits.slice(0, -1)}${lastDigits.endsWith('0') ? '1' : '0'}` },
      { file: await exported(null, 'file'), password: PASSWORD },
    ]) {
      const wrong = await wallet.uiAnswer('confirmBackup', { approval, shown });
      expect(wrong).toMatchObject({ error: { code: 'backup-differs' } });
      expect(await decide()).toMatchObject({ error: { code: 'backup-needed' } });
    }
    const other = { file: '{"name":"another file"}', password: PASSWORD };
    expect(await wallet.uiAnswer('confirmBackup', { approval, shown: other })).toMatchObject({
      error: { code: 'bad-file', key: 'error_keyUnusable' },
    });
    const confirmed = await wallet.ui('confirmBackup', { approval, shown: { file: text, password: PASSWORD } });
    expect(confirmed.newKey?.backedUp).toBe(true);
    expect(await decide()).toMatchObject({ ok: true });
  });

  test('with a random key that was chosen while the backup of another one was compared', async () => {
    const stage = await setUp(relayer);
    const { wallet, accountView } = stage;
    const { stagedKeys } = wallet.background().wallet;
    await begin(stage, 'random');
    const first = await view(wallet, accountView);
    const approval = first.approval?.id ?? '';
    const pending = first.newKey?.publicKey.x ?? '';
    const key = { account: accountView, pending, form: 'hex', password: PASSWORD } as const;
    const lastDigits = (await wallet.ui('exportAccountKey', key)).text.slice(-6);
    const { use } = stagedKeys;
    vi.spyOn(stagedKeys, 'use').mockImplementationOnce(async (...of) => {
      const proven = await use(...of);
      await begin(stage, 'derived', approval);
      await begin(stage, 'random', approval);
      return proven as never;
    });
    const { newKey } = await wallet.ui('confirmBackup', { approval, shown: { lastDigits } });
    expect(newKey?.publicKey.x).not.toBe(pending);
    expect(newKey?.backedUp).toBe(false);
  });

  test('while an earlier key update has no end', async () => {
    const stage = await setUp(relayer);
    await begin(stage, 'derived');
    await confirm(stage.wallet, await view(stage.wallet, stage.accountView));
    const again = await stage.wallet.uiAnswer('startKeyUpdate', {
      account: stage.accountView,
      approval: null,
      kind: 'random',
      feeTokenId: null,
    });
    expect(again).toMatchObject({ error: { code: 'key-update-open' } });
  });
});

/** A stage whose key updates get the answer that `answer` makes of the real one. */
async function stageWith(answer: (send: () => Promise<Response>) => Promise<Response>) {
  const clock = movableClock();
  const stage = await setUp(relayer, {
    now: clock.now,
    fetch: (input, init) => {
      const isUpdate = init?.method === 'POST' && new URL(String(input)).pathname === '/api/v3/account';
      return isUpdate ? answer(() => fetch(input, init)) : fetch(input, init);
    },
  });
  return { stage, clock };
}

test('nothing is free for the fee where orders are said to hold more than there is', async () => {
  const overheld: typeof fetch = async (input, init) => {
    const answer = await fetch(input, init);
    if (!answer.ok || !String(input).includes(endpoints.getBalances.path)) return answer;
    const rows = (await answer.json()) as { total: string }[];
    return Response.json(rows.map((row) => ({ ...row, locked: String(BigInt(row.total) + 1n) })));
  };
  const { wallet, accountView } = await setUp(relayer, { fetch: overheld });
  const { fees } = await wallet.ui('getKeyUpdateFacts', { account: accountView });
  expect(fees.length).toBeGreaterThan(0);
  expect(new Set(fees.map(({ balance }) => balance))).toEqual(new Set(['0']));
});

test('a key update that the exchange refuses leaves the old key in use, and the next one replaces it', async () => {
  let refusals = 1;
  const { stage, clock } = await stageWith(async (send) => {
    if (refusals-- <= 0) return send();
    return refusal(102024);
  });
  const { wallet, accountView, account } = stage;
  const before = await wallet.ui('getKeyInfo', { account: accountView });
  const { id } = await begin(stage, 'derived');
  await confirm(wallet, await view(wallet, accountView));
  expect(await settled(stage, clock)).toMatchObject({ status: 'refused' });
  const after = await wallet.ui('getKeyUpdate', { account: null, approval: id });
  expect(after).toMatchObject({ key: { publicKey: before.publicKey }, newKey: { inPlace: false } });
  expect(after.approval?.result).toMatchObject({ status: 'refused' });
  expect(await registeredX(stage)).toBe(before.publicKey.x);
  resultOf(await approveOrder(wallet, { clientOrderId: 'with-the-old-key' }));
  expect(
    await wallet.uiAnswer('startKeyUpdate', {
      account: accountView,
      approval: null,
      kind: 'derived',
      feeTokenId: null,
    }),
  ).toMatchObject({ ok: true });
  wallet.restart();
  await confirm(wallet, await view(wallet, accountView));
  expect(await settled(stage, clock)).toMatchObject({ status: 'processed' });
  // The record has its end a moment before the key is in its place.
  const registered = await registeredX(stage);
  await until(async () => (await wallet.ui('getKeyInfo', { account: accountView })).publicKey.x === registered);
  expect((await wallet.ui('getState', {})).accounts[0]?.accountId).toBe(account.accountId);
});

test('a key update whose answer was lost is found at the next start, and signed once', async () => {
  let lost = 0;
  const { stage, clock } = await stageWith(async (send) => {
    await send();
    lost += 1;
    throw new TypeError('the connection broke');
  });
  const { wallet, accountView } = stage;
  await begin(stage, 'derived');
  const asked = await view(wallet, accountView);
  await confirm(wallet, asked);
  await until(async () => lost > 0);
  wallet.restart();
  expect(await settled(stage, clock)).toMatchObject({ status: 'processed' });
  expect(await registeredX(stage)).toBe(asked.newKey?.publicKey.x);
  await until(async () => (await secretsOf(wallet)).every((kind) => kind !== 'pending-eddsa-key'));
  expect((await wallet.ui('getKeyInfo', { account: accountView })).publicKey).toEqual(asked.newKey?.publicKey);
  const { networkId, accountId } = { networkId: stage.network.id, accountId: stage.account.accountId };
  expect(await keyUpdates(wallet.background().wallet, { networkId, accountId })).toHaveLength(1);
});

/** A stage whose key updates are held back: `deliver` hands them to the relayer after all. */
async function stageWithHeld(answer: () => Response) {
  const clock = movableClock();
  const held: (() => Promise<Response>)[] = [];
  const stage = await setUp(relayer, {
    now: clock.now,
    fetch: async (input, init) => {
      const isUpdate = init?.method === 'POST' && new URL(String(input)).pathname === '/api/v3/account';
      if (!isUpdate) return fetch(input, init);
      // The time limit of the call runs while it is held.
      held.push(() => fetch(input, { ...init, signal: null }));
      return answer();
    },
  });
  const stagedKeys = () => stage.wallet.background().wallet.stagedKeys.list(stage.accountView);
  const updates = () =>
    keyUpdates(stage.wallet.background().wallet, {
      networkId: stage.network.id,
      accountId: stage.account.accountId,
    });
  const deliver = async () => {
    const answered = await held[0]?.();
    expect(answered?.status).toBe(200);
    await until(() =>
      relayer.engine
        .run()
        .then(
          async () => (await stage.client.getAccount({ query: { accountId: stage.account.accountId } })).nonce === 2,
        ),
    );
  };
  return { stage, clock, held, stagedKeys, updates, deliver };
}

const lose = (): never => {
  throw new TypeError('the connection broke');
};
const refuse = () => refusal(102024);

describe('a staged key that may still be registered is kept', () => {
  test('while only the clock of this machine is past the end of its request', async () => {
    const { stage, clock, held, stagedKeys, updates, deliver } = await stageWithHeld(lose);
    const { wallet, accountView } = stage;
    await begin(stage, 'derived');
    const asked = await view(wallet, accountView);
    await confirm(wallet, asked);
    await until(async () => held.length > 0);
    clock.advance(3 * 86_400_000);
    await wallet.ui('unlock', { password: PASSWORD });
    const looks = held.length;
    await until(async () => {
      // The unlocking may have sent it already; the next time is a while later.
      await wallet.ui('touch', {});
      clock.advance(20_000);
      await wallet.background().onWake();
      return held.length > looks;
    });
    expect(await updates()).toMatchObject([{ state: 'sent' }]);
    expect(await stagedKeys()).toHaveLength(1);
    await deliver();
    expect(await settled(stage, clock, 60_000)).toMatchObject({ status: 'processed' });
    expect((await wallet.ui('getKeyInfo', { account: accountView })).publicKey).toEqual(asked.newKey?.publicKey);
  });

  test('after a refusal, when another key was chosen: the relayer may carry the request out all the same', async () => {
    const { stage, clock, held, stagedKeys, deliver } = await stageWithHeld(refuse);
    const { wallet, accountView } = stage;
    await begin(stage, 'derived');
    const asked = await view(wallet, accountView);
    await confirm(wallet, asked);
    await until(async () => held.length > 0);
    expect(await settled(stage, clock)).toMatchObject({ status: 'refused' });
    await begin(stage, 'random');
    expect((await stagedKeys()).map(({ x }) => x)).toContain(asked.newKey?.publicKey.x);
    // Past its hour, within the day in which a relayer's clock may be wrong; then past both by this
    // machine's clock alone.
    for (const ms of [7_200_000, 3 * 86_400_000]) {
      clock.advance(ms);
      wallet.restart();
      await wallet.ui('unlock', { password: PASSWORD });
      await wallet.background().onWake();
      expect((await stagedKeys()).map(({ x }) => x)).toContain(asked.newKey?.publicKey.x);
    }
    await deliver();
    wallet.restart();
    await wallet.ui('unlock', { password: PASSWORD });
    const inUse = await until(async () => {
      const { publicKey } = await wallet.ui('getKeyInfo', { account: accountView });
      return publicKey.x === asked.newKey?.publicKey.x;
    });
    expect(inUse).toBe(true);
    resultOf(await approveOrder(wallet, { clientOrderId: 'with-the-kept-key' }));
  });

  test('also when a later key update is registered, which uses its nonce up', async () => {
    const clock = movableClock();
    const stage = await setUp(relayer, { now: clock.now });
    const { wallet, accountView, network, account } = stage;
    const { stagedKeys, journal } = wallet.background().wallet;
    const refused = async (requestId: string, nonce: number) => {
      const publicKey = await stagedKeys.put(accountView, 'random', randomSecretKey());
      const draft = { publicKey, keySeed: '', validUntil: Math.floor(Date.now() / 1000) + 3_600, nonce };
      const { id } = await journal.reserve({
        networkId: network.id,
        accountId: account.accountId,
        origin: SITE,
        requestId,
        operation: 'updateAccountKey',
        draft,
        reviewDigest: `0x${'1'.repeat(64)}`,
        validUntil: draft.validUntil,
      });
      await journal.markSigned(id, {
        wire: { endpoint: 'updateAccount', bodyText: '{}' },
        hash: `0x${'2'.repeat(64)}`,
      });
      await journal.markSent(id);
      await journal.markRefused(id, { code: 102007, message: 'exists', outcome: 'refused' });
      return { id, x: publicKey.x };
    };
    // The account's nonce is 1: one for it, one for the nonce after.
    const [first, later] = [await refused('first', 1), await refused('later', 2)];
    const both = [first.x, later.x].sort();
    const kept = async () => (await stagedKeys.list(accountView)).map(({ x }) => x).sort();
    await wallet.ui('unlock', { password: PASSWORD });
    await wallet.background().onWake();
    expect(await kept()).toEqual(both);
    const replaced = await replaceKey(stage, clock, 'derived');
    expect(replaced).toMatchObject({ status: 'processed' });
    await until(async () => (await kept()).length === 2);
    // They are not the key that the wizard waits for.
    const { newKey } = await wallet.ui('getKeyUpdate', { account: null, approval: replaced?.requestId ?? '' });
    expect(newKey).toMatchObject({ kind: 'derived', inPlace: true });
    await wallet
      .background()
      .wallet.keyUpdate.tidy((await wallet.background().wallet.config.account(accountView)) as never, network);
    expect(await kept()).toEqual(both);
  });

  test('without a record of its request, as in a restored backup, until the relayer was asked', async () => {
    const stage = await setUp(relayer);
    const { wallet, accountView, client, account } = stage;
    const { secretKey, publicKey } = await replaceKeyElsewhere(client, account);
    const { stagedKeys } = wallet.background().wallet;
    await stagedKeys.put(accountView, 'random', secretKey);
    wallet.restart();
    await wallet.ui('unlock', { password: PASSWORD });
    await until(async () => (await wallet.ui('getKeyInfo', { account: accountView })).publicKey.x === publicKey.x);
    await until(async () => (await secretsOf(wallet)).every((kind) => kind !== 'pending-eddsa-key'));
    resultOf(await approveOrder(wallet));
  });
});

test('standing approvals end with the key that they were given under', async () => {
  const clock = movableClock();
  const stage = await setUp(relayer, { now: clock.now });
  const { wallet } = stage;
  const { id } = resultOf<{ id: string }>(
    await approveRequest(wallet, 'relayer_requestStandingApproval', {
      sellTokenId: 1,
      buyTokenId: 0,
      minPrice: '0.0004',
      orderVolume: '100000000000000000000',
      totalVolume: '300000000000000000000',
      rate: { requests: 100, seconds: 60 },
      validUntil: Math.floor(clock.now() / 1000) + 36_000,
    }),
  );
  const given = async () => resultOf<{ id: string }[]>(await wallet.page(SITE, 'relayer_getStandingApprovals'));
  expect(await given()).toMatchObject([{ id }]);
  expect(await replaceKey(stage, clock, 'derived')).toMatchObject({ status: 'processed' });
  await until(async () => (await wallet.background().wallet.standing.active({ origin: SITE })).length === 0);
});

test('the key leaves the vault only against the password, each time', async () => {
  const stage = await setUp(relayer);
  const { wallet, accountView } = stage;
  await begin(stage, 'random');
  const pending = (await view(wallet, accountView)).newKey?.publicKey.x ?? null;
  for (const key of [null, pending])
    for (const form of ['hex', 'file'] as const) {
      const asked = { account: accountView, pending: key, form };
      const refused = await wallet.uiAnswer('exportAccountKey', { ...asked, password: 'guess' });
      expect(refused).toMatchObject({ ok: false, error: { code: 'wrong-password' } });
      expect(JSON.stringify(refused)).not.toMatch(/[0-9a-f]{64}/);
      expect(await wallet.ui('exportAccountKey', { ...asked, password: PASSWORD })).toMatchObject({
        text: form === 'hex' ? expect.stringMatching(/^0x[0-9a-f]{64}$/) : expect.stringContaining('countersign-key'),
      });
    }
});

test('another choice takes the place of the first; the key that nobody asks with is removed', async () => {
  const stage = await setUp(relayer);
  const { wallet, accountView } = stage;
  await begin(stage, 'random');
  const first = await view(wallet, accountView);
  await begin(stage, 'derived', first.approval?.id ?? null);
  const second = await view(wallet, accountView);
  expect(second.approval?.id).toBe(first.approval?.id);
  expect(second.newKey?.publicKey.x).not.toBe(first.newKey?.publicKey.x);
  expect((await secretsOf(wallet)).filter((kind) => kind === 'pending-eddsa-key')).toHaveLength(1);
});

/** A promise, and what resolves it. */
function held() {
  let release = () => {};
  const waiting = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { waiting, release: () => release() };
}

test('a key that is staged while unused ones are looked for stays', async () => {
  const clockAsked = held();
  const clockAnswers = held();
  let isHeld = false;
  const stage = await setUp(relayer, {
    fetch: async (input, init) => {
      if (isHeld && String(input).endsWith('/api/v3/timestamp')) {
        clockAsked.release();
        await clockAnswers.waiting;
      }
      return fetch(input, init);
    },
  });
  const { keyUpdate, stagedKeys, config } = stage.wallet.background().wallet;
  const { account, network } = await config.place(stage.accountView);
  if (!account || !network) throw new Error('the account is not there');
  isHeld = true;
  await stagedKeys.put(account.id, 'imported', randomSecretKey());
  const tidied = keyUpdate.tidy(account, network);
  await clockAsked.waiting;
  const { x } = await stagedKeys.put(account.id, 'imported', randomSecretKey());
  clockAnswers.release();
  await tidied;
  expect(await stagedKeys.list(account.id)).toMatchObject([{ x }]);
});

test('a key that is staged and not asked about yet stays', async () => {
  const stage = await setUp(relayer);
  const { approvals, keyUpdate, ports, stagedKeys, config } = stage.wallet.background().wallet;
  const { account, network } = await config.place(stage.accountView);
  if (!account || !network) throw new Error('the account is not there');
  const asks = held();
  const put = approvals.put;
  vi.spyOn(approvals, 'put').mockImplementation((question) => asks.waiting.then(() => put(question)));
  const started = begin(stage, 'random');
  await until(async () => (await stagedKeys.list(account.id)).length === 1);
  const locks = vi.spyOn(ports, 'lock');
  const tidied = keyUpdate.tidy(account, network);
  const waits = until(async () => locks.mock.calls.some(([name]) => name === `keyUpdate/${account.id}`));
  await Promise.race([waits, tidied]);
  asks.release();
  await Promise.all([started, tidied]);
  expect(await stagedKeys.list(account.id)).toHaveLength(1);
  expect((await view(stage.wallet, account.id)).newKey).not.toBeNull();
});

describe('a staged key goes with its request', () => {
  const stagedOf = (stage: SetUp) => stage.wallet.background().wallet.stagedKeys.list(stage.accountView);
  /** The start of the worker removes unused keys too; it is over. */
  async function resumed(setting: Promise<SetUp>): Promise<SetUp> {
    const stage = await setting;
    const { goOn } = stage.wallet.background().wallet;
    await goOn();
    await goOn();
    return stage;
  }
  const isGone = (stage: SetUp) => until(async () => (await stagedOf(stage)).length === 0);
  const askFor = async ({ wallet }: SetUp, documentId: string) => {
    const answer = wallet.page(SITE, 'relayer_updateAccountKey', [{}], undefined, 1, documentId);
    const id = await until(async () => (await wallet.ui('listApprovals', {}))[0]?.id);
    return { answer, id };
  };

  test.each(['derived', 'random'] as const)('a %s key that the user rejects, without another start', async (kind) => {
    const stage = await resumed(setUp(relayer));
    const { id } = await begin(stage, kind);
    expect(await stagedOf(stage)).toHaveLength(1);
    await stage.wallet.ui('reject', { id, block: false });
    await isGone(stage);
    resultOf(await approveOrder(stage.wallet));
  });

  test('of a site that withdraws it, whose page goes, that is rejected with all others, or that is blocked', async () => {
    const stage = await resumed(setUp(relayer, {}, ['key']));
    const { wallet, accountView } = stage;
    const ways: ((id: string) => Promise<unknown>)[] = [
      (requestId) => wallet.page(SITE, 'relayer_withdrawRequest', [{ requestId }]),
      async () => {
        wallet.gone.add('document 1');
        await wallet.message({ type: 'gone', documentId: 'document 1' }, pageSender(SITE, 1));
      },
      (id) => wallet.ui('rejectAll', { ids: [id] }),
      (id) => wallet.ui('reject', { id, block: true }),
    ];
    for (const [index, end] of ways.entries()) {
      const { answer, id } = await askFor(stage, `document ${index}`);
      await begin(stage, 'random', id);
      expect(await stagedOf(stage)).toHaveLength(1);
      await end(id);
      expect(await answer).toMatchObject({ error: {} });
      await isGone(stage);
    }
    expect((await view(wallet, accountView)).newKey).toBeNull();
  });

  test('but not a key that was in a signed request before, nor one that another request is about', async () => {
    const { stage, clock, held, stagedKeys } = await stageWithHeld(refuse);
    const { wallet, accountView } = stage;
    await begin(stage, 'derived');
    const signed = await view(wallet, accountView);
    await confirm(wallet, signed);
    await until(async () => held.length > 0);
    expect(await settled(stage, clock)).toMatchObject({ status: 'refused' });
    const { id } = await begin(stage, 'random');
    const chosen = await view(wallet, accountView);
    await wallet.ui('reject', { id, block: false });
    await until(async () => !(await stagedKeys()).some(({ x }) => x === chosen.newKey?.publicKey.x));
    expect(await stagedKeys()).toMatchObject([{ x: signed.newKey?.publicKey.x }]);
  });

  test('at an unlock, when it was rejected while the wallet was locked', async () => {
    const stage = await resumed(setUp(relayer));
    const { wallet } = stage;
    const { id } = await begin(stage, 'random');
    await wallet.ui('lock', {});
    await wallet.ui('reject', { id, block: false });
    expect(await stagedOf(stage)).toHaveLength(1);
    await wallet.ui('unlock', { password: PASSWORD });
    await isGone(stage);
  });
});

test('a registered key without a record stays, also when a key update is begun before the relayer was compared with', async () => {
  const stage = await setUp(relayer);
  const { wallet, accountView, client, account } = stage;
  const { secretKey, publicKey } = await replaceKeyElsewhere(client, account);
  const { stagedKeys } = wallet.background().wallet;
  await stagedKeys.put(accountView, 'random', secretKey);
  await begin(stage, 'random');
  expect((await stagedKeys.list(accountView)).map(({ x }) => x)).toContain(publicKey.x);
});

test('a nonce that another browser used is asked about again, with the same backed-up key', async () => {
  const clock = movableClock();
  const stage = await setUp(relayer, { now: clock.now });
  const { wallet, accountView } = stage;
  await begin(stage, 'random');
  await backUp(wallet, await view(wallet, accountView));
  const asked = await view(wallet, accountView);

  const other = await setUpAgain(stage, clock);
  expect(await replaceKey(other, clock, 'derived')).toMatchObject({ status: 'processed' });

  await confirm(wallet, asked);
  const again = await until(async () => {
    const now = await view(wallet, accountView);
    return now.approval?.stage === 'choosing' ? now : undefined;
  });
  expect(again.approval?.again).toEqual({ key: 'problem_nonceChanged' });
  const ready = await begin(stage, 'random', again.approval?.id ?? null);
  expect(ready).toMatchObject({ stage: 'ready', id: asked.approval?.id });
  const renewed = await view(wallet, accountView);
  expect(renewed.newKey).toMatchObject({ publicKey: asked.newKey?.publicKey, backedUp: true });
  await confirm(wallet, renewed);
  expect(await settled(stage, clock)).toMatchObject({ status: 'processed' });
  expect(await registeredX(stage)).toBe(asked.newKey?.publicKey.x);
});

describe('an earlier key never takes the place of the one that is registered now', () => {
  const exported = ({ wallet, accountView }: SetUp) =>
    wallet.ui('exportAccountKey', { account: accountView, pending: null, form: 'hex', password: PASSWORD });
  const placeOf = async ({ wallet, network }: SetUp) => {
    const [signer] = await wallet.ui('listSigners', {});
    return { networkId: network.id, signer: signer?.id ?? '' };
  };
  const keyX = async ({ wallet, accountView }: SetUp) =>
    (await wallet.ui('getKeyInfo', { account: accountView })).publicKey.x;

  test('imported by hand it is compared only; staged it goes unused', async () => {
    const clock = movableClock();
    const stage = await setUp(relayer, { now: clock.now });
    const { wallet, accountView } = stage;
    expect(await replaceKey(stage, clock, 'random')).toMatchObject({ status: 'processed' });
    const { text } = await exported(stage);
    const first = await keyX(stage);
    expect(await replaceKey(stage, clock, 'random')).toMatchObject({ status: 'processed' });
    const registered = await registeredX(stage);
    await until(async () => (await keyX(stage)) === registered);
    const { stagedKeys } = wallet.background().wallet;
    const imported = { ...(await placeOf(stage)), text, password: null };
    expect(await wallet.ui('importKey', imported)).toMatchObject({ derived: { x: first }, matches: false });
    expect(await stagedKeys.list(accountView)).toEqual([]);
    // As a version left it that staged what did not match.
    await stagedKeys.put(accountView, 'imported', Uint8Array.from(Buffer.from(text.slice(2), 'hex')).reverse());
    resultOf(await approveOrder(wallet, { clientOrderId: 'with-the-registered-key' }));
    expect(await keyX(stage)).toBe(registered);
    await finishKeyUpdates(wallet.background().wallet);
    // What was signed for it is valid still.
    expect(await stagedKeys.list(accountView)).toMatchObject([{ x: first }]);
    expect(await keyX(stage)).toBe(registered);
  });

  test('after another browser registered a key, which was tried second', async () => {
    const clock = movableClock();
    const stage = await setUp(relayer, { now: clock.now });
    const { wallet } = stage;
    expect(await replaceKey(stage, clock, 'random')).toMatchObject({ status: 'processed' });
    const { text: first } = await exported(stage);
    const other = await setUpAgain(stage, clock, first);
    expect(await replaceKey(other, clock, 'random')).toMatchObject({ status: 'processed' });
    const registered = await registeredX(stage);
    await until(async () => (await keyX(other)) === registered);
    const { text: second } = await exported(other);
    const place = await placeOf(stage);
    expect(await wallet.ui('importKey', { ...place, text: first, password: null })).toMatchObject({ matches: false });
    expect(await wallet.ui('importKey', { ...place, text: second, password: null })).toMatchObject({ matches: true });
    await wallet.ui('addAccount', { ...place, label: 'Main' });
    resultOf(await approveOrder(wallet));
    wallet.restart();
    await wallet.ui('unlock', { password: PASSWORD });
    resultOf(await approveOrder(wallet, { clientOrderId: 'after-a-start' }));
    expect(await keyX(stage)).toBe(registered);
  });
});

/** The same account in another browser. @param text - Its key, when the signer does not give it. */
async function setUpAgain(stage: SetUp, clock: ReturnType<typeof movableClock>, text?: string): Promise<SetUp> {
  const wallet = createWalletHarness({ now: clock.now });
  await wallet.ui('createVault', { password: PASSWORD });
  const network = await wallet.ui('addNetwork', { baseUrl: relayer.url, name: 'Development' });
  const { signer } = await wallet.ui('importSigner', { privateKey: stage.account.privateKey });
  const place = { networkId: network.id, signer };
  if (text !== undefined) await wallet.ui('importKey', { ...place, text, password: null });
  const { id } = await wallet.ui('addAccount', { ...place, label: 'Other' });
  return { ...stage, wallet, network, accountView: id };
}

describe('asked for by a site', () => {
  const ask = (wallet: WalletHarness, intent: object = {}) => wallet.page(SITE, 'relayer_updateAccountKey', [intent]);

  test('needs its own permission, and takes no key from the site', async () => {
    const { wallet } = await setUp(relayer);
    expect(await ask(wallet)).toMatchObject({ error: { code: 4100 } });
    const allowed = await setUp(relayer, {}, ['key']);
    for (const field of ['publicKey', 'keySeed', 'maxFee', 'nonce'])
      expect(await ask(allowed.wallet, { [field]: '0x1' })).toMatchObject({ error: { code: -32602 } });
  });

  test('waits for the choice of the user, and the site gets the outcome only', async () => {
    const clock = movableClock();
    const stage = await setUp(relayer, { now: clock.now }, ['key']);
    const { wallet, accountView } = stage;
    const answer = ask(wallet, { feeTokenId: 1 });
    const open = await until(async () => {
      const [first] = await wallet.ui('listApprovals', {});
      const found = first && (await wallet.ui('getApproval', { id: first.id }));
      return found?.stage === 'choosing' ? found : undefined;
    });
    const ready = await begin(stage, 'derived', open.id);
    expect(ready.review?.rows.find(({ label }) => label.key === 'review_fee')?.value).toMatchObject({
      token: { symbol: 'LRC' },
    });
    expect(ready.review?.unbound.map(({ path }) => path)).toEqual(['keySeed']);
    await confirm(wallet, await view(wallet, accountView));
    const result = resultOf<Record<string, unknown>>(await answer);
    expect(Object.keys(result).sort()).toEqual([
      'hash',
      'isIdempotent',
      'publicKey',
      'relayerStatus',
      'requestId',
      'status',
    ]);
    expect(await settled(stage, clock)).toMatchObject({ status: 'processed', origin: SITE });
    expect(result.publicKey).toMatchObject({ x: await registeredX(stage) });
  });

  test('can be rejected before anything is chosen', async () => {
    const { wallet } = await setUp(relayer, {}, ['key']);
    const answer = ask(wallet);
    const [open] = await until(async () => {
      const list = await wallet.ui('listApprovals', {});
      return list.length > 0 ? list : undefined;
    });
    await wallet.ui('reject', { id: open?.id ?? '', block: false });
    expect(await answer).toMatchObject({ error: { code: 4001 } });
  });
});

// The last one: it moves the clock of the relayer on.
test('a key update that no clock allows any more has expired; its key goes a day later', async () => {
  const { stage, clock, held, stagedKeys, updates } = await stageWithHeld(lose);
  const { wallet, accountView } = stage;
  await begin(stage, 'derived');
  await confirm(wallet, await view(wallet, accountView));
  await until(async () => held.length > 0);
  const bothMove = async (ms: number) => {
    clock.advance(ms);
    await moveRelayerClock(relayer, ms);
    wallet.restart();
    await wallet.ui('unlock', { password: PASSWORD });
    await wallet.background().onWake();
  };
  await bothMove(2 * 3_600_000);
  await until(async () => (await updates())[0]?.state === 'expired');
  await bothMove(0);
  expect(await stagedKeys()).toHaveLength(1);
  await bothMove(2 * 86_400_000);
  await until(async () => (await stagedKeys()).length === 0);
});
