import { beforeEach, describe, expect, test } from 'vitest';
import '../support/useFastCore.ts';
import { ApprovalLapsed, type Attempt, type Lapse } from '../../src/background/approvals/store/flow.ts';
import type { ApprovedRequest } from '../../src/background/approvals/store/storedApproval.ts';
import { isUsedElsewhere, signOnce, submitOnce } from '../../src/background/approvals/submitApproved.ts';
import { createRelayerClient } from '../../src/client/index.ts';
import type { SubmissionRecord } from '../../src/journal/index.ts';
import { submitOrder } from '../../src/operations/submitOrder.ts';
import { type RelayerErrorName, relayerErrors } from '../../src/protocol/index.ts';
import { nextOf } from '../journal/harness.ts';
import { factsWith, keys, now as NOW } from '../operations/facts.ts';
import { slotRow, slots } from '../operations/nftSupport.ts';
import {
  type ApprovalStage,
  account,
  approvedRequest,
  createApprovalStage,
  network,
  SITE,
  TWIN,
} from './approvalStage.ts';

const DAY = 86_400;
const TURN = 2 ** 14;
const HASH = `0x${'ab'.repeat(32)}`;

const intent = { sellToken: { tokenId: 1, volume: '100' }, buyToken: { tokenId: 0, volume: '10' } };
const order = await submitOrder.prepare(
  submitOrder.intent().parse({ ...intent, validUntil: NOW + DAY }),
  factsWith({ getAmmBalances: () => [] }),
);

let stage: ApprovalStage;
/** What the relayer says. */
let next: Record<number, number | undefined>;
let lowestFree: number | undefined;
let openOrders: object[];
let asked: string[];
let lapse: Lapse | null;
let claimed: unknown[];
beforeEach(() => {
  stage = createApprovalStage();
  next = { 0: 40, 1: 20 };
  lowestFree = undefined;
  openOrders = [];
  asked = [];
  lapse = null;
  claimed = [];
});

const refusal = (name: RelayerErrorName) =>
  Response.json({ resultInfo: { code: relayerErrors[name].code, message: 'no' } }, { status: 400 });

let spent = 0;
const client = createRelayerClient({
  baseUrl: network.baseUrl,
  // Nobody waits for the rate limit of a relayer that is not there.
  now: () => spent,
  sleep: async (ms) => {
    spent += ms;
  },
  fetch: async (input) => {
    const { pathname, searchParams: query } = new URL(String(input));
    asked.push(`${pathname} ${query}`);
    if (pathname === '/api/v3/order') return refusal('ORDER_NOT_FOUND');
    if (pathname === '/api/v3/orders') return Response.json({ totalNum: openOrders.length, orders: openOrders });
    const id = (query.get('maxNext') === 'true' ? next[Number(query.get('sellTokenId'))] : lowestFree) ?? 0;
    return Response.json({ orderId: id, offchainId: id + 1 });
  },
});

/**
 * The keys of the account without a vault around them, and a client whose relayer the test writes.
 */
const wallet = () => ({
  ports: { now: () => stage.clock.ms },
  journal: stage.journal,
  relayers: { client: (of: unknown) => of === network && client },
  accountKeys: {
    keysOf: (of: unknown) => of === account && keys,
    withApiKey: (of: unknown, at: unknown, call: (apiKey: string) => unknown) =>
      of === account && at === network && call('key'),
  },
  claim: async (id: string) => {
    claimed.push(id);
    return lapse;
  },
});

const orderRequest = (changes: object = {}) =>
  approvedRequest({ operation: 'submitOrder', draft: order, reviewedAt: NOW, digest: '0xd1', ...changes });
const attemptOf = ({ id, draft }: ApprovedRequest): Attempt => ({ requestId: id, draft });
const sign = (approval = orderRequest(), attempt = attemptOf(approval)) =>
  signOnce(wallet() as never, approval, attempt, account, network);
const idOf = ({ slot }: SubmissionRecord) => slot?.storageId;

describe('a signature', () => {
  test('is in the journal with what was shown, approved and signed, and by which key', async () => {
    const record = await sign();
    expect(record).toMatchObject({
      ...{ networkId: 'net', accountId: account.accountId, origin: SITE, requestId: 'q', operation: 'submitOrder' },
      ...{ draft: order.body, shown: order.shown, reviewDigest: '0xd1', reviewedAt: NOW, validUntil: NOW + DAY },
      ...{ publicKey: account.publicKey, state: 'signed', slot: { tokenId: 1, parity: 'order', storageId: 20 } },
    });
    expect(record.wire?.endpoint).toBe('submitOrder');
    expect(record.hash).toMatch(/^0x/);
    expect(JSON.parse(record.wire?.bodyText ?? '')).toMatchObject({ storageId: 20, sellToken: intent.sellToken });
    expect(record.wire).not.toHaveProperty('hash');
    expect(record.rule).toBeUndefined();
    expect(record.slot).not.toHaveProperty('alsoOf');
    expect(claimed).toEqual(['q']);
  });

  test('with a key that has meanwhile taken the place of the approved one names that key', async () => {
    const renewed = { x: '0x1', y: '0x2' };
    const { accountKeys, ...rest } = wallet();
    const keysOf = (_: unknown, signedWith: (publicKey: object) => void) => ({
      ...keys,
      async signEddsa(message: bigint) {
        signedWith(renewed);
        return keys.signEddsa(message);
      },
    });
    const approval = orderRequest();
    const changed = { ...rest, accountKeys: { ...accountKeys, keysOf } };
    const record = await signOnce(changed as never, approval, attemptOf(approval), account, network);
    expect(record.publicKey).toEqual(renewed);
    expect((await stage.journal.byRequest(SITE, 'q'))?.publicKey).toEqual(renewed);
  });

  test('of what was shown nowhere has no facts and no time of a review', async () => {
    const record = await sign(orderRequest({ draft: { body: order.body, shown: undefined }, reviewedAt: undefined }));
    expect(record.shown).toBeNull();
    expect(record).not.toHaveProperty('reviewedAt');
  });

  test('takes its first id from the relayer, by number and kind, and the next from the journal', async () => {
    await sign();
    const query = new URLSearchParams({ accountId: String(account.accountId), maxNext: 'true', sellTokenId: '1' });
    expect(asked.filter((call) => call.startsWith('/api/v3/storageId'))).toEqual([`/api/v3/storageId ${query}`]);
    asked = [];
    expect(idOf(await sign(orderRequest({ id: 'r' })))).toBe(22);
    expect(asked).toEqual([]);
    lapse = 'late';
    await expect(
      sign(approvedRequest({ id: 's', draft: { body: { token: { tokenId: 0 } }, shown: {} } })),
    ).rejects.toThrow();
    expect(idOf((await stage.journal.byRequest(SITE, 's')) as SubmissionRecord)).toBe(41);
  });

  test('never takes the slot of an open order that another browser signed; only orders are looked at', async () => {
    openOrders = [{ hash: HASH, clientOrderId: '', market: 'LRC-ETH', side: 'SELL', status: 'processing' }].map(
      (one) => ({
        ...one,
        ...{ volumes: { baseAmount: '1', quoteAmount: '1', baseFilled: '0', quoteFilled: '0', fee: '0' } },
        ...{ validity: { start: 1, end: 2 }, price: '1', orderType: 'LIMIT_ORDER', tradeChannel: 'ORDER_BOOK' },
        ...{ storageInfo: { accountId: account.accountId, tokenId: 1, storageId: 20 } },
      }),
    );
    expect(idOf(await sign())).toBe(22);
    expect(asked.some((call) => call.startsWith('/api/v3/orders '))).toBe(true);
    asked = [];
    lapse = 'late';
    await expect(
      sign(approvedRequest({ id: 's', draft: { body: { token: { tokenId: 1 } }, shown: {} } })),
    ).rejects.toThrow();
    expect(asked.some((call) => call.startsWith('/api/v3/orders '))).toBe(false);
  });

  test('without a storage id takes none', async () => {
    const body = { accountId: account.accountId, orderHash: HASH };
    const record = await sign(approvedRequest({ operation: 'cancelOrder', draft: { body, shown: {} } }));
    expect(record.slot).toBeUndefined();
    expect(record).not.toHaveProperty('validUntil');
    expect(record.wire?.endpoint).toBe('cancelOrder');
  });

  test('has the end that its own operation names', async () => {
    lapse = 'late';
    const body = { validUntil: 1, transfer: { token: { tokenId: 1 }, validUntil: NOW + 7 } };
    await expect(sign(approvedRequest({ operation: 'deployNft', draft: { body, shown: {} } }))).rejects.toThrow();
    expect(await stage.journal.byRequest(SITE, 'q')).toMatchObject({ validUntil: NOW + 7 });
  });

  test('that moves two tokens has an id that is free for both', async () => {
    lapse = 'late';
    const body = { joinTokens: { pooled: [{ tokenId: 1 }, { tokenId: 0 }] } };
    await expect(sign(approvedRequest({ operation: 'joinAmmPool', draft: { body, shown: {} } }))).rejects.toThrow();
    expect((await stage.journal.byRequest(SITE, 'q'))?.slot).toEqual({
      ...{ tokenId: 1, parity: 'offchain', storageId: 41, alsoOf: 0 },
    });
  });

  test('takes over the slot that the user named, or that of the attempt before', async () => {
    const replacing = {
      body: order.body,
      shown: { ...order.shown, replaced: { storageId: 12, order: { hash: HASH } } },
    };
    lapse = 'late';
    const approval = orderRequest({ operation: 'hardCancel', draft: replacing });
    await expect(sign(approval)).rejects.toThrow();
    expect((await stage.journal.byRequest(SITE, 'q'))?.slot?.storageId).toBe(12 + TURN);
    await expect(sign(approval, { requestId: 'r', draft: replacing, reuse: 14 })).rejects.toThrow();
    expect((await stage.journal.byRequest(SITE, 'r'))?.slot?.storageId).toBe(14 + TURN);
  });

  test('is not made when a newer order took the slot since the review', async () => {
    const replacing = {
      body: order.body,
      shown: { ...order.shown, replaced: { storageId: 12, order: { hash: HASH } } },
    };
    const approval = (id: string) => orderRequest({ id, operation: 'hardCancel', draft: replacing });
    const { id, hash } = await sign(approval('q'));
    await expect(sign(approval('r'))).rejects.toMatchObject({
      ...{ name: 'FactsChanged', text: { key: 'problem_newerInSlot', values: { hash: { kind: 'hex', hex: hash } } } },
    });
    const abandoned = await stage.journal.byRequest(SITE, 'r');
    expect(abandoned?.state).toBe('abandoned');
    expect(abandoned?.history.at(-1)).toMatchObject({ note: 'A newer order took the slot.' });
    await stage.journal.markFinal(id, 'failed');
    expect(await sign(approval('s'))).toMatchObject({ state: 'signed', slot: { storageId: 12 + 3 * TURN } });
  });

  test('of an id far ahead needs the number that the user was shown', async () => {
    next[1] = 2_000_000;
    await expect(sign()).rejects.toMatchObject({ code: 'id-jump', jump: { known: 0, named: 2_000_000 } });
    const idJump = { known: 0, named: 2_000_000 };
    // The shown one counts, whatever the relayer says by now.
    next[1] = 3_000_000;
    expect(idOf(await sign(orderRequest({ idJump })))).toBe(2_000_000);
    const joined = orderRequest({ id: 'r', idJump: { known: 2_000_002, named: 4_000_000 } });
    expect(idOf(await sign(joined))).toBe(4_000_000);
  });

  test('within a standing approval is counted by it, up to three times; by hand there is one', async () => {
    await stage.journal.openRule('one', {
      limits: { sold: 1_000n },
      rate: { most: 9, perMs: 1 },
      expiresAt: (NOW + DAY) * 1000,
    });
    const within = orderRequest({ rule: 'one' });
    for (const copy of [1, 2, 3]) {
      const record = await sign(within);
      expect(record).toMatchObject({ rule: 'one', ...(copy > 1 ? { copy } : {}) });
      expect(await stage.journal.getRule('one')).toMatchObject({ spent: { sold: 100n * BigInt(copy) } });
      await stage.refuse(record.id);
    }
    await expect(sign(within)).rejects.toMatchObject({ code: 'signed-before' });
    const byHand = orderRequest({ id: 'r' });
    await stage.refuse((await sign(byHand)).id);
    await expect(sign(byHand)).rejects.toMatchObject({ code: 'signed-before' });
    expect(await sign({ ...byHand, copies: 2 })).toMatchObject({ copy: 2 });
    expect(await stage.journal.getRule('one')).toMatchObject({ spent: { sold: 300n } });
  });

  test.each(['late', 'taken-back'] as const)('is not made for an approval that is %s by then', async (reason) => {
    lapse = reason;
    const failed = await sign().catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(ApprovalLapsed);
    expect(failed).toMatchObject({ reason });
    const record = await stage.journal.byRequest(SITE, 'q');
    expect(record).toMatchObject({ state: 'abandoned' });
    expect(record?.history.at(-1)?.note).toBe('no signature left the wallet');
    expect(record?.wire).toBeUndefined();
  });

  test('is not made when what was shown has changed, and the record says so', async () => {
    const replaced = { order: { hash: HASH, status: 'processing', baseFilled: '0' }, storageId: 12 };
    const draft = { body: order.body, shown: { ...order.shown, replaced } };
    await expect(sign(orderRequest({ operation: 'replaceOrder', draft }))).rejects.toMatchObject({
      name: 'FactsChanged',
    });
    const record = await stage.journal.byRequest(SITE, 'q');
    expect(record?.state).toBe('abandoned');
    expect(record?.history.at(-1)?.note).toBe('The order that was to be replaced is not as it was shown.');
    expect(claimed).toEqual([]);
  });

  describe('of a request that its owner approves in another wallet', () => {
    const shownSlot = { tokenId: 40_000, nftData: HASH };
    const draft = {
      body: {
        ...{ exchange: `0x${'1'.repeat(40)}`, fromAccountId: account.accountId, fromAddress: account.owner },
        ...{ toAccountId: 0, toAddress: `0x${'2'.repeat(40)}`, token: { ...shownSlot, amount: '1' } },
        ...{ maxFee: { tokenId: 0, amount: '1' }, memo: '', validUntil: NOW + DAY },
      },
      shown: { slot: shownSlot },
    };
    /** @param then - NFT in the slot once the owner has answered. */
    async function signOwned(then: string) {
      const steps: string[] = [];
      let held: string = HASH;
      const relayer = createRelayerClient({
        baseUrl: network.baseUrl,
        now: () => spent,
        sleep: async (ms) => {
          spent += ms;
        },
        fetch: async (input) => {
          if (new URL(String(input)).pathname === '/api/v3/storageId')
            return Response.json({ orderId: 0, offchainId: 1 });
          steps.push('look');
          return Response.json(slots({ ...slotRow, tokenId: 40_000, nftData: held }));
        },
      });
      const owned = {
        ...keys,
        approveByOwner: async (typedData: never) => {
          steps.push('owner');
          held = then;
          return keys.approveByOwner(typedData);
        },
        signEddsa: async (hash: bigint) => {
          steps.push('key');
          return keys.signEddsa(hash);
        },
      };
      const base = wallet();
      const deps = {
        ...{ ...base, relayers: { client: () => relayer } },
        accountKeys: { ...base.accountKeys, keysOf: () => owned },
      };
      const approval = approvedRequest({ operation: 'transferNft', draft });
      const outcome = await signOnce(deps as never, approval, attemptOf(approval), account, network).catch((e) => e);
      return { outcome, steps };
    }

    test('comes after one more look at what was shown', async () => {
      const { outcome, steps } = await signOwned(HASH);
      expect(outcome).toMatchObject({ state: 'signed' });
      expect(steps).toEqual(['look', 'owner', 'look', 'key']);
    });

    test('is not made when that has changed meanwhile', async () => {
      const { outcome, steps } = await signOwned(`0x${'cd'.repeat(32)}`);
      expect(outcome).toMatchObject({ name: 'FactsChanged' });
      expect(steps).toEqual(['look', 'owner', 'look']);
      expect(await stage.journal.byRequest(SITE, 'q')).toMatchObject({ state: 'abandoned' });
    });
  });
});

describe('a request that is carried out again', () => {
  /** What was done, in order; the outcome of a check is the test's. */
  let done: string[];
  let checked: (id: string) => Promise<SubmissionRecord>;
  beforeEach(() => {
    done = [];
    checked = async (id) => (await stage.journal.get(id)) as SubmissionRecord;
  });
  const submit = (approval = orderRequest(), attempt = attemptOf(approval), ...isTaken: [boolean?]) =>
    submitOnce(
      {
        ...(wallet() as object),
        journal: {
          ...stage.journal,
          reserve: (...of: Parameters<typeof stage.journal.reserve>) => {
            done.push('sign');
            return stage.journal.reserve(...of);
          },
        },
        submissions: {
          check: async (id: string) => {
            done.push('check');
            return checked(id);
          },
          send: async ({ id }: SubmissionRecord) => {
            done.push('send');
            return stage.journal.markSent(id);
          },
        },
      } as never,
      approval,
      attempt,
      account,
      network,
      ...isTaken,
    );

  test('is signed and sent once; without an answer it is looked up', async () => {
    expect((await submit()).state).toBe('sent');
    expect(done).toEqual(['sign', 'send']);
    await submit();
    expect(done).toEqual(['sign', 'send', 'check']);
  });

  test('is looked up when the worker stopped between signature and sending', async () => {
    await sign();
    expect((await submit()).state).toBe('signed');
    expect(done).toEqual(['check']);
  });

  test('is as it is once the relayer has it', async () => {
    const { id } = await sign();
    await stage.journal.markAcknowledged(id, {});
    expect((await submit()).state).toBe('acknowledged');
    await stage.journal.markFinal(id, 'processed');
    expect((await submit()).state).toBe('processed');
    expect(done).toEqual([]);
  });

  test('is signed when what was reserved for it was given up', async () => {
    lapse = 'late';
    await expect(sign()).rejects.toThrow();
    lapse = null;
    expect((await submit()).state).toBe('sent');
    expect(done).toEqual(['sign', 'send']);
  });

  test('is not signed again when its signature was given up after the click, and is after another click', async () => {
    const { id } = await sign();
    await stage.journal.markAbandoned(id, 'given up before it was sent');
    expect(await submit()).toMatchObject({ id, state: 'abandoned' });
    expect(done).toEqual([]);
    expect((await submit(orderRequest({ decidedAt: stage.clock.ms + 1 }))).state).toBe('sent');
  });

  test('is not signed again within a standing approval when a further copy was given up', async () => {
    await stage.journal.openRule('one', {
      ...{ limits: { sold: 1_000n }, rate: { most: 9, perMs: 1 }, expiresAt: (NOW + DAY) * 1000 },
    });
    const within = orderRequest({ rule: 'one' });
    await stage.refuse((await sign(within)).id);
    const { id } = await sign(within);
    await stage.journal.markAbandoned(id, 'given up before it was sent');
    for (const isTaken of [false, true])
      expect(await submit(within, attemptOf(within), isTaken)).toMatchObject({ id, state: 'abandoned' });
    expect(done).toEqual([]);
  });

  test('that another worker reserved and has not signed is for the journal to refuse', async () => {
    const { draft, digest: reviewDigest, id: requestId } = orderRequest();
    await stage.journal.reserve({
      ...{ networkId: 'net', accountId: account.accountId, origin: SITE, requestId, operation: 'submitOrder' },
      ...{ draft: draft.body, reviewDigest },
    });
    await expect(submit()).rejects.toMatchObject({ code: 'request-exists' });
    expect(done).toEqual(['sign']);
  });

  test('is refused for good when no further signature was approved', async () => {
    await stage.refuse((await sign()).id);
    expect((await submit()).state).toBe('refused');
    expect(done).toEqual([]);
  });

  test('is not signed once more for a signature of another attempt that was approved', async () => {
    const second = { requestId: 'q/1', draft: order };
    await stage.refuse((await sign(orderRequest({ copies: 2 }), second)).id);
    expect((await submit(orderRequest({ copies: 2 }), second)).state).toBe('refused');
    await expect(sign(orderRequest({ copies: 2 }), second)).rejects.toMatchObject({ code: 'signed-before' });
    expect(await submit(orderRequest({ copies: 2, copiesFor: 'q/1' }), second)).toMatchObject({ copy: 2 });
    expect(done).toEqual(['check', 'sign', 'send']);
  });

  test('within a standing approval is signed once more only for an id that another browser used', async () => {
    await stage.journal.openRule('one', {
      ...{ limits: { sold: 1_000n }, rate: { most: 9, perMs: 1 }, expiresAt: (NOW + DAY) * 1000 },
    });
    const within = orderRequest({ rule: 'one' });
    await stage.refuse((await sign(within)).id);
    expect((await submit(within)).state).toBe('refused');
    expect(done).toEqual([]);
    expect(await submit(within, attemptOf(within), true)).toMatchObject({ state: 'sent', copy: 2 });
  });

  test('is signed once more when one was approved, after one more look', async () => {
    await stage.refuse((await sign()).id);
    const again = orderRequest({ copies: 2 });
    expect(await submit(again)).toMatchObject({ state: 'sent', copy: 2 });
    expect(done).toEqual(['check', 'sign', 'send']);
    done = [];
    await stage.refuse((await stage.journal.byRequest(SITE, 'q'))?.id ?? '');
    expect(await submit(again)).toMatchObject({ state: 'refused', copy: 2 });
    expect(done).toEqual([]);
  });

  test('is what its refused copy became, when a further one was given up before it was signed', async () => {
    const { id } = await sign();
    await stage.refuse(id);
    lapse = 'late';
    await expect(sign(orderRequest({ copies: 2 }))).rejects.toBeInstanceOf(ApprovalLapsed);
    lapse = null;
    done = [];
    checked = () => stage.journal.markAcknowledged(id, {});
    expect(await submit(orderRequest({ copies: 2 }))).toMatchObject({ id, state: 'acknowledged' });
    expect(done).toEqual(['check']);
    expect(await submit(orderRequest({ copies: 2 }))).toMatchObject({ id, state: 'acknowledged' });
    expect(done).toEqual(['check']);
  });

  test('is not signed once more when a look finds the first of two refused copies', async () => {
    const first = await sign();
    await stage.refuse(first.id);
    await stage.refuse((await sign(orderRequest({ copies: 2 }))).id);
    checked = async (id) =>
      id === first.id ? stage.journal.markAcknowledged(id, {}) : ((await stage.journal.get(id)) as SubmissionRecord);
    expect(await submit(orderRequest({ copies: 3 }))).toMatchObject({ id: first.id, state: 'acknowledged' });
    expect(done).toEqual(['check']);
  });

  test('is not signed when a look finds an attempt before it, which was refused', async () => {
    const oneOf = orderRequest({ operation: 'submitOneOf' });
    const second = { requestId: 'q/1', draft: order };
    const { id } = await sign(oneOf);
    await stage.refuse(id);
    checked = (checkedId) => stage.journal.markAcknowledged(checkedId, {});
    expect(await submit(oneOf, second)).toMatchObject({ id, state: 'acknowledged' });
    expect(done).toEqual(['check']);
    done = [];
    checked = (checkedId) =>
      stage.journal.markFinal(checkedId, 'cancelled', { ack: { status: 'cancelled', volumes: { baseFilled: '0' } } });
    expect(await submit(oneOf, second)).toMatchObject({ requestId: 'q/1', state: 'sent' });
    expect(done).toEqual(['check', 'sign', 'send']);
  });

  test('is not signed once more when that look finds it at the relayer', async () => {
    await stage.refuse((await sign()).id);
    checked = (id) => stage.journal.markAcknowledged(id, {});
    expect((await submit(orderRequest({ copies: 2 }))).state).toBe('acknowledged');
    expect(done).toEqual(['check']);
  });
});

describe('the id of a refused request was used elsewhere', () => {
  const isUsed = (record: SubmissionRecord) => isUsedElsewhere(wallet() as never, record, account, network);
  const refused = async (name: RelayerErrorName, approval = orderRequest()) =>
    stage.refuse((await sign(approval)).id, relayerErrors[name].code);
  const cursor = (tokenId: number, parity: 'order' | 'offchain' = 'order') =>
    nextOf(stage.journal, { networkId: 'net', accountId: account.accountId, tokenId, parity });

  test.each([
    ['ORDER_ID_INVALID', true],
    ['ORDER_EXISTS', true],
    ['NONCE_INVALID', true],
    ['STORAGE_ID_INVALID', true],
    ['BALANCE_INSUFFICIENT', false],
    ['SIGNATURE_WRONG', false],
  ] as const)('after %s, when the relayer counts beyond it: %s', async (name, isTaken) => {
    const record = await refused(name);
    next[1] = 22;
    asked = [];
    expect(await isUsed(record)).toBe(isTaken);
    expect(asked.length > 0).toBe(isTaken);
    next[1] = 30;
    expect(await isUsed(record)).toBe(isTaken);
    expect(await cursor(1)).toBe(isTaken ? 30 : 22);
  });

  test('not while the relayer counts no further than to it', async () => {
    const record = await refused('ORDER_EXISTS');
    for (const id of [18, 20]) {
      next[1] = id;
      expect(await isUsed(record)).toBe(false);
    }
  });

  test('not when the relayer has it, nor without an id', async () => {
    const { id } = await sign();
    next[1] = 30;
    const sent = await stage.journal.markSent(id);
    const error = { code: relayerErrors.ORDER_EXISTS.code, message: 'no' };
    expect(await isUsed({ ...sent, error })).toBe(false);
    const { slot: _, ...without } = await stage.refuse(id, relayerErrors.ORDER_EXISTS.code);
    expect(await isUsed(without)).toBe(false);
  });

  test.each([network.id, TWIN])('not when another request of this wallet explains the count: %s', async (networkId) => {
    const record = await refused('ORDER_EXISTS');
    await stage.sign({ networkId, requestId: 'r' }, { slot: { tokenId: 1, parity: 'order' } });
    next[1] = 24;
    expect(await isUsed(record)).toBe(false);
    next[1] = 26;
    expect(await isUsed(record)).toBe(true);
  });

  test.each([
    [20, false],
    [22, false],
    [24, true],
    [26, true],
  ])('when only an own replacement explains the count, and the lowest free id is %i: %s', async (lowest, isTaken) => {
    const first = await stage.sign(
      { requestId: 'first' },
      { slot: { tokenId: 1, parity: 'order', nextFromRelayer: 20 } },
    );
    const record = await refused('ORDER_EXISTS');
    expect(record.slot?.storageId).toBe(22);
    const reuse = first.slot?.storageId;
    await stage.sign({ requestId: 'replacement' }, { slot: { tokenId: 1, parity: 'order', reuse } });
    next[1] = 20 + TURN + 2;
    lowestFree = lowest;
    expect(await isUsed(record)).toBe(isTaken);
    expect(await cursor(1)).toBe(Math.max(24, lowest));
  });

  test('by the lowest free id, where own replacements of one order explain a count turns ahead', async () => {
    const first = await stage.sign(
      { requestId: 'first' },
      { slot: { tokenId: 1, parity: 'order', nextFromRelayer: 20 } },
    );
    const record = await refused('ORDER_EXISTS');
    const reuse = first.slot?.storageId;
    for (const requestId of ['second', 'third'])
      await stage.sign({ requestId }, { slot: { tokenId: 1, parity: 'order', reuse } });
    next[1] = 20 + 2 * TURN + 2;
    lowestFree = 24;
    expect(await isUsed(record)).toBe(true);
    lowestFree = 22;
    expect(await isUsed(record)).toBe(false);
    expect(await cursor(1)).toBe(24);
  });

  test.each([
    ['', 26 + TURN, []],
    [' as the lowest free one', 22 + TURN, [20]],
  ])('is not believed%s when it lies more than one turn of the slots ahead', async (_as, highest, replaced) => {
    await stage.sign({ requestId: 'first' }, { slot: { tokenId: 1, parity: 'order', nextFromRelayer: 20 } });
    const record = await refused('ORDER_EXISTS');
    for (const reuse of replaced)
      await stage.sign({ requestId: 'replacement' }, { slot: { tokenId: 1, parity: 'order', reuse } });
    next[1] = highest;
    lowestFree = 26 + TURN;
    await expect(isUsed(record)).rejects.toMatchObject({ code: 'id-jump', jump: { known: 24, named: 26 + TURN } });
    expect(await cursor(1)).toBe(24);
  });

  test('whatever was refused besides, or took ids of another kind, token or account', async () => {
    const record = await refused('ORDER_EXISTS');
    await refused('ORDER_EXISTS', orderRequest({ id: 'r' }));
    const other = { parity: 'offchain', nextFromRelayer: 901 } as const;
    await stage.sign({ requestId: 'other kind' }, { slot: { tokenId: 1, ...other } });
    await stage.sign({ requestId: 'other token' }, { slot: { tokenId: 0, parity: 'order', nextFromRelayer: 900 } });
    for (const changes of [{ accountId: 7 }, { networkId: 'other' }])
      await stage.sign(
        { requestId: JSON.stringify(changes), ...changes },
        { slot: { tokenId: 1, parity: 'order', nextFromRelayer: 900 } },
      );
    await stage.sign({ requestId: 'none' });
    next[1] = 24;
    expect(await isUsed(record)).toBe(true);
    expect(await cursor(0)).toBe(902);
  });

  test('in either of two tokens, and both counters move on', async () => {
    const own = await stage.sign(
      { operation: 'joinAmmPool' },
      { slot: { tokenId: 1, parity: 'offchain', nextFromRelayer: 21, also: { tokenId: 0, nextFromRelayer: 41 } } },
    );
    const record = await stage.refuse(own.id, relayerErrors.STORAGE_ID_INVALID.code);
    expect(record.slot?.storageId).toBe(41);
    expect(await isUsed(record)).toBe(false);
    // The relayer names the even ids; those of this kind are one above.
    next = { 0: 44, 1: 20 };
    expect(await isUsed(record)).toBe(true);
    expect([await cursor(0, 'offchain'), await cursor(1, 'offchain')]).toEqual([45, 43]);
    next = { 0: 40, 1: 50 };
    expect(await isUsed(record)).toBe(true);
    expect(await cursor(1, 'offchain')).toBe(51);
  });
});
