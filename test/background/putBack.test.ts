import { beforeEach, describe, expect, test } from 'vitest';
import { askAnew, putBack, returnLate } from '../../src/background/approvals/putBack.ts';
import type { Reason } from '../../src/background/approvals/store/flow.ts';
import type { StoredApproval } from '../../src/background/approvals/store/storedApproval.ts';
import { OWN_ORIGIN } from '../../src/messaging/ownOrigin.ts';
import { now as NOW, pointOf } from '../operations/facts.ts';
import {
  type ApprovalStage,
  approvedRequest,
  connection,
  createApprovalStage,
  NOW_MS,
  OTHER,
  pendingRequest,
  readyRequest,
  review,
} from './approvalStage.ts';

const MINUTE = 60_000;
const choice = { publicKey: pointOf(5), kind: 'random', keySeed: '', nonce: 2, backedUp: true } as const;
const late = { key: 'again_late', values: { time: { kind: 'time', seconds: NOW } } };

let stage: ApprovalStage;
beforeEach(() => {
  stage = createApprovalStage();
});

describe('an approval that goes back to the user', () => {
  const back = async (approval: StoredApproval, reason: Reason, stored = approval) => {
    await stage.approvals.put(stored);
    const { approvals, journal, step } = stage;
    await putBack({ approvals, journal, askAnew: step('askAnew') as never }, approval, reason);
    return approvals.get(approval.id);
  };

  test('too late has nothing of its decision, and says when it was approved and what was seen', async () => {
    stage.clock.ms += 3 * MINUTE;
    const approval = approvedRequest({ decidedAt: NOW_MS + 999, problem: { key: 'old' } });
    expect(await back(approval, 'late')).toEqual(
      pendingRequest({ review, reviewedAt: NOW, again: { approvedAt: NOW_MS + 999, why: late } }),
    );
    expect(stage.calls).toEqual([['askAnew', approval]]);
  });

  test('by hand is answered by no standing approval any more, and no reason stands above it', async () => {
    const approval = approvedRequest({ again: { approvedAt: 1, why: late } });
    expect(await back(approval, 'by-hand')).toEqual(pendingRequest({ byHand: true }));
    expect(stage.calls).toEqual([['askAnew', approval]]);
  });

  test('with a reason says it', async () => {
    const why = { key: 'problem_nonceChanged' };
    expect(await back(approvedRequest(), { why })).toEqual(
      pendingRequest({ byHand: true, again: { approvedAt: NOW_MS, why } }),
    );
  });

  test('for a storage id far ahead has its number', async () => {
    const idJump = { known: 2, named: 5_000_000 };
    expect(await back(approvedRequest(), { idJump })).toEqual(pendingRequest({ byHand: true, idJump }));
  });

  test('that a standing approval had answered says nothing of an approval', async () => {
    expect(await back(approvedRequest({ rule: 'one' }), 'late')).toEqual(pendingRequest());
    expect(await back(approvedRequest({ id: 'r', rule: 'one' }), 'by-hand')).toEqual(
      pendingRequest({ id: 'r', byHand: true }),
    );
  });

  test('is answered by no standing approval any more once its signature was given up', async () => {
    const { id } = await stage.sign();
    await stage.journal.markAbandoned(id, 'given up');
    expect(await back(approvedRequest({ rule: 'one' }), 'late')).toEqual(pendingRequest({ byHand: true }));
  });

  test('for another key begins with the choice of it, and says why the last one was refused', async () => {
    const approval = approvedRequest({ operation: 'updateAccountKey', choice });
    const asked = { operation: 'updateAccountKey', choice, stage: 'choosing' };
    expect(await back(approval, 'by-hand')).toEqual(pendingRequest({ ...asked, byHand: true }));
    const { id } = await stage.sign({ operation: 'updateAccountKey' });
    await stage.refuse(id, 102_021);
    const signedBefore = { copies: 1, validUntil: NOW + 600 };
    expect(await back(approval, 'by-hand')).toMatchObject({
      ...{ ...asked, byHand: true, copies: 2, signedBefore },
      problem: { key: 'problem_refusedUntil', values: { code: { text: '102021' } } },
    });
    const again = await back(approval, 'late');
    expect(again).toEqual(
      pendingRequest({ ...asked, again: { approvedAt: NOW_MS, why: late }, copies: 2, signedBefore }),
    );
    expect(await back({ ...approval, choice: undefined } as never, 'by-hand')).not.toHaveProperty('problem');
  });

  test('names each signature that was refused, and when the last of them ends', async () => {
    const first = await stage.sign({ validUntil: NOW + 900 });
    await stage.refuse(first.id);
    await stage.refuse((await stage.sign({ validUntil: NOW + 300 }, { copies: 2 })).id);
    expect(await back(approvedRequest({ copies: 2 }), 'by-hand')).toEqual(
      pendingRequest({ byHand: true, copies: 3, signedBefore: { copies: 2, validUntil: NOW + 900 } }),
    );
    await stage.refuse((await stage.sign({ validUntil: undefined }, { copies: 3 })).id);
    expect(await back(approvedRequest({ copies: 3 }), 'by-hand')).toEqual(
      pendingRequest({ byHand: true, copies: 4, signedBefore: { copies: 3, validUntil: null } }),
    );
  });

  test('names those of all its attempts, and allows one more of the last', async () => {
    const slot = { tokenId: 1, parity: 'order', nextFromRelayer: 20 } as const;
    await stage.refuse((await stage.sign({ validUntil: NOW + 900 }, { slot })).id);
    const signedBefore = { copies: 1, validUntil: NOW + 900 };
    expect(await back(approvedRequest(), 'by-hand')).toMatchObject({ copies: 2, signedBefore });
    await stage.refuse((await stage.sign({ validUntil: NOW + 900 }, { slot, copies: 2 })).id);
    await stage.refuse((await stage.sign({ requestId: 'q/1' }, { slot })).id);
    expect(await back(approvedRequest({ copies: 2 }), 'by-hand')).toEqual(
      pendingRequest({ byHand: true, copies: 2, copiesFor: 'q/1', signedBefore: { ...signedBefore, copies: 3 } }),
    );
  });

  test('counts no signature that was not refused, nor those of another request', async () => {
    await stage.sign();
    await stage.refuse((await stage.sign({ requestId: 'other' })).id);
    await stage.refuse((await stage.sign({ origin: OTHER })).id);
    expect(await back(approvedRequest(), 'by-hand')).toEqual(pendingRequest({ byHand: true }));
  });

  test('as a connection is as it was asked', async () => {
    const chosen = { accounts: ['a'], kinds: ['read'] };
    const approval = connection({ stage: 'approved', digest: '0x1', chosen, decidedAt: NOW_MS });
    expect(await back(approval, 'late')).toEqual(connection({ again: { approvedAt: NOW_MS, why: late } }));
  });

  test('was decided anew or ended meanwhile, and stays as it is', async () => {
    const approval = approvedRequest();
    for (const stored of [
      approvedRequest({ decidedAt: NOW_MS + 1 }),
      pendingRequest({ stage: 'done', decidedAt: NOW_MS }),
      readyRequest(),
    ])
      expect(await back(approval, 'late', stored)).toEqual(stored);
    expect(stage.calls).toEqual([]);
  });
});

describe('what was put back', () => {
  let ends: { found: boolean; forbidden: boolean; left: boolean; answered: boolean; unlocked: boolean };
  beforeEach(() => {
    ends = { found: false, forbidden: false, left: false, answered: false, unlocked: true };
  });
  const ask = async (approval: StoredApproval) => {
    const { step, calls } = stage;
    await askAnew(
      {
        closing: {
          endFound: step('endFound', ends.found),
          closeWithoutPermission: step('close', ends.forbidden),
        },
        leftPages: { endIf: step('left', ends.left) },
        prepareAsked: async (id: string) => {
          await step('prepare')(id);
          return ends.answered;
        },
        badge: { refresh: step('badge') },
        vault: { isUnlocked: async () => ends.unlocked },
        showWindow: step('showWindow'),
      } as never,
      approval,
    );
    return calls.splice(0);
  };
  const looked = (approval: StoredApproval) => [
    ['endFound', 'q'],
    ['close', approval],
  ];
  const prepared = [['prepare', 'q'], ['badge']];

  test('is prepared and shown', async () => {
    const approval = approvedRequest();
    expect(await ask(approval)).toEqual([...looked(approval), ...prepared, ['showWindow', 'q']]);
  });

  test('ends when the relayer shows its request, or its site may not ask any more', async () => {
    ends.found = true;
    expect(await ask(approvedRequest())).toEqual([['endFound', 'q']]);
    ends = { ...ends, found: false, forbidden: true };
    expect(await ask(approvedRequest())).toEqual(looked(approvedRequest()));
  });

  test('is shown where no standing approval answers what one had answered, unless its page is gone', async () => {
    const within = approvedRequest({ rule: 'one' });
    const late = [...looked(within), ['left', 'q']];
    expect(await ask(within)).toEqual([...late, ...prepared, ['showWindow', 'q']]);
    ends.answered = true;
    expect(await ask(within)).toEqual([...late, ['prepare', 'q']]);
    ends.left = true;
    expect(await ask(within)).toEqual(late);
  });

  test('opens no window for the wallet’s own pages, for a key that they choose, or while the wallet is locked', async () => {
    for (const approval of [approvedRequest({ origin: OWN_ORIGIN }), approvedRequest({ choice })])
      expect(await ask(approval)).toEqual([...looked(approval), ...prepared]);
    ends.unlocked = false;
    expect(await ask(approvedRequest())).toEqual([...looked(approvedRequest()), ...prepared]);
  });
});

describe('what was approved too long ago goes back', () => {
  let effects: string[];
  let executing: Map<string, Promise<void>>;
  beforeEach(() => {
    effects = [];
    executing = new Map();
  });
  const returned = async (id?: string) => {
    await returnLate(
      {
        ...{ approvals: stage.approvals, executing, putBack: stage.step('putBack') },
        hasEffect: async (approval: StoredApproval) => effects.includes(approval.id),
        ports: { now: () => stage.clock.ms },
      } as never,
      id,
    );
    return stage.calls.splice(0).map(([, approval, reason]) => [(approval as StoredApproval).id, reason]);
  };

  test('after two minutes, all of it or the one that is asked for', async () => {
    for (const id of ['a', 'b', 'c']) await stage.approvals.put(approvedRequest({ id }));
    await stage.approvals.put(readyRequest({ id: 'd' }));
    stage.clock.ms += 2 * MINUTE;
    expect(await returned()).toEqual([]);
    stage.clock.ms += 1;
    expect(await returned()).toEqual(['a', 'b', 'c'].map((id) => [id, 'late']));
    expect(await returned('b')).toEqual([['b', 'late']]);
    for (const id of ['d', 'nothing']) expect(await returned(id)).toEqual([]);
  });

  test('unless it is being carried out, or was', async () => {
    for (const id of ['a', 'b']) await stage.approvals.put(approvedRequest({ id }));
    stage.clock.ms += 3 * MINUTE;
    executing.set('a', Promise.resolve());
    effects.push('b');
    expect(await returned()).toEqual([]);
    effects = [];
    expect(await returned()).toEqual([['b', 'late']]);
  });
});
