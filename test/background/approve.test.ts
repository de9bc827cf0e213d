import { beforeEach, describe, expect, test } from 'vitest';
import { approve } from '../../src/background/approvals/approve.ts';
import { approveConnection } from '../../src/background/approvals/approveConnection.ts';
import { approveRequest } from '../../src/background/approvals/approveRequest.ts';
import { closeApproval } from '../../src/background/approvals/closePending.ts';
import { decided } from '../../src/background/approvals/decided.ts';
import { reject, rejectAll } from '../../src/background/approvals/rejectApproval.ts';
import { createApprovals } from '../../src/background/approvals/store/approvals.ts';
import type { Approve } from '../../src/background/approvals/store/flow.ts';
import { createRequestRate } from '../../src/background/approvals/store/requestRate.ts';
import type {
  ReadyConnection,
  ReadyRequest,
  StoredApproval,
} from '../../src/background/approvals/store/storedApproval.ts';
import { tighten } from '../../src/background/approvals/tighten.ts';
import type { RpcError } from '../../src/background/errors/rpcError.ts';
import { createMutex } from '../../src/background/lifecycle/mutex.ts';
import { OWN_ORIGIN } from '../../src/messaging/ownOrigin.ts';
import { approvalDigest } from '../../src/operations/approvalDigest.ts';
import { type StandingLimits, standingApproval } from '../../src/operations/standingApproval.ts';
import { submitOrder } from '../../src/operations/submitOrder.ts';
import { updateAccountKey } from '../../src/operations/updateAccountKey.ts';
import { listenForReports } from '../../src/report/report.ts';
import { ACCOUNT_ID, factsWith, feeAnswer, now as NOW, OWNER, pointOf } from '../operations/facts.ts';
import { createFaultyArea } from '../support/faultyArea.ts';
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
  SITE,
} from './approvalStage.ts';

const MINUTE = 60_000;
const facts = factsWith({ getAmmBalances: () => [] });
const order = await submitOrder.prepare(
  submitOrder.intent().parse({
    ...{ sellToken: { tokenId: 1, volume: '100' }, buyToken: { tokenId: 0, volume: '10' }, validUntil: NOW + 600 },
  }),
  facts,
);
const choice = { publicKey: pointOf(5), kind: 'random', keySeed: '', nonce: 1, backedUp: true } as const;
const registered = { accountId: ACCOUNT_ID, owner: OWNER, frozen: false, publicKey: pointOf(3), nonce: 1, keySeed: '' };
const keyUpdate = await updateAccountKey.prepare(
  {},
  { ...factsWith({ getAccount: () => registered, getOffchainFee: () => feeAnswer({ LRC: '1' }) }), newKey: choice },
);
const standing = await standingApproval.prepare(
  standingApproval.intent().parse({
    ...{ sellTokenId: 1, buyTokenId: 0, minPrice: '0.05', orderVolume: '100', totalVolume: '300' },
    ...{ rate: { requests: 2, seconds: 60 }, validUntil: NOW + 3_600 },
  }),
  facts,
);

/** With its digest, as the window shows it. */
const complete = (approval: StoredApproval, exchange = network.exchangeAddress) =>
  ({ ...approval, digest: approvalDigest(approval, exchange) }) as ReadyRequest;
const orderRequest = (changes: object = {}) =>
  complete(
    readyRequest({ operation: 'submitOrder', draft: order, review: submitOrder.review(order, NOW), ...changes }),
  );
const keyRequest = (changes: object = {}) =>
  complete(
    readyRequest({
      ...{ operation: 'updateAccountKey', draft: keyUpdate, review: updateAccountKey.review(keyUpdate, NOW), choice },
      ...changes,
    }),
  );
const standingRequest = (changes: object = {}) =>
  complete(
    readyRequest({
      ...{ kind: 'standing', operation: 'standingApproval', draft: standing, intent: { kept: 1 } },
      ...{ review: standingApproval.review(standing, NOW), ...changes },
    }),
  );
const connect = (changes: object = {}) =>
  complete(connection({ stage: 'ready', ...changes }), '') as unknown as ReadyConnection;

let stage: ApprovalStage;
let isUnlocked: boolean;
let place: { account?: typeof account; network?: typeof network };
/** What keeps a step from working. */
let failures: Record<string, Error>;
let traces: string[];
beforeEach(() => {
  stage = createApprovalStage();
  isUnlocked = true;
  place = { account, network };
  failures = {};
  traces = [];
  listenForReports(({ where }) => traces.push(where));
});
const step =
  (name: string, result?: unknown) =>
  async (...given: unknown[]) => {
    stage.calls.push([name, ...given]);
    if (failures[name]) throw failures[name];
    return result;
  };

const wallet = () => ({
  approvals: stage.approvals,
  ports: { now: () => stage.clock.ms, toUi: () => stage.calls.push(['toUi']) },
  vault: { isUnlocked: async () => isUnlocked, checkPassword: step('checkPassword') },
  config: {
    place: async (id: string) => (id === account.id ? place : {}),
    read: async () => ({
      accounts: [
        { id: 'a', networkId: 'net' },
        { id: 'b', networkId: 'net' },
        { id: 'c', networkId: 'other' },
      ],
    }),
  },
  leftPages: { endIf: step('endIf') },
  approveConnection: step('approveConnection'),
  approveRequest: step('approveRequest'),
  decided: step('decided'),
  prepare: step('prepare'),
  badge: { refreshSoon: () => stage.calls.push(['badgeSoon']) },
  carryOut: step('carryOut'),
  requestRate: { countDecision: step('countDecision'), countRejection: step('countRejection') },
  rights: { silence: step('silence'), block: step('block') },
});
const decisionOn = (approval: { id: string; digest: string }, changes: Partial<Approve> = {}): Approve => ({
  ...{ id: approval.id, digest: approval.digest, account: account.id },
  ...changes,
});
const stored = (id = 'q') => stage.approvals.get(id);
const failure = (code: string, key: string, values: object = {}) => ({ name: 'UiFailure', code, key, values });
const MISMATCH = failure('digest-mismatch', 'error_digestMismatch');
const GONE = failure('approval-gone', 'error_approvalGone');

describe('an approval', () => {
  const decide = (decision: Approve) => approve(wallet() as never, decision);

  test('is of its kind, after its pages were looked for', async () => {
    for (const [approval, name] of [
      [orderRequest(), 'approveRequest'],
      [standingRequest(), 'approveRequest'],
      [connect(), 'approveConnection'],
    ] as const) {
      await stage.approvals.put(approval);
      const decision = decisionOn(approval);
      await decide(decision);
      expect(stage.calls.splice(0)).toEqual([
        ['endIf', 'q'],
        [name, approval, decision],
      ]);
    }
  });

  test('needs something that is ready, and the wallet unlocked', async () => {
    await expect(decide(decisionOn(orderRequest()))).rejects.toMatchObject(GONE);
    await stage.approvals.put(approvedRequest());
    await expect(decide(decisionOn(orderRequest()))).rejects.toMatchObject(GONE);
    await stage.approvals.put(orderRequest());
    isUnlocked = false;
    await expect(decide(decisionOn(orderRequest()))).rejects.toMatchObject(failure('locked', 'error_locked'));
    expect(stage.called()).toEqual(['endIf', 'endIf', 'endIf']);
  });
});

describe('the approval of a request', () => {
  const decide = async (approval: ReadyRequest = orderRequest(), changes: Partial<Approve> = {}, kept = approval) => {
    await stage.approvals.put(kept);
    await approveRequest(wallet() as never, approval, decisionOn(approval, changes));
  };

  test('of exactly what was shown is stored, and then carried out', async () => {
    stage.clock.ms += MINUTE;
    const approval = orderRequest();
    await decide(approval);
    expect(await stored()).toEqual({ ...approval, stage: 'approved', decidedAt: NOW_MS + MINUTE });
    expect(stage.calls).toEqual([['decided', approval]]);
  });

  test('reports what fails afterwards', async () => {
    failures.decided = new Error('disk full');
    await decide();
    await Promise.resolve();
    expect(traces).toEqual(['approvals: after a decision']);
  });

  test.each(['account', 'network'] as const)('needs its %s', async (gone) => {
    delete place[gone];
    await expect(decide()).rejects.toMatchObject(failure('not-found', 'error_notFound'));
    expect((await stored())?.stage).toBe('ready');
  });

  test('names the account', async () => {
    for (const other of ['other', null])
      await expect(decide(orderRequest(), { account: other })).rejects.toMatchObject(MISMATCH);
    expect((await stored())?.stage).toBe('ready');
  });

  test('of a review that is too old prepares it again', async () => {
    stage.clock.ms += MINUTE + 1;
    await decide();
    expect(stage.calls).toEqual([['prepare', 'q']]);
    expect((await stored())?.stage).toBe('ready');
  });

  test('that the disk was slow to take is as old as it is by then', async () => {
    const { approvals } = stage;
    const slow = {
      ...wallet(),
      approvals: {
        ...approvals,
        update: (...of: Parameters<typeof approvals.update>) => {
          stage.clock.ms += MINUTE + 1;
          return approvals.update(...of);
        },
      },
    };
    await approvals.put(orderRequest());
    await expect(approveRequest(slow as never, orderRequest(), decisionOn(orderRequest()))).rejects.toMatchObject(
      MISMATCH,
    );
    expect((await stored())?.stage).toBe('ready');
  });

  test('of a digest that was not shown is refused', async () => {
    await expect(decide(orderRequest(), { digest: '0x1' })).rejects.toMatchObject(MISMATCH);
    expect(await stored()).toEqual(orderRequest());
    expect(stage.calls).toEqual([]);
  });

  test.each([
    ['another digest than its own', { ...orderRequest(), digest: '0x1' }, '0x1'],
    ['the digest of something else', { ...orderRequest(), digest: '0x1' }, undefined],
    ['another draft', { ...orderRequest(), draft: { ...order, body: { ...order.body, validUntil: 1 } } }, undefined],
    ['another account', { ...orderRequest(), account: 'other' }, undefined],
    ['another review', { ...orderRequest(), review: { ...orderRequest().review, rows: [] } }, undefined],
    [
      'another time of its review',
      { ...orderRequest(), reviewedAt: NOW - 30, draft: { ...order, shown: {} } },
      undefined,
    ],
    ['no review yet', pendingRequest({ operation: 'submitOrder' }), undefined],
    ['an approval already', { ...orderRequest(), stage: 'approved', decidedAt: NOW_MS }, undefined],
    ['a connection in its place', connect(), undefined],
  ])('of what has %s by then is refused', async (_what, kept, digest) => {
    await expect(decide(orderRequest(), digest ? { digest } : {}, kept as unknown as ReadyRequest)).rejects.toThrow();
    expect(await stored()).toEqual(kept);
    expect(stage.called()).not.toContain('decided');
  });

  test('of another exchange than the pinned one is refused', async () => {
    place.network = { ...network, exchangeAddress: `0x${'1'.repeat(40)}` };
    await expect(decide()).rejects.toMatchObject(MISMATCH);
  });

  test('needs the password for another key, and for what warns so', async () => {
    const text = { key: 'warning_fastUnbound' };
    const warnings = [{ rule: 'plain', severity: 'danger', password: true, text }] as const;
    const warned = orderRequest({ review: { ...submitOrder.review(order, NOW), warnings } });
    const needed = failure('password-needed', 'error_passwordNeeded');
    for (const approval of [keyRequest(), warned]) {
      await expect(decide(approval)).rejects.toMatchObject(needed);
      expect(stage.called()).toEqual([]);
      failures.checkPassword = new Error('wrong password');
      await expect(decide(approval, { password: 'secret' })).rejects.toThrow('wrong password');
      expect(stage.calls.splice(0)).toEqual([['checkPassword', 'secret']]);
      expect((await stored())?.stage).toBe('ready');
    }
    failures = {};
    await decide(keyRequest(), { password: 'secret' });
    expect((await stored())?.stage).toBe('approved');
    expect(stage.called()).toEqual(['checkPassword', 'decided']);
  });

  test('of a random key needs that it was written down', async () => {
    const random = keyRequest({ choice: { ...choice, backedUp: false } });
    await expect(decide(random, { password: 'secret' })).rejects.toMatchObject(
      failure('backup-needed', 'error_backupNeeded'),
    );
    expect((await stored())?.stage).toBe('ready');
    await decide(keyRequest({ id: 'r', choice: { ...choice, kind: 'derived', backedUp: false } }), {
      password: 'secret',
    });
    expect((await stored('r'))?.stage).toBe('approved');
  });
});

test('a decision is carried out and counted, and the badge follows', async () => {
  await decided(wallet() as never, orderRequest());
  expect(stage.calls).toEqual([['carryOut', 'q'], ['badgeSoon'], ['countDecision', SITE]]);
  failures.countDecision = new Error('full');
  await decided(wallet() as never, orderRequest());
  expect(traces).toEqual(['approvals: after a decision']);
  failures.carryOut = new Error('disk full');
  await expect(decided(wallet() as never, orderRequest())).rejects.toThrow('disk full');
});

describe('tighter limits', () => {
  const tightenTo = async (
    limits: StandingLimits,
    approval: StoredApproval = standingRequest(),
    digest = standingRequest().digest,
  ) => {
    await stage.approvals.put(approval);
    await tighten(wallet() as never, 'q', digest, limits);
    return (await stored()) as ReadyRequest;
  };

  test('are another draft, review and digest, from the same facts', async () => {
    stage.clock.ms += MINUTE;
    const before = standingRequest({ first: { review: standingRequest().review, reviewedAt: NOW } });
    const after = await tightenTo({ orderVolume: '50' }, before);
    const draft = { ...standing, body: { ...standing.body, orderVolume: '50' } };
    const { first: _, ...rest } = before;
    const next = { ...rest, draft, intent: { kept: 1, ...draft.body }, review: standingApproval.review(draft, NOW) };
    expect(after).toEqual(complete(next as StoredApproval));
    expect(after).not.toHaveProperty('first');
    expect(after.digest).not.toBe(before.digest);
    expect(stage.called()).toEqual(['toUi']);
  });

  test('have to be tighter, and have an end by the clock of now', async () => {
    await expect(tightenTo({ orderVolume: '101' })).rejects.toMatchObject(
      failure('invalid-input', 'error_invalidInput', { field: 'orderVolume' }),
    );
    stage.clock.ms += 30_999;
    await expect(tightenTo({ validUntil: NOW + 30 })).rejects.toMatchObject({ values: { field: 'validUntil' } });
    await tightenTo({ validUntil: NOW + 31 });
  });

  test('reach only what was shown', async () => {
    await expect(tightenTo({}, standingRequest(), '0x1')).rejects.toMatchObject(MISMATCH);
    const changed = { ...standingRequest(), review: { ...standingRequest().review, rows: [] } };
    await expect(tightenTo({}, changed as never)).rejects.toMatchObject(MISMATCH);
    expect(await stored()).toEqual(changed);
    expect(stage.called()).toEqual([]);
  });

  test('are of a standing approval that is ready, in an unlocked wallet, on a network', async () => {
    for (const other of [orderRequest(), pendingRequest({ kind: 'standing', operation: 'standingApproval' })])
      await expect(tightenTo({}, other)).rejects.toMatchObject(GONE);
    await expect(tighten(wallet() as never, 'nothing', '0x1', {})).rejects.toMatchObject(GONE);
    isUnlocked = false;
    await expect(tightenTo({})).rejects.toMatchObject(failure('locked', 'error_locked'));
    isUnlocked = true;
    place = {};
    await expect(tightenTo({})).rejects.toMatchObject(failure('not-found', 'error_notFound'));
  });

  test('that the disk does not take are no wrong input', async () => {
    const update = () => Promise.reject(new Error('disk full'));
    await stage.approvals.put(standingRequest());
    const full = { ...wallet(), approvals: { ...stage.approvals, update } };
    await expect(tighten(full as never, 'q', standingRequest().digest, {})).rejects.toThrow('disk full');
  });

  test('find nothing once it was decided', async () => {
    const { get, update } = stage.approvals;
    const racing = {
      ...wallet(),
      approvals: {
        get,
        update: async (...of: Parameters<typeof update>) => {
          await stage.approvals.put({ ...standingRequest(), stage: 'approved', decidedAt: NOW_MS } as never);
          return update(...of);
        },
      },
    };
    await stage.approvals.put(standingRequest());
    await expect(tighten(racing as never, 'q', standingRequest().digest, {})).rejects.toMatchObject(MISMATCH);
  });
});

describe('the approval of a connection', () => {
  const decide = async (
    changes: Partial<Approve>,
    approval: ReadyConnection = connect(),
    kept: StoredApproval = approval,
  ) => {
    await stage.approvals.put(kept);
    await approveConnection(wallet() as never, approval, { ...decisionOn(approval), ...changes });
  };

  test('has the accounts and permissions that the user chose', async () => {
    stage.clock.ms += 5;
    const approval = connect();
    await decide({ accounts: ['b', 'a', 'nobody'], kinds: ['orders', 'nfts'] }, approval);
    const chosen = { accounts: ['a', 'b'], kinds: ['orders'] };
    expect(await stored()).toEqual({ ...approval, stage: 'approved', decidedAt: NOW_MS + 5, chosen });
    expect(stage.calls).toEqual([['decided', approval]]);
  });

  test('without a choice has all permissions that were asked for', async () => {
    await decide({ accounts: ['c'] });
    expect((await stored())?.chosen).toEqual({ accounts: ['c'], kinds: ['read', 'orders'] });
  });

  test('offers only the accounts of the network, or the one account, that it is for', async () => {
    await decide({ accounts: ['a', 'c'] }, connect({ switchTo: 'other' }));
    expect((await stored())?.chosen?.accounts).toEqual(['c']);
    await decide({ accounts: ['a', 'b'] }, connect({ account: 'b' }));
    expect((await stored())?.chosen?.accounts).toEqual(['b']);
  });

  test('needs an account', async () => {
    for (const accounts of [[], undefined, ['nobody']])
      await expect(decide({ accounts })).rejects.toMatchObject(
        failure('invalid-input', 'error_invalidInput', { field: 'accounts' }),
      );
    expect((await stored())?.stage).toBe('ready');
  });

  test('is of exactly what was shown', async () => {
    const accounts = ['a'];
    await expect(decide({ accounts, digest: '0x1' })).rejects.toMatchObject(MISMATCH);
    const changed = { ...connect(), kinds: ['read', 'orders', 'nfts'] } as unknown as StoredApproval;
    await expect(decide({ accounts }, connect(), changed)).rejects.toMatchObject(MISMATCH);
    const renamed = { ...connect(), digest: '0x1' } as unknown as StoredApproval;
    await expect(decide({ accounts }, connect(), renamed)).rejects.toMatchObject(MISMATCH);
    await expect(decide({ accounts, digest: '0x1' }, connect(), renamed)).rejects.toMatchObject(MISMATCH);
    for (const kept of [connection(), orderRequest(), { ...connect(), stage: 'closed' } as never]) {
      await expect(decide({ accounts }, connect(), kept)).rejects.toMatchObject(MISMATCH);
      expect(await stored()).toEqual(kept);
    }
    expect(stage.called()).not.toContain('decided');
  });
});

describe('a rejection', () => {
  let closed: StoredApproval | null;
  const told: RpcError[] = [];
  const rooms = () => ({
    ...wallet(),
    closing: {
      close: async (
        id: string,
        error: (current: StoredApproval) => RpcError,
        which?: (one: StoredApproval) => boolean,
      ) => {
        const current = (await stage.approvals.get(id)) as StoredApproval;
        stage.calls.push(['close', id]);
        if (!closed || (which && !which(current))) return null;
        told.push(error(current));
        return { ...closed, id };
      },
    },
  });
  const say = async (approval: StoredApproval | undefined, block = false) => {
    if (approval) await stage.approvals.put(approval);
    await reject(rooms() as never, 'q', block);
    return stage.calls.splice(0);
  };
  beforeEach(() => {
    closed = pendingRequest({ stage: 'closed' });
    told.length = 0;
  });
  const rejected = (origin = SITE) => [
    ['countRejection', origin],
    ['countDecision', origin],
  ];

  test('closes what is open, counts, and tells its pages', async () => {
    for (const approval of [pendingRequest(), orderRequest(), connection(), pendingRequest({ stage: 'choosing' })])
      expect(await say(approval)).toEqual([['close', 'q'], ...rejected()]);
    expect(told[0]).toMatchObject({ code: 4001, message: 'The user rejected the request.', data: undefined });
  });

  test('tells the pages why it could not be shown', async () => {
    await say(pendingRequest({ stage: 'unavailable', problem: { key: 'error_relayerUnreachable' } }));
    expect(told[0]).toMatchObject({
      ...{ code: 4001, data: { reason: 'unavailable' } },
      message: 'The user closed the request, which could not be shown. Nothing was signed.',
    });
  });

  test('takes an approval back while nothing of it is signed, and counts nothing', async () => {
    expect(await say(approvedRequest())).toEqual([['close', 'q']]);
    expect(told[0]).toMatchObject({
      code: 4001,
      message: 'The user took the approval back.',
    });
    closed = null;
    await expect(say(approvedRequest())).rejects.toMatchObject(failure('already-signed', 'error_alreadySigned'));
  });

  test('of what is over finds nothing', async () => {
    await expect(say(undefined)).rejects.toMatchObject(GONE);
    await expect(say(pendingRequest({ stage: 'done' }))).rejects.toMatchObject(GONE);
    expect(stage.calls).toEqual([]);
    closed = null;
    await expect(say(pendingRequest())).rejects.toMatchObject(GONE);
    expect(stage.called()).toEqual(['close']);
  });

  test('with a block silences the site first, and blocks it at the end', async () => {
    expect(await say(pendingRequest(), true)).toEqual([
      ['silence', SITE],
      ['close', 'q'],
      ...rejected(),
      ['block', SITE],
    ]);
    closed = null;
    // It ended meanwhile: what else the site asked ends all the same.
    await expect(say(pendingRequest(), true)).rejects.toMatchObject(GONE);
    expect(stage.calls.splice(0)).toEqual([
      ['silence', SITE],
      ['close', 'q'],
      ['block', SITE],
    ]);
    closed = pendingRequest({ origin: OWN_ORIGIN, stage: 'closed' });
    expect(await say(pendingRequest({ origin: OWN_ORIGIN }), true)).toEqual([['close', 'q'], ...rejected(OWN_ORIGIN)]);
  });

  test('reaches the pages also when it cannot be counted', async () => {
    failures = { countRejection: new Error('full'), countDecision: new Error('full') };
    expect(await say(pendingRequest())).toEqual([['close', 'q'], ...rejected()]);
    expect(traces).toEqual(['approvals: after a decision', 'approvals: after a decision']);
  });

  test('is counted before its page can ask again', async () => {
    const requestRate = createRequestRate(
      { now: () => stage.clock.ms, session: createFaultyArea().area },
      createMutex(),
    );
    let again: unknown;
    const approvals = createApprovals(stage.stores.strict, stage.stores.relaxed, async () => {
      again = await requestRate.alone(() => requestRate.countRequest(SITE, stage.clock.ms)).catch((error) => error);
    });
    const real = { ...wallet(), approvals, requestRate, signing: new Set(), hasEffect: async () => false };
    const closing = { close: (...of: [string, () => RpcError]) => closeApproval(real as never, ...of) };
    await requestRate.countRejection(SITE);
    await requestRate.countRejection(SITE);
    await approvals.put(pendingRequest());
    await reject({ ...real, closing } as never, 'q', false);
    expect(again).toMatchObject({ code: -32005 });
  });

  test('of a whole list closes what sites ask and nobody decided, the oldest first', async () => {
    await stage.approvals.put(pendingRequest({ id: 'b', createdAt: NOW_MS + 2 }));
    await stage.approvals.put(pendingRequest({ id: 'a', createdAt: NOW_MS + 1 }));
    await stage.approvals.put(pendingRequest({ id: 'own', origin: OWN_ORIGIN }));
    await stage.approvals.put(approvedRequest({ id: 'approved' }));
    // Came after the list that the user saw.
    await stage.approvals.put(pendingRequest({ id: 'later' }));
    const ids = ['a', 'b', 'own', 'approved'];
    await rejectAll(rooms() as never, ids);
    const each = (id: string) => [
      ['close', id],
      ['countRejection', SITE],
      ['countDecision', SITE],
    ];
    expect(stage.calls.splice(0)).toEqual([...each('a'), ...each('b')]);
    expect(told[0]).toMatchObject({ code: 4001, message: 'The user rejected the request.' });
    // Decided meanwhile: it goes on.
    closed = null;
    await rejectAll(rooms() as never, ids);
    expect(stage.calls).toEqual([
      ['close', 'a'],
      ['close', 'b'],
    ]);
  });

  test('of a whole list leaves what was approved since the list was read', async () => {
    await stage.approvals.put(pendingRequest());
    const { open } = stage.approvals;
    const racing = {
      ...rooms(),
      approvals: {
        open: async () => {
          const listed = await open();
          await stage.approvals.put(approvedRequest());
          return listed;
        },
      },
    };
    await rejectAll(racing as never, ['q']);
    expect(stage.calls).toEqual([['close', 'q']]);
  });
});
