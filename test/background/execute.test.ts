import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { attemptAfter, progressOf, requestIdsOf } from '../../src/background/approvals/attempts.ts';
import { carryOut } from '../../src/background/approvals/carryOut.ts';
import { claim } from '../../src/background/approvals/claim.ts';
import { execute } from '../../src/background/approvals/execute.ts';
import { executeOperation } from '../../src/background/approvals/executeOperation.ts';
import { ApprovalLapsed, type Attempt, type Progress } from '../../src/background/approvals/store/flow.ts';
import type { ApprovedRequest } from '../../src/background/approvals/store/storedApproval.ts';
import { submitAttempts } from '../../src/background/approvals/submitAttempts.ts';
import { JournalError, type SubmissionRecord } from '../../src/journal/index.ts';
import { FactsChanged } from '../../src/operations/operation.ts';
import { relayerErrors } from '../../src/protocol/index.ts';
import { VaultError } from '../../src/vault/index.ts';
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

let stage: ApprovalStage;
beforeEach(() => {
  stage = createApprovalStage();
});
afterEach(() => {
  vi.useRealTimers();
});

const draftOf = (orderType: string, ...rest: object[]) => ({ body: { orderType }, shown: { rest } });
const [first, second, third] = ['MAKER_ONLY', 'LIMIT_ORDER', 'TAKER_ONLY'].map((type) => draftOf(type)) as [
  ReturnType<typeof draftOf>,
  ReturnType<typeof draftOf>,
  ReturnType<typeof draftOf>,
];
/** Three orders, of which the next is signed when the one before came to nothing. */
const oneOf = (changes: object = {}) =>
  approvedRequest({ operation: 'submitOneOf', draft: draftOf('MAKER_ONLY', second, third), ...changes });

describe('an approval is carried out', () => {
  const carry = (executing: Map<string, Promise<void>>, work: () => Promise<void>) =>
    carryOut(
      {
        executing,
        signing,
        planWake: stage.step('planWake'),
        async execute(id) {
          stage.calls.push(['execute', id]);
          return work();
        },
      },
      'q',
    );
  const signing = new Set<string>();

  test('once at a time, for everybody who asks, and again later', async () => {
    const executing = new Map<string, Promise<void>>();
    signing.add('q').add('other');
    await Promise.all([carry(executing, async () => {}), carry(executing, async () => {})]);
    expect(stage.calls).toEqual([
      ['execute', 'q'],
      ['execute', 'q'],
    ]);
    expect([executing.size, [...signing]]).toEqual([0, ['other']]);
    await carry(executing, async () => {});
    expect(stage.called()).toEqual(['execute', 'execute', 'execute']);
  });

  test('once more when it was asked for while the last time was ending, and never twice at a time', async () => {
    const executing = new Map<string, Promise<void>>();
    let running = 0;
    let most = 0;
    let open = () => {};
    const gate = new Promise<void>((done) => {
      open = done;
    });
    const work = async () => {
      most = Math.max(most, ++running);
      await gate;
      running--;
    };
    const asked = [carry(executing, work), carry(executing, work), carry(executing, work)];
    expect(stage.called()).toEqual(['execute']);
    open();
    await Promise.all(asked);
    expect(stage.called()).toEqual(['execute', 'execute', 'execute']);
    expect([most, executing.size]).toEqual([1, 0]);
  });

  test('anew for who asked while it was about to fail', async () => {
    const executing = new Map<string, Promise<void>>();
    const failed = carry(executing, () => Promise.reject(new Error('disk full')));
    const second = carry(executing, async () => {});
    await expect(failed).rejects.toThrow('disk full');
    await second;
    expect(stage.called()).toEqual(['execute', 'planWake', 'execute']);
  });

  test('at the next wake-up when it fails, and whoever asked hears of it', async () => {
    const executing = new Map<string, Promise<void>>();
    signing.add('q');
    const failed = carry(executing, () => Promise.reject(new Error('disk full')));
    expect([...executing.keys()]).toEqual(['q']);
    await expect(failed).rejects.toThrow('disk full');
    expect(stage.called()).toEqual(['execute', 'planWake']);
    expect([executing.size, signing.has('q')]).toEqual([0, false]);
  });
});

describe('what an approval brings about', () => {
  let isUnlocked: boolean;
  let hadEffect: boolean;
  beforeEach(() => {
    isUnlocked = true;
    hadEffect = false;
  });
  const carryOut = async (id = 'q') => {
    await execute(
      {
        closing: {
          async stillApproved(id: string) {
            const approval = await stage.approvals.get(id);
            return approval?.stage === 'approved' ? approval : undefined;
          },
        },
        ports: { now: () => stage.clock.ms },
        vault: { isUnlocked: async () => isUnlocked },
        hasEffect: async () => hadEffect,
        putBack: stage.step('putBack'),
        effectOf: { operation: stage.step('sign'), connect: stage.step('connect'), standing: stage.step('open') },
      } as never,
      id,
    );
    return stage.calls.splice(0);
  };
  const connected = connection({
    stage: 'approved',
    digest: '0x1',
    chosen: { accounts: ['a'], kinds: [] },
    decidedAt: NOW_MS,
  });

  test('is that of its kind', async () => {
    for (const [approval, ...expected] of [
      [approvedRequest(), 'sign', false],
      [approvedRequest({ kind: 'standing', operation: 'submitOrder' }), 'open'],
      [connected, 'connect'],
    ] as const) {
      await stage.approvals.put(approval);
      const [[name, given, ...more] = []] = await carryOut();
      expect([name, given, ...more]).toEqual([expected[0], approval, ...expected.slice(1)]);
    }
  });

  test('is nothing before the approval, after the end, while the wallet is locked, or for an id of nothing', async () => {
    expect(await carryOut()).toEqual([]);
    for (const approval of [readyRequest(), pendingRequest({ stage: 'done', decidedAt: NOW_MS })]) {
      await stage.approvals.put(approval);
      expect(await carryOut()).toEqual([]);
    }
    await stage.approvals.put(approvedRequest());
    isUnlocked = false;
    expect(await carryOut()).toEqual([]);
  });

  test('is asked for again more than two minutes later, unless it was brought about before', async () => {
    const approvals = [connected, approvedRequest({ kind: 'standing', operation: 'submitOrder' })] as const;
    for (const [index, approval] of approvals.entries()) {
      const name = index === 0 ? 'connect' : 'open';
      await stage.approvals.put(approval);
      stage.clock.ms = NOW_MS + 2 * MINUTE;
      expect(await carryOut()).toEqual([[name, approval]]);
      stage.clock.ms += 1;
      expect(await carryOut()).toEqual([['putBack', approval, 'late']]);
      hadEffect = true;
      expect(await carryOut()).toEqual([[name, approval]]);
      hadEffect = false;
    }
    await stage.approvals.put(approvedRequest());
    expect(await carryOut()).toEqual([['sign', approvedRequest(), true]]);
    hadEffect = true;
    expect(await carryOut()).toEqual([['sign', approvedRequest(), false]]);
  });
});

describe('a request that was approved', () => {
  let place: { account?: typeof account; network?: typeof network };
  /** The signatures and submissions: a failure, why the user is asked again, or nothing of both. */
  let turns: (progress: Progress) => Promise<unknown>;
  let isSubmittedLate: boolean;
  beforeEach(() => {
    place = { account, network };
    turns = async () => null;
    isSubmittedLate = false;
  });
  const carryOut = async (approval: ApprovedRequest = approvedRequest(), isTooLate = false) => {
    await executeOperation(
      {
        accountKeys: { readApiKeyAhead: stage.step('readAhead') },
        config: { place: async (id: string) => (id === approval.account ? place : {}) },
        endings: {
          finish: stage.step('finish'),
          giveUp: stage.step('giveUp'),
          submitted: stage.step('submitted', isSubmittedLate),
        },
        journal: stage.journal,
        putBack: stage.step('putBack'),
        submitAttempts: async (_approval: unknown, progress: Progress, ...at: unknown[]) => {
          expect(at).toEqual([account, network]);
          return turns(progress);
        },
      } as never,
      approval,
      isTooLate,
    );
    return stage.calls.splice(0).filter(([name]) => name !== 'readAhead');
  };
  const fails = (error: unknown) => {
    turns = () => Promise.reject(error);
  };

  test('ends as its submission stands', async () => {
    const [passed, record] = [await stage.sign({ requestId: 'before' }), await stage.sign()];
    turns = async (progress) => {
      progress.passed.push(passed);
      progress.record = record;
      return null;
    };
    const approval = approvedRequest();
    expect(await carryOut(approval)).toEqual([['submitted', approval, [passed], record]]);
  });

  test('is asked again when its signature was too late for its page', async () => {
    const record = await stage.sign();
    turns = async (progress) => {
      progress.record = record;
      return null;
    };
    isSubmittedLate = true;
    const approval = approvedRequest();
    const ends = [
      ['submitted', approval, [], record],
      ['putBack', approval, 'late'],
    ];
    expect(await carryOut(approval)).toEqual(ends);
    place = {};
    expect(await carryOut(approval)).toEqual(ends);
  });

  test('reads the API key while the signature is made', async () => {
    turns = async () => {
      expect(stage.calls).toEqual([['readAhead', account.id]]);
      return null;
    };
    expect(await carryOut()).toEqual([]);
  });

  test('that only another version of the wallet has ends when its account was removed', async () => {
    delete place.account;
    const approval = approvedRequest({ operation: 'ofTomorrow' });
    expect(await carryOut(approval)).toMatchObject([['finish', approval, {}, { error: { code: 4100 } }]]);
  });

  test.each([['account'], ['network']] as const)('whose %s was removed ends with that', async (gone) => {
    delete place[gone];
    const approval = approvedRequest();
    const message = 'The account of this request was removed from the wallet.';
    expect(await carryOut(approval)).toEqual([
      ['finish', approval, {}, { error: { code: 4100, message, data: { reason: 'revoked' } } }],
    ]);
    // Nothing of it was signed.
    await stage.journal.reserve({
      ...{ networkId: 'net', accountId: 1, origin: SITE, requestId: 'q', operation: 'transfer', draft: {} },
      reviewDigest: '0x1',
    });
    expect(await carryOut(approval, true)).toMatchObject([['finish', approval, {}, { error: { code: 4100 } }]]);
  });

  test('whose account was removed after the signature is answered with what became of it', async () => {
    place = {};
    const { id } = await stage.sign();
    const record = await stage.journal.markAcknowledged(id, { status: 'received' });
    expect(await carryOut()).toEqual([['submitted', approvedRequest(), [], record]]);
  });

  test('whose account was removed is answered with its refused copy when a further one was given up', async () => {
    place = {};
    const { id } = await stage.sign();
    await stage.refuse(id);
    const draft = { networkId: 'net', accountId: 1, origin: SITE, requestId: 'q', operation: 'transfer', draft: {} };
    const second = await stage.journal.reserve({ ...draft, reviewDigest: '0x1' }, { copies: 2 });
    await stage.journal.markAbandoned(second.id, 'stopped before signing');
    expect(await carryOut()).toMatchObject([['submitted', {}, [], { id, state: 'refused' }]]);
  });

  test('is asked again when it is too late, or when it has to be asked', async () => {
    const approval = approvedRequest();
    turns = async () => 'by-hand';
    expect(await carryOut(approval, true)).toEqual([['putBack', approval, 'late']]);
    expect(await carryOut(approval)).toEqual([['putBack', approval, 'by-hand']]);
  });

  test('waits for the password', async () => {
    fails(new VaultError('locked', 'locked'));
    expect(await carryOut()).toEqual([]);
    const other = new VaultError('corrupt', 'corrupt');
    fails(other);
    expect(await carryOut()).toEqual([['giveUp', approvedRequest(), network, other]]);
    const alike = Object.assign(new Error('locked'), { code: 'locked' });
    fails(alike);
    expect(await carryOut()).toEqual([['giveUp', approvedRequest(), network, alike]]);
  });

  test('waits for the password after a refusal, and is unknown without it once it may have left', async () => {
    fails(new VaultError('locked', 'locked'));
    const refused = await stage.sign();
    await stage.refuse(refused.id);
    expect(await carryOut()).toEqual([]);
    const other = approvedRequest({ id: 'other' });
    const record = await stage.sign({ requestId: 'other' });
    expect(await carryOut(other)).toEqual([['submitted', other, [], record]]);
    const sent = await stage.journal.markSent(record.id);
    expect(await carryOut(other)).toEqual([['submitted', other, [], sent]]);
  });

  test('whose storage id lies far ahead is asked again with the number', async () => {
    const jump = { known: 0, named: 5_000_000 };
    fails(new JournalError('id-jump', 'far ahead', { jump }));
    expect(await carryOut()).toEqual([['putBack', approvedRequest(), { idJump: jump }]]);
  });

  test.each([
    ['limit-exceeded', true],
    ['rule-closed', true],
    ['storage', false],
  ] as const)('within a standing approval, after %s, is asked by hand: %s', async (code, isAsked) => {
    const error = new JournalError(code, code);
    fails(error);
    const within = approvedRequest({ rule: 'one' });
    expect(await carryOut(within)).toEqual([
      isAsked ? ['putBack', within, 'by-hand'] : ['giveUp', within, network, error],
    ]);
    expect(await carryOut()).toEqual([['giveUp', approvedRequest(), network, error]]);
    const other = Object.assign(new Error(code), { code });
    fails(other);
    expect(await carryOut(within)).toEqual([['giveUp', within, network, other]]);
  });

  test('that failed after its signature ends as its submission stands', async () => {
    const record = await stage.sign();
    for (const error of [new Error('disk full'), new ApprovalLapsed('late')]) {
      fails(error);
      expect(await carryOut()).toEqual([['submitted', approvedRequest(), [], record]]);
    }
  });

  test('that failed before its signature is given up, whatever was refused before', async () => {
    const record = await stage.sign();
    const refused = await stage.refuse(record.id);
    const again = { networkId: 'net', accountId: 1, origin: SITE, requestId: 'q', operation: 'transfer', draft: {} };
    await stage.journal.reserve({ ...again, reviewDigest: '0x1' }, { copies: 2 });
    const error = new Error('no answer');
    turns = (progress) => {
      progress.record = refused;
      return Promise.reject(error);
    };
    expect(await carryOut()).toEqual([['giveUp', approvedRequest(), network, error]]);
  });

  test('whose next alternative could not be signed ends with the one before', async () => {
    const before = await stage.sign(
      { operation: 'submitOneOf' },
      { slot: { tokenId: 1, parity: 'order', nextFromRelayer: 20 } },
    );
    const error = new Error('no answer');
    turns = async (progress) => {
      progress.record = before;
      progress.attempt = { requestId: 'q/1', draft: second };
      throw error;
    };
    expect(await carryOut(oneOf())).toEqual([['submitted', oneOf(), [], before]]);
    const next = await stage.sign({ operation: 'submitOneOf', requestId: 'q/1' });
    expect(await carryOut(oneOf())).toEqual([['submitted', oneOf(), [], next]]);
  });

  test('of which an earlier worker signed an alternative ends with that one, whatever keeps the next from being signed', async () => {
    const slot = { tokenId: 1, parity: 'order', nextFromRelayer: 20 } as const;
    const { id } = await stage.sign({ operation: 'submitOneOf' }, { slot });
    const refused = await stage.refuse(id);
    const next = {
      networkId: 'net',
      accountId: 1,
      origin: SITE,
      requestId: 'q/1',
      operation: 'submitOneOf',
      draft: {},
    };
    const reserved = await stage.journal.reserve({ ...next, reviewDigest: '0x1' }, { slot: { ...slot, reuse: 20 } });
    await stage.journal.markAbandoned(reserved.id, 'stopped before signing');
    for (const error of [new ApprovalLapsed('late'), new Error('no answer')]) {
      fails(error);
      expect(await carryOut(oneOf())).toEqual([['submitted', oneOf(), [], refused]]);
    }
    place = {};
    expect(await carryOut(oneOf())).toEqual([['submitted', oneOf(), [], refused]]);
  });

  test('within a standing approval ends with its refused copy when a further one cannot be signed', async () => {
    const { id } = await stage.sign();
    const refused = await stage.refuse(id);
    const draft = { networkId: 'net', accountId: 1, origin: SITE, requestId: 'q', operation: 'transfer', draft: {} };
    const second = await stage.journal.reserve({ ...draft, reviewDigest: '0x1' }, { copies: 2 });
    await stage.journal.markAbandoned(second.id, 'no signature left the wallet');
    fails(new Error('the relayer is away'));
    const within = approvedRequest({ rule: 'one' });
    expect(await carryOut(within)).toEqual([['submitted', within, [], refused]]);
    expect((await carryOut(approvedRequest({ copies: 2 }))).map(([name]) => name)).toEqual(['giveUp']);
  });

  test('that is not valid any more at the moment of its signature', async () => {
    fails(new ApprovalLapsed('late'));
    expect(await carryOut()).toEqual([['putBack', approvedRequest(), 'late']]);
    fails(new ApprovalLapsed('taken-back'));
    expect(await carryOut()).toEqual([]);
  });

  describe('for another key', () => {
    const keyUpdate = approvedRequest({ operation: 'updateAccountKey' });
    const refusedWith = (code: number) => {
      turns = async (progress) => {
        const { id } = await stage.sign({ operation: 'updateAccountKey' });
        progress.record = await stage.refuse(id, code);
        return null;
      };
    };

    test('is asked again with the reason when its facts have changed', async () => {
      fails(new FactsChanged('The nonce is 2.', { key: 'problem_nonceChanged' }));
      expect(await carryOut(keyUpdate)).toEqual([['putBack', keyUpdate, { why: { key: 'problem_nonceChanged' } }]]);
    });

    test('is asked again when its nonce was used, and ends with any other refusal', async () => {
      refusedWith(relayerErrors.NONCE_INVALID.code);
      expect(await carryOut(keyUpdate)).toEqual([['putBack', keyUpdate, 'by-hand']]);
    });

    test.each([relayerErrors.BALANCE_INSUFFICIENT.code, 1])('ends with the refusal %i', async (code) => {
      refusedWith(code);
      expect(await carryOut(keyUpdate)).toMatchObject([['submitted', { id: 'q' }, [], { state: 'refused' }]]);
    });

    test('ends with what the relayer took after all', async () => {
      turns = async (progress) => {
        const { id } = await stage.sign({ operation: 'updateAccountKey' });
        await stage.refuse(id, relayerErrors.NONCE_INVALID.code);
        progress.record = await stage.journal.markAcknowledged(id, {});
        return null;
      };
      expect(await carryOut(keyUpdate)).toMatchObject([['submitted', { id: 'q' }, [], { state: 'acknowledged' }]]);
    });
  });

  test('of any other kind ends with the refusal of its nonce', async () => {
    turns = async (progress) => {
      progress.record = await stage.refuse((await stage.sign()).id, relayerErrors.NONCE_INVALID.code);
      return null;
    };
    expect(await carryOut()).toMatchObject([['submitted', { id: 'q' }, [], { state: 'refused' }]]);
  });
});

describe('the turns of a request', () => {
  const recordOf = (state: string, changes: object = {}) =>
    ({
      id: state,
      state,
      operation: 'submitOneOf',
      slot: { tokenId: 1, parity: 'order', storageId: 20 },
      draft: {},
      ...changes,
    }) as SubmissionRecord;
  /** What each submission comes to, and how often its id was used elsewhere. */
  let outcomes: SubmissionRecord[];
  let usedElsewhere: number;
  let known: typeof account | undefined;
  let looks: SubmissionRecord[];
  /** Whether each submission was told that its id is taken. */
  let taken: unknown[];
  let progress: Progress;
  beforeEach(() => {
    taken = [];
    outcomes = [];
    usedElsewhere = 0;
    known = { ...account, label: 'with its key of now' };
    looks = [];
    progress = { attempt: { requestId: 'q', draft: oneOf().draft }, record: undefined, passed: [] };
  });
  const turn = async (approval: ApprovedRequest) => {
    const reason = await submitAttempts(
      {
        config: { account: async (id: string) => (id === account.id ? known : undefined) },
        keyUpdate: { settle: stage.step('settle') },
        isUsedElsewhere: async (_record: unknown, ...at: unknown[]) => {
          expect(at).toEqual([known ?? account, network]);
          return usedElsewhere-- > 0;
        },
        submitOnce: async (...of: unknown[]) => {
          const [asked, attempt, by, at, isTaken = false] = of;
          expect([asked, by, at]).toEqual([approval, known ?? account, network]);
          stage.calls.push(['submit', attempt]);
          taken.push(isTaken);
          const outcome = outcomes.length > 1 ? outcomes.shift() : outcomes[0];
          const { requestId } = attempt as Attempt;
          return Object.assign(outcome as object, { requestId, ...outcome });
        },
        submissions: {
          check: async (id: string) => {
            stage.calls.push(['check', id]);
            return looks.length > 1 ? looks.shift() : looks[0];
          },
        },
      } as never,
      approval,
      progress,
      account,
      network,
    );
    return [reason, ...stage.called()];
  };
  const submitted = () => stage.calls.flatMap(([name, attempt]) => (name === 'submit' ? [attempt] : []));

  test('end with the user when what was signed is too old to be sent', async () => {
    outcomes = [recordOf('abandoned')];
    expect(await turn(oneOf())).toEqual(['late', 'settle', 'submit']);
  });

  test('are one, by the key that is registered by then', async () => {
    outcomes = [recordOf('sent')];
    expect(await turn(approvedRequest())).toEqual([null, 'settle', 'submit']);
    expect(stage.calls[0]).toEqual(['settle', account]);
    expect(progress.record).toBe(outcomes[0]);
    expect(progress.passed).toEqual([]);
  });

  test('go on with the account as it was when it cannot be read', async () => {
    known = undefined;
    outcomes = [recordOf('sent')];
    expect(await turn(approvedRequest())).toEqual([null, 'settle', 'submit']);
  });

  test('wait for no key update when they are one', async () => {
    outcomes = [recordOf('sent')];
    expect(await turn(approvedRequest({ operation: 'updateAccountKey' }))).toEqual([null, 'submit']);
  });

  test('end with the user when another browser used the id', async () => {
    outcomes = [recordOf('refused')];
    usedElsewhere = 1;
    expect(await turn(approvedRequest())).toEqual(['by-hand', 'settle', 'submit']);
    expect(progress.record).toBe(outcomes[0]);
  });

  test('go on within a standing approval, up to three signatures', async () => {
    outcomes = [recordOf('refused'), recordOf('refused', { copy: 2 }), recordOf('refused', { copy: 3 })];
    const last = outcomes[2];
    usedElsewhere = 9;
    expect(await turn(approvedRequest({ rule: 'one' }))).toEqual([null, 'settle', 'submit', 'submit', 'submit']);
    expect(progress.record).toBe(last);
  });

  test('end with the user when a further copy is too old to be sent, or given up', async () => {
    outcomes = [recordOf('refused'), recordOf('abandoned', { copy: 2 })];
    usedElsewhere = 1;
    expect(await turn(approvedRequest({ rule: 'one' }))).toEqual(['late', 'settle', 'submit', 'submit']);
  });

  test('go on within a standing approval until an id is free', async () => {
    outcomes = [recordOf('refused'), recordOf('acknowledged', { copy: 2 })];
    const last = outcomes[1];
    usedElsewhere = 1;
    expect(await turn(approvedRequest({ rule: 'one' }))).toEqual([null, 'settle', 'submit', 'submit']);
    expect(progress.record).toBe(last);
    expect(taken).toEqual([false, true]);
  });

  test('of alternatives go on after each that was refused, in the slot of the first', async () => {
    const refusals = [
      recordOf('refused', { id: 'a' }),
      recordOf('refused', { id: 'b' }),
      recordOf('refused', { id: 'c' }),
    ];
    outcomes = [...refusals];
    expect(await turn(oneOf())).toEqual([null, 'settle', 'submit', 'submit', 'submit']);
    expect(submitted()).toEqual([
      { requestId: 'q', draft: oneOf().draft },
      { requestId: 'q/1', draft: draftOf('LIMIT_ORDER', third), reuse: 20, after: 'a' },
      { requestId: 'q/2', draft: third, reuse: 20, after: 'b' },
    ]);
    expect(progress.passed).toEqual(refusals.slice(0, 2));
    expect(progress.record).toBe(refusals[2]);
    expect(progress.attempt.requestId).toBe('q/2');
  });

  test('of alternatives end with one before that was refused and carried out after all', async () => {
    const [first, found] = [recordOf('refused'), recordOf('acknowledged', { requestId: 'q' })];
    outcomes = [first, found];
    expect(await turn(oneOf())).toEqual([null, 'settle', 'submit', 'submit']);
    expect(submitted()).toMatchObject([{ requestId: 'q' }, { requestId: 'q/1' }]);
    expect(progress.record).toBe(found);
  });

  test.each([
    ['unknown', recordOf('sent')],
    ['filled', recordOf('processed', { ack: { status: 'processed', volumes: { baseFilled: '5' } } })],
    ['cancelled after a part', recordOf('cancelled', { ack: { status: 'cancelled', volumes: { baseFilled: '5' } } })],
    ['taken', recordOf('acknowledged', { ack: { status: 'cancelled', volumes: { baseFilled: '0' } } })],
    ['refused without a slot', recordOf('refused', { slot: undefined })],
  ])('of alternatives end with one that is %s', async (_how, record) => {
    outcomes = [record];
    looks = [record];
    progress.attempt = { requestId: 'q', draft: draftOf('LIMIT_ORDER', third) };
    expect(await turn(oneOf())).toEqual([null, 'settle', 'submit']);
    expect(progress.record).toBe(record);
  });

  test('of alternatives go on after one that ended with nothing done', async () => {
    outcomes = [
      recordOf('cancelled', { ack: { status: 'cancelled', volumes: { baseFilled: '0' } } }),
      recordOf('sent'),
    ];
    expect(await turn(oneOf())).toEqual([null, 'settle', 'submit', 'submit']);
  });

  test('wait for the end of what the relayer ends at once', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    outcomes = [recordOf('acknowledged', { id: 'one' }), recordOf('sent')];
    const none = recordOf('cancelled', { ack: { status: 'cancelled', volumes: { baseFilled: '0' } } });
    looks = [recordOf('acknowledged'), none];
    const turned = turn(oneOf());
    await vi.advanceTimersByTimeAsync(299);
    expect(stage.called()).toEqual(['settle', 'submit']);
    await vi.advanceTimersByTimeAsync(301);
    expect(await turned).toEqual([null, 'settle', 'submit', 'check', 'check', 'submit']);
    expect(stage.calls[2]).toEqual(['check', 'one']);
    expect(progress.passed).toEqual([none]);
  });

  test('wait for it no longer than eight looks', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    outcomes = [recordOf('acknowledged')];
    looks = [recordOf('acknowledged', { ack: { latest: true } })];
    const turned = turn(oneOf());
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await turned).toEqual([null, 'settle', 'submit', ...Array<string>(8).fill('check')]);
    expect(progress.record).toBe(looks[0]);
  });

  test('do not wait for what may rest', async () => {
    outcomes = [recordOf('acknowledged')];
    progress.attempt = { requestId: 'q/1', draft: second };
    expect(await turn(oneOf())).toEqual([null, 'settle', 'submit']);
  });
});

describe('the attempt that an approval has come to', () => {
  const signed = (requestId: string, storageId: number, isSlotted = true) =>
    stage.sign(
      { requestId, operation: 'submitOneOf' },
      isSlotted ? { slot: { tokenId: 1, parity: 'order', nextFromRelayer: storageId } } : {},
    );
  const id = async (approval = oneOf()) => (await requestIdsOf(stage.journal, approval)).at(-1);
  const attempt = async (approval = oneOf()) => (await progressOf(stage.journal, approval)).attempt;

  test('is known from the journal where the request was put back, and has no draft', async () => {
    for (const requestId of ['q', 'q/1', 'q/2']) await signed(requestId, 20);
    expect(await requestIdsOf(stage.journal, { id: 'q', origin: SITE })).toEqual(['q', 'q/1', 'q/2']);
    expect(await requestIdsOf(stage.journal, { id: 'never', origin: SITE })).toEqual(['never']);
  });

  test('is the first while nothing was signed, and the last that has a record later', async () => {
    const start = { requestId: 'q', draft: oneOf().draft };
    expect([await attempt(), await id()]).toEqual([start, 'q']);
    const { id: first } = await signed('q', 20);
    expect([await attempt(), await id()]).toEqual([start, 'q']);
    const { id: second } = await signed('q/1', 22);
    const next = { requestId: 'q/1', draft: draftOf('LIMIT_ORDER', third), reuse: 20, after: first };
    expect([await attempt(), await id()]).toEqual([next, 'q/1']);
    await signed('q/2', 24);
    expect(await attempt()).toEqual({ requestId: 'q/2', draft: third, reuse: 22, after: second });
    expect(await id()).toBe('q/2');
    expect(await id(oneOf({ origin: 'https://other.example' }))).toBe('q');
  });

  test('has the records of those before it', async () => {
    const before = [await signed('q', 20), await signed('q/1', 22)];
    await signed('q/2', 24);
    expect(await progressOf(stage.journal, oneOf())).toMatchObject({ record: before[1], passed: [before[0]] });
  });

  test('is the last one there is, and of an operation without alternatives the only one', async () => {
    const record = await signed('q', 20);
    expect(attemptAfter(oneOf(), { requestId: 'q/2', draft: third }, record)).toBeNull();
    expect(attemptAfter(approvedRequest(), { requestId: 'q', draft: first }, record)).toBeNull();
    await signed('q/1', 22);
    expect((await attempt(approvedRequest())).requestId).toBe('q');
  });
});

describe('right before the signature an approval', () => {
  const check = (signing: Set<string>) =>
    claim({ approvals: stage.approvals, signing, ports: { now: () => stage.clock.ms } as never }, 'q');

  test('holds for two minutes, and cannot be taken back from here on', async () => {
    await stage.approvals.put(approvedRequest());
    stage.clock.ms += 2 * MINUTE;
    const signing = new Set<string>();
    const claimed = check(signing);
    expect([...signing]).toEqual(['q']);
    expect(await claimed).toBeNull();
    expect([...signing]).toEqual(['q']);
  });

  test('is late after that, or not approved any more, and can be taken back', async () => {
    const signing = new Set<string>();
    expect(await check(signing)).toBe('taken-back');
    await stage.approvals.put(approvedRequest());
    stage.clock.ms += 2 * MINUTE + 1;
    expect(await check(signing)).toBe('late');
    await stage.approvals.put(readyRequest());
    expect(await check(signing)).toBe('taken-back');
    expect([...signing]).toEqual([]);
  });

  test('that had begun to be signed before stays so', async () => {
    await stage.approvals.put(approvedRequest());
    stage.clock.ms += 2 * MINUTE + 1;
    const signing = new Set(['q']);
    expect(await check(signing)).toBe('late');
    expect([...signing]).toEqual(['q']);
  });
});
