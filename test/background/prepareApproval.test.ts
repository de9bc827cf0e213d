import { beforeEach, describe, expect, test } from 'vitest';
import { keepProblem } from '../../src/background/approvals/keepProblem.ts';
import { prepareApproval, resumeApprovals } from '../../src/background/approvals/prepareApproval.ts';
import { prepareOperation } from '../../src/background/approvals/prepareOperation.ts';
import type {
  PendingRequest,
  RequestApproval,
  StoredApproval,
} from '../../src/background/approvals/store/storedApproval.ts';
import { RelayerClientError } from '../../src/client/index.ts';
import { OWN_ORIGIN } from '../../src/messaging/ownOrigin.ts';
import { approvalDigest } from '../../src/operations/approvalDigest.ts';
import { reviewOf } from '../../src/operations/askedAgain.ts';
import { ChoiceNeeded, ClockBehind, type Facts, IntentError } from '../../src/operations/operation.ts';
import { submitOrder } from '../../src/operations/submitOrder.ts';
import { VaultError } from '../../src/vault/index.ts';
import { ACCOUNT_ID, factsWith, feeAnswer, now as NOW, OWNER, pointOf } from '../operations/facts.ts';
import {
  type ApprovalStage,
  account,
  approvedRequest,
  connection,
  createApprovalStage,
  NOW_MS,
  network,
  pendingRequest,
  readyRequest,
  review,
  SITE,
  unlock,
} from './approvalStage.ts';
import { createStandingStage, standingOf, terms } from './standingStage.ts';

const MINUTE = 60_000;
const choice = { publicKey: pointOf(5), kind: 'random', keySeed: '', nonce: 1, backedUp: true } as const;
/** A pool of 1,000 LRC and 100 ETH. */
const pool = {
  ...{ poolName: 'P', poolAddress: `0x${'9'.repeat(40)}`, lp: { tokenId: 100, volume: '1' }, risky: false },
  pooled: [
    { tokenId: 1, volume: '1000' },
    { tokenId: 0, volume: '100' },
  ],
};
const registered = { accountId: ACCOUNT_ID, owner: OWNER, frozen: false, publicKey: pointOf(3), nonce: 1, keySeed: '' };
const facts = factsWith({
  getAmmBalances: () => [pool],
  getAccount: () => registered,
  getOffchainFee: () => feeAnswer({ LRC: '1' }),
});
const sale = { sellToken: { tokenId: 1, volume: '100' }, buyToken: { tokenId: 0, volume: '10' } };
const order = (changes: object = {}) =>
  pendingRequest({
    operation: 'submitOrder',
    intent: { ...sale, validUntil: NOW + 600 },
    ...changes,
  }) as PendingRequest;

let stage: ApprovalStage;
beforeEach(() => {
  stage = createApprovalStage();
});
const stored = (id = 'q') => stage.approvals.get(id);

describe('an approval request is prepared', () => {
  let isUnlocked: boolean;
  let failure: unknown;
  beforeEach(() => {
    isUnlocked = true;
    failure = undefined;
  });
  const asking = () => {};
  const prepare = async (approval?: StoredApproval, id = 'q') => {
    if (approval) await stage.approvals.put(approval);
    const { step, approvals, clock } = stage;
    await prepareApproval(
      {
        approvals,
        vault: { isUnlocked: async () => isUnlocked },
        ports: { now: () => clock.ms, toUi: () => stage.calls.push(['toUi']) },
        answerUnlock: step('answerUnlock'),
        prepareOperation: async (...of: unknown[]) => {
          await step('prepareOperation')(...of);
          if (failure) throw failure;
        },
        keepProblem: step('keepProblem'),
      } as never,
      id,
      asking,
    );
    return stage.calls.splice(0);
  };

  test('while it waits, could not be, or its review is too old', async () => {
    for (const approval of [pendingRequest(), pendingRequest({ stage: 'unavailable', problem: { key: 'a' } })])
      expect(await prepare(approval)).toEqual([['prepareOperation', approval, asking], ['toUi']]);
    const ready = readyRequest();
    stage.clock.ms += MINUTE;
    expect(await prepare(ready)).toEqual([]);
    stage.clock.ms += 1;
    expect(await prepare(ready)).toEqual([['prepareOperation', ready, asking], ['toUi']]);
  });

  test('not while the user has to choose, once it is decided, or when it is gone', async () => {
    stage.clock.ms += 2 * MINUTE;
    for (const approval of [
      pendingRequest({ stage: 'choosing', review, reviewedAt: NOW }),
      approvedRequest(),
      pendingRequest({ stage: 'closed' }),
    ])
      expect(await prepare(approval)).toEqual([]);
    expect(await prepare(undefined, 'nothing')).toEqual([]);
  });

  test('as a connection without the password, once', async () => {
    isUnlocked = false;
    expect(await prepare(connection())).toEqual([['toUi']]);
    const ready = { ...connection(), stage: 'ready', digest: approvalDigest(connection(), '') };
    expect(await stored()).toEqual(ready);
    expect(await prepare()).toEqual([]);
    expect(await stored()).toEqual(ready);
  });

  test('as a connection only while it still waits', async () => {
    for (const meanwhile of [{ ...connection(), stage: 'closed' }, order()] as StoredApproval[]) {
      const { update } = stage.approvals;
      const racing = async (...of: Parameters<typeof update>) => {
        await stage.approvals.put(meanwhile);
        return update(...of);
      };
      await stage.approvals.put(connection());
      await prepareApproval(
        {
          approvals: { ...stage.approvals, update: racing },
          vault: { isUnlocked: async () => true },
          ports: { now: () => stage.clock.ms, toUi: () => {} },
        } as never,
        'q',
      );
      expect(await stored()).toEqual(meanwhile);
    }
  });

  test('as one that waits for the unlock by its answer', async () => {
    isUnlocked = false;
    expect(await prepare(unlock())).toEqual([['answerUnlock', 'q']]);
  });

  test('with the password only, and waits for it also when it is locked meanwhile', async () => {
    isUnlocked = false;
    expect(await prepare(pendingRequest())).toEqual([]);
    isUnlocked = true;
    failure = new VaultError('locked', 'locked');
    expect((await prepare(pendingRequest())).map(([name]) => name)).toEqual(['prepareOperation', 'toUi']);
  });

  test('and keeps why it could not be', async () => {
    for (failure of [
      new Error('no answer'),
      new VaultError('corrupt', 'corrupt'),
      Object.assign(new Error('a'), { code: 'locked' }),
    ])
      expect(await prepare(pendingRequest())).toEqual([
        ['prepareOperation', pendingRequest(), asking],
        ['keepProblem', pendingRequest(), failure],
        ['toUi'],
      ]);
  });

  test('after an unlock, everything that waited and whose page is there', async () => {
    await stage.approvals.put(pendingRequest({ id: 'b', createdAt: NOW_MS + 1 }));
    await stage.approvals.put(pendingRequest({ id: 'a' }));
    await stage.approvals.put(pendingRequest({ id: 'c', stage: 'unavailable' }));
    await stage.approvals.put(readyRequest({ id: 'd' }));
    await stage.approvals.put(pendingRequest({ id: 'e' }));
    const leftPages = { end: async () => {}, endIf: async (id: string) => id === 'e' };
    await resumeApprovals({
      approvals: stage.approvals,
      leftPages,
      prepare: stage.step('prepare') as never,
      carryOut: stage.step('carryOut') as never,
    });
    expect(stage.calls).toEqual([
      ['prepare', 'a'],
      ['prepare', 'b'],
    ]);
  });
});

describe('the draft and review of a request', () => {
  let place: { account?: typeof account; network?: typeof network };
  let standing: ReturnType<typeof createStandingStage>;
  let given: Facts;
  /** How the result was stored. */
  let writes: string[];
  let beforeWrite: StoredApproval | undefined;
  beforeEach(() => {
    place = { account, network };
    standing = createStandingStage();
    given = facts;
    writes = [];
    beforeWrite = undefined;
  });
  const prepare = async (approval: PendingRequest = order(), asking?: () => void) => {
    await stage.approvals.put(approval);
    const write =
      (how: 'complete' | 'update') =>
      async (...of: Parameters<typeof stage.approvals.update>) => {
        writes.push(how);
        if (beforeWrite) await stage.approvals.put(beforeWrite);
        return stage.approvals[how](...of);
      };
    await prepareOperation(
      {
        approvals: { complete: write('complete'), update: write('update') },
        candidates: async (of: unknown) => {
          expect(of).toEqual(approval);
          stage.calls.push(['candidates']);
          return standing.standing.active();
        },
        config: { place: async (id: string) => (id === account.id ? place : {}) },
        factsOf: (...of: unknown[]) => {
          expect(of).toEqual([account, network, approval.origin, asking]);
          return given;
        },
        journal: standing.journal,
        ports: { now: () => stage.clock.ms },
      } as never,
      approval,
      asking,
    );
    return (await stored(approval.id)) as RequestApproval;
  };

  test('are stored together with their digest and the time of the facts', async () => {
    stage.clock.ms += 5_000;
    const draft = await submitOrder.prepare(order().intent as never, facts);
    const prepared = { draft, review: submitOrder.review(draft, NOW), reviewedAt: NOW };
    const digest = approvalDigest({ ...order(), draft }, network.exchangeAddress);
    expect(await prepare(order({ problem: { key: 'old' } }), () => {})).toEqual({
      ...{ ...order(), ...prepared, digest, stage: 'ready' },
    });
    expect(writes).toEqual(['complete']);
  });

  test.each(['account', 'network'] as const)('need the %s', async (gone) => {
    delete place[gone];
    const failed = await prepare().catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(IntentError);
    expect(failed).toMatchObject({ field: 'account', message: 'account: is not in this wallet any more' });
  });

  test('keep the first review that the user saw', async () => {
    const seen = { review, reviewedAt: NOW - 90 };
    expect((await prepare(order(seen))).first).toEqual(seen);
    const first = { review: { ...review, rows: [] }, reviewedAt: NOW - 200 };
    expect((await prepare(order({ ...seen, first }))).first).toEqual(first);
    expect(await prepare(order({ review }))).not.toHaveProperty('first');
    expect(await prepare(order({ reviewedAt: 0, review }))).toMatchObject({ first: { reviewedAt: 0 } });
    expect(await prepare()).not.toHaveProperty('first');
  });

  test('are of the key that the user chose', async () => {
    const asked = { operation: 'updateAccountKey', intent: {} };
    await expect(prepare(order(asked))).rejects.toBeInstanceOf(ChoiceNeeded);
    expect(await prepare(order({ ...asked, choice }))).toMatchObject({
      draft: { body: { publicKey: choice.publicKey } },
    });
  });

  test('say what was signed before', async () => {
    const signedBefore = { copies: 1, validUntil: NOW + 300 };
    const again = await prepare(order({ signedBefore, byHand: true }));
    expect(again.draft?.shown).toMatchObject({ signedBefore });
    expect(again.review?.warnings[0]?.rule).toBe('signed-before');
    expect(again.review).toEqual(reviewOf(submitOrder, again.draft as never, NOW));
  });

  test('are answered by a standing approval that covers them', async () => {
    await standing.standing.open(standingOf('one'));
    stage.clock.ms += 7;
    const answered = await prepare();
    expect(answered).toMatchObject({ stage: 'approved', rule: 'one', decidedAt: NOW_MS + 7, reviewedAt: NOW });
    expect(answered.digest).toBe(approvalDigest(answered, network.exchangeAddress));
    // What is carried out without a click must outlast a power cut.
    expect(writes).toEqual(['update']);
  });

  test.each([
    ['shorter', 'longer'],
    ['longer', 'shorter'],
  ])('have an end within the standing approval where the site names none: %s, then %s', async (...ids) => {
    const ends = { shorter: NOW + 3_900, longer: NOW + 4_000 } as Record<string, number>;
    for (const id of ids)
      await standing.standing.open(
        standingOf(id, { account: account.id, terms: { ...terms, validUntil: ends[id] ?? 0 } }),
      );
    const answered = await prepare(order({ intent: sale }));
    expect(answered).toMatchObject({ stage: 'approved', draft: { body: { validUntil: NOW + 4_000 } } });
  });

  test('have an end within the standing approval of their direction', async () => {
    const buying = {
      ...{ account: account.id, terms: { ...terms, sellTokenId: 0, buyTokenId: 1, minPrice: undefined } },
      shown: { ...standingOf('one').shown, sell: standingOf('one').shown.buy, buy: standingOf('one').shown.sell },
    };
    await standing.standing.open(standingOf('selling'));
    await standing.standing.open(
      standingOf('buying', {
        ...buying,
        terms: { ...buying.terms, validUntil: NOW + 4_000 },
        shown: { ...buying.shown, side: 'BUY' },
      }),
    );
    const ends = (rule: string, validUntil: number) => ({ stage: 'approved', rule, draft: { body: { validUntil } } });
    expect(await prepare(order({ intent: sale }))).toMatchObject(ends('selling', NOW + 3_600));
    const purchase = { sellToken: { tokenId: 0, volume: '10' }, buyToken: { tokenId: 1, volume: '99' } };
    expect(await prepare(order({ id: 'buy', intent: purchase }))).toMatchObject(ends('buying', NOW + 4_000));
  });

  test('have an end within the standing approval that covers them, of several in one direction', async () => {
    await standing.standing.open(standingOf('one'));
    const narrow = { ...terms, orderVolume: '99' };
    await standing.standing.open(standingOf('narrow', { terms: { ...narrow, validUntil: NOW + 4_000 } }));
    await standing.standing.open(standingOf('endless', { terms: { ...narrow, validUntil: NOW + 40 * 86_400 } }));
    expect(await prepare(order({ intent: sale }))).toMatchObject({
      ...{ stage: 'approved', rule: 'one', draft: { body: { validUntil: NOW + 3_600 } } },
    });
  });

  test('have none where their operation has none, also beside a standing approval for it', async () => {
    const hash = `0x${'ab'.repeat(32)}`;
    const known = { clientOrderId: '', market: 'LRC-ETH', side: 'SELL', status: 'processing' } as const;
    const amounts = { baseAmount: '1', quoteAmount: '1', baseFilled: '0' };
    given = { ...facts, order: async () => ({ hash, ...known, ...amounts }) };
    await standing.standing.open(standingOf('one', { terms: { ...terms, operations: ['cancelOrder'] } }));
    const cancellation = await prepare(order({ operation: 'cancelOrder', intent: { orderHash: hash } }));
    expect(cancellation).toMatchObject({ stage: 'ready', draft: { body: { orderHash: hash } } });
  });

  test('have the site’s own end when no standing approval covers them', async () => {
    const alone = await prepare(order({ intent: sale }));
    await standing.standing.open(standingOf('one', { terms: { ...terms, orderVolume: '99' } }));
    const asked = await prepare(order({ intent: sale }));
    expect(asked).toEqual(alone);
    expect(asked.stage).toBe('ready');
    expect(writes).toEqual(['complete', 'complete']);
  });

  test('are for the user when the end within a standing approval comes too soon for the relayer’s clock', async () => {
    given = factsWith({
      getAmmBalances: () => [pool],
      getTimestamp: () => ({ timestamp: (NOW + 3_540) * 1000 }),
    });
    await standing.standing.open(standingOf('one'));
    expect(await prepare(order({ intent: sale }))).toMatchObject({
      ...{ stage: 'ready', draft: { body: { validUntil: NOW + 30 * 86_400 } } },
    });
    await standing.standing.open(standingOf('longer', { terms: { ...terms, validUntil: NOW + 7_200 } }));
    expect(await prepare(order({ intent: sale }))).toMatchObject({ stage: 'approved', rule: 'longer' });
    await expect(prepare(order())).rejects.toBeInstanceOf(ClockBehind);
  });

  test('are not stored over what was decided, ended or made tighter meanwhile', async () => {
    const ready = readyRequest({ operation: 'submitOrder', intent: order().intent }) as PendingRequest;
    for (const meanwhile of [
      approvedRequest({ operation: 'submitOrder' }),
      pendingRequest({ stage: 'closed' }),
      pendingRequest({ stage: 'choosing' }),
      readyRequest({ digest: '0xother' }),
      connection(),
    ]) {
      beforeWrite = meanwhile;
      await prepare(ready);
      expect(await stored()).toEqual(meanwhile);
    }
    beforeWrite = readyRequest();
    await prepare(order());
    expect(await stored()).toEqual(readyRequest());
  });

  test.each([
    ['the relayer named an id far ahead', { byHand: true, idJump: { known: 2, named: 4_000_000 } }],
    ['it was signed before', { byHand: true, signedBefore: { copies: 1, validUntil: null } }],
    ['no standing approval may answer it any more', { byHand: true }],
    ['another key was chosen', { choice }],
    ['its limits were made tighter', { intent: sale }],
  ])('are not stored when meanwhile %s, also by a standing approval', async (_what, changes) => {
    beforeWrite = order(changes);
    expect(await prepare()).toEqual(beforeWrite);
    await standing.standing.open(standingOf('one'));
    expect(await prepare()).toEqual(beforeWrite);
  });

  test('are stored of what was drawn meanwhile, and not by a standing approval', async () => {
    beforeWrite = order({ stage: 'unavailable', problem: { key: 'a' }, review, reviewedAt: NOW });
    await standing.standing.open(standingOf('one'));
    expect(await prepare()).toEqual(beforeWrite);
    await standing.standing.end(() => true, 'user');
    expect((await prepare()).stage).toBe('ready');
  });

  test('are stored over what still waits, and over the same review', async () => {
    const ready = readyRequest({ operation: 'submitOrder', intent: order().intent }) as PendingRequest;
    beforeWrite = ready;
    expect((await prepare(ready)).digest).not.toBe(ready.digest);
    beforeWrite = order({ stage: 'unavailable', problem: { key: 'a' } });
    expect((await prepare(order())).stage).toBe('ready');
  });
});

describe('a request that could not be prepared', () => {
  let place: { network?: typeof network };
  beforeEach(() => {
    place = { network };
  });
  const fail = async (error: unknown, approval: StoredApproval = pendingRequest(), current = approval) => {
    await stage.enter(current);
    await keepProblem(
      {
        approvals: stage.approvals,
        config: { place: async (id: string) => (id === account.id ? place : {}) },
      } as never,
      approval as PendingRequest,
      error,
    );
    return stored(approval.id);
  };
  const shown = { review, reviewedAt: NOW };

  test('waits for the choice, and keeps what was seen', async () => {
    expect(await fail(new ChoiceNeeded('the key'), readyRequest())).toEqual(
      pendingRequest({ ...shown, stage: 'choosing' }),
    );
    expect(stage.calls).toEqual([]);
  });

  test('ends when it cannot be asked so, and its page hears which field is wrong', async () => {
    const problem = { values: { reason: { kind: 'text', text: 'amount: is nothing' } } };
    const closed = pendingRequest({ stage: 'closed', problem: { key: 'problem_intent', ...problem } });
    expect(await fail(new IntentError('amount', 'is nothing'))).toEqual(closed);
    expect(stage.settled).toEqual([closed]);
    expect(await stage.answerOf()).toEqual({
      error: { code: -32602, message: 'amount: is nothing', data: { field: 'amount' } },
    });
    const own = pendingRequest({ id: 'own', origin: OWN_ORIGIN, requestIds: [] });
    expect((await fail(new IntentError('amount', 'is nothing'), own))?.problem).toEqual({
      key: 'problem_ownIntent',
      ...problem,
    });
  });

  test('stays when its facts cannot be read, with the reason', async () => {
    const lost = new RelayerClientError('no answer', {
      ...{ kind: 'network', outcome: 'unknown', endpoint: 'getOrder' },
    } as never);
    const host = (text: string) => ({ key: 'error_relayerUnreachable', values: { host: { kind: 'text', text } } });
    expect(await fail(lost, readyRequest())).toEqual(
      pendingRequest({ ...shown, stage: 'unavailable', problem: host('relayer.example') }),
    );
    place = {};
    expect((await fail(lost, pendingRequest({ id: 'r', requestIds: [] })))?.problem).toEqual(host(''));
    expect(stage.calls).toEqual([]);
  });

  test('stays as it is when it was decided meanwhile', async () => {
    const decided = approvedRequest();
    for (const error of [new ChoiceNeeded('the key'), new IntentError('amount', 'is nothing'), new Error('no answer')])
      expect(await fail(error, pendingRequest({ requestIds: [] }), { ...decided, requestIds: [] })).toEqual({
        ...decided,
        requestIds: [],
      });
    const putBack = pendingRequest({ requestIds: [], byHand: true });
    expect(await fail(new IntentError('amount', 'is nothing'), pendingRequest({ requestIds: [] }), putBack)).toEqual(
      putBack,
    );
    expect(stage.calls).toEqual([]);
    expect(await stage.answerOf('page', SITE)).toBeUndefined();
  });
});
