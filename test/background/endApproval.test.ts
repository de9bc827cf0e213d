import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { answerFor, closingAnswer } from '../../src/background/approvals/answerFor.ts';
import { answerTo, pushAnswers } from '../../src/background/approvals/answerPages.ts';
import { answerUnlock, answerUnlocks } from '../../src/background/approvals/answerUnlocks.ts';
import { createBadge } from '../../src/background/approvals/badge.ts';
import {
  closeApproval,
  closeApprovalsOf,
  closeWithoutPermission,
  stillApproved,
  takenAway,
} from '../../src/background/approvals/closePending.ts';
import { endSubmitted, finish, giveUp, problemOf } from '../../src/background/approvals/endApproved.ts';
import { endFound } from '../../src/background/approvals/endFound.ts';
import { showWindow } from '../../src/background/approvals/showWindow.ts';
import { ended, type StoredApproval } from '../../src/background/approvals/store/storedApproval.ts';
import { RpcError } from '../../src/background/errors/rpcError.ts';
import { UiFailure } from '../../src/background/errors/uiFailure.ts';
import { RelayerClientError } from '../../src/client/index.ts';
import { ENDED_UNSEEN, ENDED_WITH_ACCOUNT, type SubmissionRecord } from '../../src/journal/index.ts';
import { OWN_ORIGIN } from '../../src/messaging/ownOrigin.ts';
import { FactsChanged } from '../../src/operations/operation.ts';
import { relayerErrors } from '../../src/protocol/index.ts';
import { listenForReports } from '../../src/report/report.ts';
import { now as NOW } from '../operations/facts.ts';
import {
  type ApprovalStage,
  account,
  approvedRequest,
  connection,
  createApprovalStage,
  NOW_MS,
  network,
  OTHER,
  pendingRequest,
  readyRequest,
  SITE,
  unlock,
} from './approvalStage.ts';

const HASH = `0x${'0a'.repeat(32)}`;
const TURN = 2 ** 14;

let stage: ApprovalStage;
let traces: string[];
beforeEach(() => {
  stage = createApprovalStage();
  traces = [];
  listenForReports(({ where }) => traces.push(where));
});
afterEach(() => {
  vi.useRealTimers();
});
const stored = (id = 'q') => stage.approvals.get(id);
const rejected = new RpcError('rejected', 'No.');

describe('the answer to the pages of a submission', () => {
  const recordOf = (changes: object = {}) =>
    ({
      ...{ id: 's', requestId: 'q', operation: 'transfer', state: 'acknowledged', accountId: 1, draft: {}, hash: HASH },
      history: [],
      ...{
        wire: { endpoint: 'submitTransfer', bodyText: '{}' },
        slot: { tokenId: 1, parity: 'offchain', storageId: 21 },
      },
      ...changes,
    }) as unknown as SubmissionRecord;
  const answer = (changes: object = {}) => answerFor(approvedRequest(), recordOf(changes));
  const taken = { hash: HASH, status: 'acknowledged', isIdempotent: false, requestId: 'q', storageId: 21 };

  test('that the relayer has is its hash, id and status', () => {
    expect(answer()).toEqual({ result: taken });
    expect(answer({ state: 'processed', slot: undefined, ack: { status: 'processed', isIdempotent: true } })).toEqual({
      result: { hash: HASH, status: 'processed', relayerStatus: 'processed', isIdempotent: true, requestId: 'q' },
    });
  });

  test('has what its operation adds, or is what its operation says', () => {
    const ack = { clientOrderId: 'mine' };
    expect(answer({ operation: 'submitOrder', ack })).toEqual({ result: { ...taken, clientOrderId: 'mine' } });
    const wire = { endpoint: 'none', bodyText: '{"signature":"0x5"}' };
    for (const state of ['signed', 'processed'])
      expect(answer({ operation: 'signMessage', state, wire })).toEqual({ result: '0x5' });
  });

  test('that was refused has code, name and reason, and until when it can still be carried out', () => {
    const { code } = relayerErrors.BALANCE_INSUFFICIENT;
    const error = { code, name: 'BALANCE_INSUFFICIENT', message: 'no' };
    expect(answer({ state: 'refused', error, validUntil: NOW })).toEqual({
      error: {
        ...{ code: -32003, message: 'The relayer refused: BALANCE_INSUFFICIENT.' },
        data: { code, name: 'BALANCE_INSUFFICIENT', requestId: 'q', hash: HASH, validUntil: NOW },
      },
    });
    const plain = answer({ state: 'refused', hash: undefined, error: { code, message: 'no' } });
    expect(plain).toMatchObject({ error: { message: 'The relayer refused: no.', data: { hash: null } } });
    expect((plain as { error: { data: object } }).error.data).not.toHaveProperty('validUntil');
    expect(answer({ state: 'refused' })).toMatchObject({ error: { message: 'The relayer refused: no reason given.' } });
  });

  test('that expired on its way says that it cannot happen any more', () => {
    const data = { status: 'expired', hash: HASH, requestId: 'q' };
    const message = 'The request expired before the relayer had it. It cannot happen any more.';
    expect(answer({ state: 'expired' })).toEqual({ error: { code: 4900, message, data } });
    expect(answer({ state: 'expired', hash: undefined })).toMatchObject({ error: { data: { hash: null } } });
    expect(answer({ state: 'expired', ack: {} })).toEqual({ result: { ...taken, status: 'expired' } });
  });

  test('that ended with its account or unseen, unanswered, is unknown, for it may have been carried out', () => {
    const message = 'Nobody has said how it ended. It may have been carried out: look before you send it anew.';
    for (const note of [`${ENDED_WITH_ACCOUNT}, unconfirmed`, ENDED_UNSEEN])
      expect(answer({ state: 'expired', history: [{ state: 'expired', at: NOW, note }] })).toMatchObject({
        error: { code: 4900, message, data: { status: 'unknown' } },
      });
  });

  test.each(['signed', 'sent'])('that is %s and has no answer is unknown', (state) => {
    const message =
      'The relayer did not answer. The signed request is kept and its outcome will be looked up; do not send it anew.';
    const data = { status: 'unknown', hash: HASH, requestId: 'q' };
    expect(answer({ state })).toEqual({ error: { code: 4900, message, data } });
    expect(answer({ state, validUntil: NOW, hash: undefined })).toMatchObject({
      error: { data: { validUntil: NOW, hash: null } },
    });
  });

  test('that waits for its approval on layer 1 has the hash to approve', () => {
    const waiting = {
      ...{ state: 'sent', error: { code: relayerErrors.SIGNATURE_WRONG.code, message: 'no' } },
      wire: { endpoint: 'submitTransfer', bodyText: JSON.stringify({ hashApproved: '0x7' }) },
    };
    const result = { ...taken, status: 'awaiting-approval', approveHash: '0x7' };
    expect(answer(waiting)).toEqual({ result });
    const { storageId: _, ...without } = result;
    expect(answer({ ...waiting, slot: undefined })).toEqual({ result: without });
  });
});

describe('the pages of an approval', () => {
  const told: unknown[][] = [];
  let blocked: boolean;
  let failure: Error | null;
  const rooms = () => ({
    ...{ requests: stage.requests, approvals: stage.approvals, journal: stage.journal },
    grants: { of: async () => ({ blocked }) as never },
    ports: {
      toPage: async (...of: unknown[]) => {
        told.push(of);
        if (failure) throw failure;
      },
    },
  });
  beforeEach(() => {
    told.length = 0;
    blocked = false;
    failure = null;
  });
  const answered = async (answer: object, changes: object = {}) => {
    const approval = await stage.enter(pendingRequest({ requestIds: ['page', 'b'], ...changes }));
    await stage.approvals.settle('q', (current) => ({ approval: ended(current, 'done'), answer: answer as never }));
    return approval;
  };

  test('are told its answer, each in its tab, also when one is gone', async () => {
    failure = new Error('no such tab');
    await pushAnswers(rooms(), await answered({ result: 1 }));
    expect(told).toEqual([
      [1, SITE, { id: 'page', result: 1 }],
      [2, SITE, { id: 'b', result: 1 }],
    ]);
  });

  test('of a blocked site learn nothing of a signature', async () => {
    blocked = true;
    const approval = await answered({ result: 1 });
    await pushAnswers(rooms(), approval);
    const error = { code: 4100, message: 'The user has blocked this site.', data: { reason: 'blocked' } };
    expect(told).toEqual([
      [1, SITE, { id: 'page', error }],
      [2, SITE, { id: 'b', error }],
    ]);
    const known = { code: 1, message: 'no' };
    expect(await answerTo(rooms(), { answer: { error: known }, origin: SITE } as never)).toEqual({ error: known });
    const refused = { code: -32003, message: 'no', data: { code: 102020, hash: null } };
    expect(await answerTo(rooms(), { answer: { error: refused }, origin: SITE } as never)).toEqual({ error });
    const never = { grants: { of: async () => undefined } } as never;
    expect(await answerTo(never, { answer: { result: 1 }, origin: SITE } as never)).toEqual({ result: 1 });
  });

  test('learn how their signed request stands now, and the stored error when its record cannot be read', async () => {
    const { id: submissionId } = await stage.sign();
    const approval = await stage.enter(approvedRequest({ requestIds: ['page'] }));
    const error = { code: 4900, message: 'no answer', data: { status: 'unknown', hash: '0xab', requestId: 'q' } };
    await stage.approvals.settle('q', (current) => ({
      ...{ approval: ended(current, 'done', { submissionId }), answer: { error } },
    }));
    await stage.journal.markAcknowledged(submissionId, {});
    await pushAnswers(rooms(), approval);
    expect(told.at(-1)).toMatchObject([1, SITE, { id: 'page', result: { status: 'acknowledged', requestId: 'q' } }]);
    const byRequest = () => Promise.reject(new Error('damaged'));
    await pushAnswers({ ...rooms(), journal: { ...stage.journal, byRequest } }, approval);
    expect([told.at(-1), traces]).toEqual([[1, SITE, { id: 'page', error }], ['requests: answer']]);
    const forgotten = { ...stage.journal, byRequest: async () => undefined };
    await pushAnswers({ ...rooms(), journal: forgotten }, approval);
    expect(told.at(-1)).toEqual([1, SITE, { id: 'page', error }]);
  });

  test('hear nothing before the end, nor do the wallet’s own', async () => {
    await pushAnswers(rooms(), await stage.enter(pendingRequest()));
    await pushAnswers(rooms(), await answered({ result: 1 }, { origin: OWN_ORIGIN }));
    await pushAnswers(rooms(), pendingRequest({ requestIds: ['never asked'] }));
    expect(told).toEqual([]);
  });

  test('learn of an earlier signature that can still be carried out', () => {
    const error = new RpcError('rejected', 'No.', { reason: 'pageLeft' });
    expect(closingAnswer({ id: 'q' }, error)).toEqual({
      error: { code: 4001, message: 'No.', data: { reason: 'pageLeft' } },
    });
    const message = 'No. An earlier signature that the relayer refused can still be carried out.';
    expect(closingAnswer({ id: 'q', signedBefore: { copies: 1, validUntil: NOW } }, error)).toEqual({
      error: { code: 4001, message, data: { reason: 'pageLeft', status: 'refused', requestId: 'q', validUntil: NOW } },
    });
    expect(closingAnswer({ id: 'q', signedBefore: { copies: 0, validUntil: null } }, error)).toMatchObject({
      error: { code: 4900, data: { status: 'unknown', requestId: 'q' } },
    });
    for (const data of [undefined, 'text'])
      expect(
        closingAnswer(
          { id: 'q', signedBefore: { copies: 1, validUntil: null } },
          new RpcError('rejected', 'No.', data),
        ),
      ).toEqual({
        error: { code: 4001, message, data: { status: 'refused', requestId: 'q' } },
      });
  });
});

describe('an approval that was carried out', () => {
  const rooms = () => ({
    ...{ approvals: stage.approvals, journal: stage.journal },
    ...{
      endings: { finish: stage.step('finish') },
      tellStatus: stage.step('tellStatus'),
      planWake: stage.step('planWake'),
    },
    ports: { toUi: () => stage.calls.push(['toUi']) },
    submissions: {
      async handOver(sent: SubmissionRecord, answer: (record: SubmissionRecord) => Promise<void>) {
        const record = (await stage.journal.get(sent.id)) ?? sent;
        if (record.state !== 'abandoned') await answer(record);
        return record;
      },
      check: async (id: string) => {
        stage.calls.push(['check', id]);
        throw new Error('no answer');
      },
    },
  });

  test('ends with its answer, once, and its pages are told', async () => {
    await stage.enter(approvedRequest());
    await finish(rooms() as never, approvedRequest(), { submissionId: 's' }, { result: 1 });
    const done = approvedRequest({ stage: 'done', submissionId: 's' });
    expect(await stored()).toEqual(done);
    expect(await stage.answerOf()).toEqual({ result: 1 });
    expect(stage.settled).toEqual([done]);
    await finish(rooms() as never, approvedRequest(), {}, { result: 2 });
    expect(await stored()).toEqual(done);
    expect(stage.settled).toHaveLength(1);
  });

  test('tells each of its submissions, and plans the next look', async () => {
    const [first, last] = [await stage.sign({ requestId: 'q/0' }), await stage.sign()];
    expect(await endSubmitted(rooms() as never, approvedRequest(), [first], last)).toBe(false);
    expect(stage.calls).toEqual([
      ['finish', approvedRequest(), { submissionId: last.id }, answerFor(approvedRequest(), last)],
      ['tellStatus', first],
      ['tellStatus', last],
      ['planWake'],
      ['toUi'],
    ]);
  });

  test('is answered with what the journal says by now', async () => {
    const record = await stage.sign();
    await stage.journal.markAbandoned(record.id, 'given up');
    await endSubmitted(rooms() as never, approvedRequest(), [], record);
    expect(stage.calls[0]?.[3]).toMatchObject({ error: { code: 4900, data: { status: 'not-signed' } } });
  });

  test('is processed with its answer when its signature goes to the page alone', async () => {
    const { id } = await stage.journal.reserve({
      ...{ networkId: 'net', accountId: 1, origin: SITE, requestId: 'q', operation: 'signNftOrder', draft: {} },
      reviewDigest: '0x1',
    });
    const wire = { endpoint: 'none', bodyText: '{"eddsaSignature":"0x5"}' };
    const record = await stage.journal.markSigned(id, { wire, hash: '0xab' });
    await endSubmitted(rooms() as never, approvedRequest(), [], record);
    expect(stage.calls[0]?.[3]).toMatchObject({ result: { status: 'processed', order: { eddsaSignature: '0x5' } } });
    expect((await stage.journal.get(id))?.state).toBe('signed');
    stage.calls.splice(0);
    await stage.journal.markAbandoned(id, 'too late');
    expect(await endSubmitted(rooms() as never, approvedRequest(), [], record)).toBe(true);
    expect(stage.calls).toEqual([]);
  });

  test('looks up the order whose slot it took, and no other', async () => {
    const order = (requestId: string, storageId: number, changes: object = {}, tokenId = 1) =>
      stage.sign({ requestId, ...changes }, { slot: { tokenId, parity: 'order', nextFromRelayer: storageId } });
    const acknowledge = async ({ id }: SubmissionRecord) => stage.journal.markAcknowledged(id, {});
    const replaced = await acknowledge(await order('replaced', 20));
    await acknowledge(await order('other slot', 22));
    await acknowledge(await order('other token', 20, {}, 0));
    await acknowledge(await order('other account', 20, { accountId: 7 }));
    await acknowledge(await order('other network', 20, { networkId: 'other' }));
    await acknowledge(await stage.sign({ requestId: 'no slot' }));
    await stage.sign({ requestId: 'unknown' }, { slot: { tokenId: 1, parity: 'order', reuse: 20 } });
    const taking = await acknowledge(await stage.sign({}, { slot: { tokenId: 1, parity: 'order', reuse: 20 } }));
    expect(taking.slot?.storageId).toBe(20 + 2 * TURN);
    const looked = async (record: SubmissionRecord) => {
      await endSubmitted(rooms() as never, approvedRequest(), [], record);
      return stage.calls.splice(0).flatMap(([name, id]) => (name === 'check' ? [id] : []));
    };
    expect(await looked(taking)).toEqual([replaced.id]);
    expect(traces).toEqual(['approvals: check what was replaced']);
    expect(await looked(replaced)).toEqual([]);
    expect(await looked({ ...taking, id: 'none', slot: undefined } as never)).toEqual([]);
    const at = (storageId: number) =>
      ({ ...taking, id: 'none', slot: { tokenId: 1, parity: 'order', storageId } }) as never;
    expect(await looked(at(TURN - 2))).toEqual([]);
    await acknowledge(await order('first', 0, {}, 5));
    expect(
      await looked({ ...taking, id: 'none', slot: { tokenId: 5, parity: 'order', storageId: TURN } } as never),
    ).toHaveLength(1);
  });

  test.each<readonly [Error, number, string, string, object?]>([
    [
      new FactsChanged('The nonce is 2.', { key: 'problem_nonceChanged' }),
      4900,
      'The nonce is 2. Nothing was signed.',
      'problem_nonceChanged',
    ],
    [failureOf('transport'), 4900, 'The relayer could not be reached. Nothing was signed.', 'error_relayerUnreachable'],
    [
      failureOf('refused', { relayerCode: 102_011, relayerName: 'BALANCE_INSUFFICIENT' }),
      -32003,
      'The relayer refused: BALANCE_INSUFFICIENT. Nothing was signed.',
      'error_relayerRefused',
      { code: 102_011, name: 'BALANCE_INSUFFICIENT' },
    ],
    [
      failureOf('refused', { relayerCode: 199_999 }),
      -32003,
      'The relayer refused: UNLISTED. Nothing was signed.',
      'error_relayerRefused',
      { code: 199_999, name: 'UNLISTED' },
    ],
    ...(['refused', 'off-schema'] as const).map(
      (kind) =>
        [
          failureOf(kind),
          4900,
          'The relayer did not answer in a form that can be used. Nothing was signed.',
          kind === 'refused' ? 'error_relayerRefused' : 'error_relayerAnswerUnreadable',
        ] as const,
    ),
    [failureOf('timeout'), 4900, 'The relayer could not be reached. Nothing was signed.', 'error_relayerUnreachable'],
    [
      failureOf('transport', { queueFreeInMs: 5 }),
      -32005,
      'Too many reads of this kind wait for the relayer already. Nothing was signed.',
      'error_queueFull',
      { reason: 'queueFull', retryAfterMs: 5 },
    ],
    [new Error('bug'), -32603, 'The request could not be completed. Nothing was signed.', 'error_unknown'],
  ])('before any signature ends with %s', async (error, code, message, key, data) => {
    await giveUp(rooms() as never, approvedRequest(), network, error);
    expect(stage.calls).toMatchObject([
      [
        ...['finish', approvedRequest(), { problem: { key } }],
        { error: { code, message, data: { ...(data as object), status: 'not-signed' } } },
      ],
      ['toUi'],
    ]);
  });

  test('after a no in the other wallet of the owner is a rejection, and counts as one', async () => {
    const requestRate = { countRejection: stage.step('countRejection'), countDecision: stage.step('countDecision') };
    const no = new UiFailure('wallet-rejected', 'error_walletRejected');
    await giveUp({ ...rooms(), requestRate } as never, approvedRequest(), network, no);
    const error = { code: 4001, message: 'The user rejected the request.' };
    expect(stage.calls).toEqual([
      ['countRejection', SITE],
      ['countDecision', SITE],
      ['finish', approvedRequest(), { problem: { key: 'error_walletRejected', values: {} } }, { error }],
      ['toUi'],
    ]);
  });

  test('names the host of the relayer', () => {
    expect(problemOf(failureOf('network'), network).values).toEqual({
      host: { kind: 'text', text: 'relayer.example' },
    });
  });
});

function failureOf(kind: string, more: object = {}) {
  return new RelayerClientError('no', {
    kind,
    outcome: 'unknown',
    endpoint: 'getOrder',
    ...more,
  } as never);
}

describe('an approval that was asked again', () => {
  const find = async (approval: StoredApproval) => {
    await stage.enter(approval);
    const { approvals, journal } = stage;
    return endFound({ approvals, journal } as never, 'q');
  };
  const again = (changes: object = {}) => readyRequest({ signedBefore: { copies: 1, validUntil: null }, ...changes });

  test('ends when the relayer has the request that it refused', async () => {
    const { id } = await stage.sign();
    await stage.refuse(id);
    const record = await stage.journal.markAcknowledged(id, {});
    expect(await find(again())).toBe(true);
    const done = again({ stage: 'done', submissionId: id });
    expect(await stored()).toEqual(done);
    expect(await stage.answerOf()).toEqual(answerFor(again(), record));
    expect(stage.settled).toEqual([done]);
  });

  test('ends with the copy that was refused, also when a further one was given up before it was signed', async () => {
    const { id } = await stage.sign();
    await stage.refuse(id);
    const draft = { networkId: 'net', accountId: 1, origin: SITE, requestId: 'q', operation: 'transfer', draft: {} };
    const second = await stage.journal.reserve({ ...draft, reviewDigest: '0x1' }, { copies: 2 });
    await stage.journal.markAbandoned(second.id, 'stopped before signing');
    await stage.journal.markAcknowledged(id, {});
    expect(await find(again())).toBe(true);
    expect(await stored()).toEqual(again({ stage: 'done', submissionId: id }));
  });

  test('ends with the first copy, also when a further one was refused as well', async () => {
    const { id } = await stage.sign();
    await stage.refuse(id);
    const second = await stage.sign({}, { copies: 2 });
    await stage.refuse(second.id);
    expect(await find(again())).toBe(false);
    await stage.journal.markFinal(id, 'processed');
    expect(await find(again())).toBe(true);
    expect(await stored()).toMatchObject({ stage: 'done', submissionId: id });
  });

  test('ends with an order before the last one that was refused', async () => {
    const oneOf = { operation: 'submitOneOf' };
    const { id } = await stage.sign(oneOf);
    await stage.refuse(id);
    await stage.refuse((await stage.sign({ ...oneOf, requestId: 'q/1' })).id);
    await stage.journal.markAcknowledged(id, {});
    expect(await find(again(oneOf))).toBe(true);
    expect(await stored()).toEqual(again({ ...oneOf, stage: 'done', submissionId: id }));
  });

  test('stays while the refusal holds, or nothing was signed', async () => {
    expect(await find(again())).toBe(false);
    const { id } = await stage.sign();
    await stage.refuse(id);
    expect(await find(again())).toBe(false);
    const draft = { networkId: 'net', accountId: 1, origin: SITE, requestId: 'q', operation: 'transfer', draft: {} };
    const second = await stage.journal.reserve({ ...draft, reviewDigest: '0x1' }, { copies: 2 });
    expect(await find(again())).toBe(false);
    await stage.journal.markSigned(second.id, { wire: { endpoint: 'submitTransfer' } });
    await stage.journal.markAbandoned(second.id, 'not sent');
    expect(await find(again())).toBe(false);
    expect((await stored())?.stage).toBe('ready');
  });

  test('is one that is open and was signed before', async () => {
    await stage.sign();
    for (const approval of [readyRequest(), approvedRequest({ signedBefore: { copies: 1, validUntil: null } })])
      expect(await find(approval)).toBe(false);
    const { approvals, journal } = stage;
    expect(await endFound({ approvals, journal } as never, 'nothing')).toBe(false);
  });

  test('goes on when it was approved meanwhile', async () => {
    await stage.sign();
    await stage.enter(again());
    const approved = approvedRequest({ signedBefore: { copies: 1, validUntil: null } });
    const approvals = {
      ...stage.approvals,
      settle: async (...of: Parameters<typeof stage.approvals.settle>) => {
        await stage.approvals.put(approved);
        return stage.approvals.settle(...of);
      },
    };
    expect(await endFound({ approvals, journal: stage.journal } as never, 'q')).toBe(false);
    expect(await stored()).toEqual(approved);
  });
});

describe('an approval is closed', () => {
  let hadEffect: boolean;
  let signing: Set<string>;
  beforeEach(() => {
    hadEffect = false;
    signing = new Set();
  });
  const rooms = () =>
    ({
      ...{ approvals: stage.approvals, grants: stage.grants, journal: stage.journal, signing },
      ports: { now: () => NOW_MS + 5 },
      hasEffect: async () => hadEffect,
    }) as never;
  const close = async (approval: StoredApproval, which?: (one: StoredApproval) => boolean) => {
    await stage.approvals.put(approval);
    return closeApproval(rooms(), 'q', () => rejected, which);
  };

  test('while it is open, or approved and without effect', async () => {
    for (const approval of [pendingRequest(), readyRequest(), approvedRequest(), unlock()])
      expect(await close(approval)).toEqual({ ...approval, stage: 'closed', decidedAt: NOW_MS + 5 });
    expect(await closeApproval(rooms(), 'nothing', () => rejected)).toBeNull();
  });

  test('not once it was signed, is being signed, or is over', async () => {
    signing.add('q');
    expect(await close(approvedRequest())).toBeNull();
    expect(await close(readyRequest())).not.toBeNull();
    signing.clear();
    hadEffect = true;
    expect(await close(approvedRequest())).toBeNull();
    expect(await close(pendingRequest({ stage: 'done' }))).toBeNull();
    hadEffect = false;
    expect(await close(pendingRequest({ stage: 'done' }))).toBeNull();
    expect(await stored()).toEqual(pendingRequest({ stage: 'done' }));
  });

  test('not when it is not what was meant', async () => {
    expect(await close(readyRequest(), ({ stage: one }) => one === 'waiting')).toBeNull();
    expect(await close(pendingRequest(), ({ stage: one }) => one === 'waiting')).not.toBeNull();
  });

  test('not when it was approved after it was looked at', async () => {
    const approvals = {
      ...stage.approvals,
      async get(id: string) {
        const before = await stage.approvals.get(id);
        await stage.approvals.put(approvedRequest());
        return before;
      },
    };
    await stage.approvals.put(readyRequest());
    expect(await closeApproval({ ...(rooms() as object), approvals } as never, 'q', () => rejected)).toBeNull();
  });

  test('not when it ended after it was looked at', async () => {
    const approvals = {
      ...stage.approvals,
      async get(id: string) {
        const before = await stage.approvals.get(id);
        await stage.approvals.put(approvedRequest({ stage: 'done' }));
        return before;
      },
    };
    await stage.approvals.put(approvedRequest());
    expect(await closeApproval({ ...(rooms() as object), approvals } as never, 'q', () => rejected)).toBeNull();
    expect((await stored())?.stage).toBe('done');
  });

  test('with an answer to its pages', async () => {
    await stage.enter(readyRequest({ signedBefore: { copies: 1, validUntil: null } }));
    await closeApproval(rooms(), 'q', (current) => new RpcError('rejected', current.id));
    expect(await stage.answerOf()).toMatchObject({ error: { code: 4001, data: { status: 'refused' } } });
  });

  test('with what was signed for it and refused, which its pages can follow', async () => {
    await stage.refuse((await stage.sign()).id);
    await stage.enter(approvedRequest({ rule: 'one' }));
    const closed = await closeApproval(rooms(), 'q', () => rejected);
    expect(closed).toMatchObject({ stage: 'closed', signedBefore: { copies: 1, validUntil: NOW + 600 } });
    expect(await stage.answerOf()).toMatchObject({
      error: { code: 4001, data: { status: 'refused', requestId: 'q', validUntil: NOW + 600 } },
    });
  });

  test('with all of its site that are meant', async () => {
    for (const [id, changes] of Object.entries({ a: {}, b: { operation: 'withdraw' }, c: { origin: OTHER } }))
      await stage.approvals.put(readyRequest({ id, ...changes, requestIds: [] }));
    await stage.approvals.put(approvedRequest({ id: 'd', requestIds: [] }));
    signing.add('d');
    await closeApprovalsOf(rooms(), SITE, rejected, ({ operation }) => operation === 'transfer');
    const ids = () => stage.settled.splice(0).map(({ id }) => id);
    expect(ids()).toEqual(['a']);
    signing.clear();
    await stage.enter(readyRequest({ id: 'e', askedDigest: '0xe' }));
    await closeApprovalsOf(rooms(), SITE, rejected);
    expect(ids().sort()).toEqual(['b', 'd', 'e']);
    expect(await stage.answerOf()).toEqual({ error: { code: 4001, message: 'No.' } });
    expect((await stored('c'))?.stage).toBe('ready');
  });

  test('when its site may not ask for it any more', async () => {
    expect(takenAway()).toMatchObject({
      ...{ code: 4100, message: 'The permission for this request was taken back.', data: { reason: 'revoked' } },
    });
    await stage.grants.grant(SITE, [account.id], ['transfers' as never]);
    await stage.enter(readyRequest({ operation: 'submitOrder' }));
    await stage.grants.extend(SITE, account.id, ['orders']);
    const approval = readyRequest({ operation: 'submitOrder' });
    expect(await closeWithoutPermission(rooms(), approval)).toBe(false);
    await stage.grants.revokeKind(SITE, account.id, 'orders');
    signing.add('q');
    await stage.approvals.put(approvedRequest({ operation: 'submitOrder' }));
    expect(await closeWithoutPermission(rooms(), approval)).toBe(false);
    expect(stage.settled).toEqual([]);
    signing.clear();
    expect(await closeWithoutPermission(rooms(), approval)).toBe(true);
    expect(stage.settled.map(({ id }) => id)).toEqual(['q']);
    expect(await stage.answerOf()).toMatchObject({ error: { data: { reason: 'revoked' } } });
    await stage.approvals.put(readyRequest({ id: 'r', origin: OTHER, requestIds: [] }));
    expect(await closeWithoutPermission(rooms(), readyRequest({ id: 'r', origin: OTHER }))).toBe(true);
  });

  test('when its site is blocked, also a connection, which needs no permission', async () => {
    const connect = connection({ stage: 'approved', chosen: { accounts: [], kinds: [] }, requestIds: [] });
    await stage.approvals.put({ ...connect, digest: '0x1', decidedAt: NOW_MS } as never);
    expect(await closeWithoutPermission(rooms(), connect)).toBe(false);
    await stage.grants.setBlocked(SITE, true);
    expect(await closeWithoutPermission(rooms(), connect)).toBe(true);
    expect((await stored())?.stage).toBe('closed');
  });

  test('before it is carried out, unless something of it is signed', async () => {
    await stage.approvals.put(readyRequest({ requestIds: [] }));
    expect(await stillApproved(rooms(), 'none')).toBeUndefined();
    expect(await stillApproved(rooms(), 'q')).toBeUndefined();
    await stage.approvals.put(approvedRequest({ requestIds: [] }));
    await stage.grants.grant(SITE, [account.id], ['transfers']);
    expect(await stillApproved(rooms(), 'q')).toEqual(approvedRequest({ requestIds: [] }));
    await stage.grants.revoke(SITE);
    signing.add('q');
    expect(await stillApproved(rooms(), 'q')).toEqual(approvedRequest({ requestIds: [] }));
    signing.clear();
    expect(await stillApproved(rooms(), 'q')).toBeUndefined();
    expect((await stored())?.stage).toBe('closed');
  });
});

describe('a request that waits for the unlock', () => {
  let owners: string[];
  let isUnlocked: boolean;
  beforeEach(() => {
    owners = ['0x1'];
    isUnlocked = true;
  });
  const rooms = () =>
    ({
      approvals: stage.approvals,
      vault: { isUnlocked: async () => isUnlocked },
      ports: { now: () => NOW_MS + 5 },
      ownersSeen: async (origin: string) => (origin === SITE ? owners : []),
    }) as never;

  test('has the accounts that the site sees then', async () => {
    await stage.enter(unlock());
    await answerUnlock(rooms(), 'q');
    const done = unlock({ stage: 'done', decidedAt: NOW_MS + 5 });
    expect(await stored()).toEqual(done);
    expect(await stage.answerOf()).toEqual({ result: ['0x1'] });
    expect(stage.settled).toEqual([done]);
    await answerUnlock(rooms(), 'q');
    expect(stage.settled).toHaveLength(1);
  });

  test('of a site that sees none by then hears that it is not connected', async () => {
    owners = [];
    await stage.enter(unlock());
    await answerUnlock(rooms(), 'q');
    expect(await stage.answerOf()).toMatchObject({ error: { code: 4100, data: { reason: 'notConnected' } } });
  });

  test('waits while the wallet is locked', async () => {
    isUnlocked = false;
    await stage.enter(unlock());
    await answerUnlock(rooms(), 'q');
    await answerUnlock(rooms(), 'nothing');
    expect(await stored()).toEqual(unlock());
  });

  test('was closed meanwhile, and stays so', async () => {
    await stage.enter(unlock());
    const approvals = {
      ...stage.approvals,
      settle: async (...of: Parameters<typeof stage.approvals.settle>) => {
        await stage.approvals.put(unlock({ stage: 'closed' }));
        return stage.approvals.settle(...of);
      },
    };
    await answerUnlock({ ...(rooms() as object), approvals } as never, 'q');
    expect(await stored()).toEqual(unlock({ stage: 'closed' }));
    expect(await stage.answerOf()).toBeNull();
  });

  test('is answered with all others, and nothing else is', async () => {
    await stage.approvals.put(unlock({ id: 'a' }));
    await stage.approvals.put(unlock({ id: 'b' }));
    await stage.approvals.put(connection({ id: 'c' }));
    await answerUnlocks(rooms());
    const stages = await Promise.all(['a', 'b', 'c'].map(async (id) => (await stored(id))?.stage));
    expect(stages).toEqual(['done', 'done', 'waiting']);
  });
});

describe('the window', () => {
  let failures: number;
  let settings: { notifications: boolean; language: string };
  let noted: unknown[][];
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    failures = 0;
    settings = { notifications: true, language: 'de' };
    noted = [];
  });
  const show = async (changes: object = {}) => {
    const shown = showWindow(
      {
        approvals: stage.approvals,
        config: { read: async () => ({ settings }) },
        ports: {
          showApproval: async (id: string) => {
            stage.calls.push(['show', id]);
            if (failures-- > 0) throw new Error('busy');
          },
          notify: async (...of: unknown[]) => noted.push(of),
          ...changes,
        },
      } as never,
      'q',
    );
    await vi.advanceTimersByTimeAsync(300);
    await shown;
    return stage.calls.splice(0).length;
  };

  test('opens, at the second attempt where the browser is busy', async () => {
    await stage.approvals.put(pendingRequest());
    expect(await show()).toBe(1);
    failures = 1;
    expect(await show()).toBe(2);
    expect([noted, traces]).toEqual([[], []]);
  });

  test('that does not open leaves a notification, for who wants them', async () => {
    const names: string[] = [];
    listenForReports(({ where, name }) => names.push(`${where}: ${name}`));
    await stage.approvals.put(pendingRequest());
    failures = 2;
    expect(await show()).toBe(2);
    expect(noted).toEqual([['waits:q', 'queueTitle', 'approvalNoWindow', 'de']]);
    expect(names).toEqual(['approvals: window: Error']);
    settings.notifications = false;
    failures = 2;
    await show();
    expect(noted).toHaveLength(1);
  });

  test('that does not open leaves none of what ended while its texts were read', async () => {
    await stage.approvals.put(pendingRequest());
    failures = 2;
    const cleared: string[] = [];
    await show({
      notify: async (id: string) => {
        noted.push([id]);
        await stage.approvals.settle('q', (current) => ({ approval: ended(current, 'closed'), answer: null as never }));
      },
      clearNotification: (id: string) => cleared.push(id),
    });
    expect(noted).toEqual([['waits:q']]);
    expect(cleared).toEqual(['waits:q']);
  });

  test('that does not open for what is over leaves none', async () => {
    failures = 2;
    await show();
    await stage.approvals.put(approvedRequest());
    failures = 2;
    await show();
    expect(noted).toEqual([]);
  });

  test('never fails', async () => {
    await stage.approvals.put(pendingRequest());
    failures = 2;
    await show({ notify: () => Promise.reject(new Error('none')) });
    expect(traces).toEqual(['approvals: window', 'approvals: notify']);
  });

  test('and the badge count what is open', async () => {
    const counts: number[] = [];
    const ports = {
      setBadge: async (count: number) => void counts.push(count),
      toUi: () => stage.calls.push(['toUi']),
    };
    const badge = createBadge({ approvals: stage.approvals, ports } as never);
    await stage.approvals.put(pendingRequest());
    await badge.refresh();
    expect([counts, stage.called()]).toEqual([[1], ['toUi']]);
    badge.refreshSoon();
    badge.refreshSoon();
    await vi.advanceTimersByTimeAsync(299);
    expect(counts).toEqual([1]);
    await vi.advanceTimersByTimeAsync(1);
    await expect.poll(() => counts).toEqual([1, 1]);
    badge.refreshSoon();
    await vi.advanceTimersByTimeAsync(300);
    await expect.poll(() => counts).toEqual([1, 1, 1]);
    const broken = { setBadge: () => Promise.reject(new Error('none')) };
    createBadge({ approvals: stage.approvals, ports: broken } as never).refreshSoon();
    await vi.advanceTimersByTimeAsync(300);
    await expect.poll(() => traces).toEqual(['approvals: badge']);
  });
});
