import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { admit } from '../../src/background/approvals/admit.ts';
import { askUser } from '../../src/background/approvals/askUser.ts';
import { endsTooOften } from '../../src/background/approvals/endsTooOften.ts';
import { prepareAsked } from '../../src/background/approvals/prepareApproval.ts';
import { show } from '../../src/background/approvals/show.ts';
import { type ApprovalRequest, askedDigestOf } from '../../src/background/approvals/store/approvalRequest.ts';
import { createRequestRate } from '../../src/background/approvals/store/requestRate.ts';
import { isOpen, type StoredApproval } from '../../src/background/approvals/store/storedApproval.ts';
import { storeAsked } from '../../src/background/approvals/storeAsked.ts';
import { RpcError } from '../../src/background/errors/rpcError.ts';
import { OWN_ORIGIN } from '../../src/messaging/ownOrigin.ts';
import { digestOf } from '../../src/operations/canonicalJson.ts';
import { listenForReports } from '../../src/report/report.ts';
import { createFaultyArea } from '../support/faultyArea.ts';
import { createPromiseLock } from '../support/promiseLock.ts';
import {
  type ApprovalStage,
  account,
  approvedRequest,
  createApprovalStage,
  NOW_MS,
  OTHER,
  pendingRequest,
  readyRequest,
  SITE,
} from './approvalStage.ts';

const CALLER = { kind: 'page', origin: SITE, tabId: 7, documentId: 'document' } as const;
const transfer: ApprovalRequest = {
  ...{ kind: 'operation', operation: 'transfer', account: account.id, intent: { asked: 1 } },
};
const connect: ApprovalRequest = { kind: 'connect', kinds: ['read', 'orders'], switchTo: 'net' };
const failed = (name: string) => Object.assign(new Error('of a test'), { name });

let stage: ApprovalStage;
let traces: string[];
beforeEach(() => {
  stage = createApprovalStage();
  traces = [];
  listenForReports(({ where, name }) => traces.push(`${where} ${name}`));
});
afterEach(() => listenForReports(() => {}));

/** Puts pending approvals of sites into the store, each older than what is asked now. */
const fill = async (many: number, changes: (index: number) => object) => {
  for (let index = 0; index < many; index++)
    await stage.approvals.put(
      pendingRequest({ id: `old ${index}`, requestIds: [], createdAt: NOW_MS - 1_000 + index, ...changes(index) }),
    );
};

describe('a site may ask', () => {
  const rate = { isSpent: false, keep: async () => {} };
  let rating: () => Promise<typeof rate>;
  let leaves: () => Promise<void>;
  beforeEach(() => {
    rating = async () => rate;
    leaves = async () => {};
  });
  const ask = () =>
    admit(
      {
        ...{ approvals: stage.approvals, requests: stage.requests, grants: stage.grants },
        requestRate: {
          countRequest: (...of: unknown[]) => {
            stage.calls.push(['countRequest', ...of]);
            return rating();
          },
        },
        leftPages: {
          end: (...of: unknown[]) => {
            stage.calls.push(['end', ...of]);
            return leaves();
          },
        },
      } as never,
      CALLER,
      'page',
      NOW_MS,
    );

  test('at its rate, among what is pending', async () => {
    await fill(9, () => ({}));
    const open = await stage.approvals.open();
    expect(open).toHaveLength(9);
    expect(await ask()).toEqual({ rate, open });
    expect(stage.calls).toEqual([['countRequest', SITE, NOW_MS]]);
  });

  test('once by one name, also when it asks too often', async () => {
    await stage.enter(pendingRequest());
    rating = async () => {
      throw failed('TooOften');
    };
    expect(await ask()).toBeNull();
  });

  test('not while it is blocked, whatever its rate', async () => {
    await stage.grants.setBlocked(SITE, true);
    rating = async () => {
      throw failed('TooOften');
    };
    await expect(ask()).rejects.toMatchObject({ code: 4100, data: { reason: 'blocked' } });
    await stage.grants.setBlocked(SITE, false);
    await expect(ask()).rejects.toMatchObject({ name: 'TooOften' });
  });

  test('in the place of pages that went unheard, which are looked for only then', async () => {
    await fill(10, () => ({}));
    leaves = async () => {
      // A page takes its time to answer.
      await new Promise((done) => setTimeout(done));
      await stage.approvals.put(pendingRequest({ id: 'old 0', requestIds: [], stage: 'closed' }));
    };
    // The window shows the oldest of these first: none that just ended.
    expect(await ask()).toEqual({ rate, open: await stage.approvals.open() });
    expect(stage.called()).toEqual(['countRequest', 'end']);
    // The site waits.
    expect(stage.calls.at(-1)).toEqual(['end', { isAwaited: true }]);
    leaves = async () => {};
    await fill(10, () => ({}));
    await expect(ask()).rejects.toMatchObject({
      code: -32005,
      message: '10 requests of this site wait for the user already.',
    });
  });

  test('from a tab that other sites have not filled', async () => {
    const fillTab = async (tabId: number) => {
      for (let index = 0; index < 10; index++) {
        const asked = {
          id: `old ${index}`,
          requestIds: [`page ${index}`],
          origin: `https://site${index}.test${index}`,
        };
        await stage.enter(pendingRequest(asked), { tabId });
      }
    };
    await fillTab(CALLER.tabId + 1);
    expect(await ask()).toMatchObject({ rate });
    expect(stage.called()).toEqual(['countRequest']);
    stage = createApprovalStage();
    await fillTab(CALLER.tabId);
    await expect(ask()).rejects.toMatchObject({
      code: -32005,
      message: '10 requests of this tab wait for the user already.',
    });
    expect(stage.called()).toEqual(['countRequest', 'end']);
  });
});

describe('a request of a page is stored', () => {
  let rate: { isSpent: boolean; keep: () => Promise<void> };
  let admitted: boolean;
  let answering: string[];
  beforeEach(() => {
    rate = { isSpent: false, keep: stage.step('keep') };
    admitted = true;
    answering = [];
    numbers = 0;
  });
  let numbers: number;
  const store = async (request: ApprovalRequest = transfer, requestId = 'page') => {
    return storeAsked(
      {
        approvals: stage.approvals,
        ports: { now: () => NOW_MS, uuid: () => `approval ${++numbers}` },
        admit: async (...of: unknown[]) => {
          stage.calls.push(['admit', ...of]);
          return admitted ? { rate, open: await stage.approvals.open() } : null;
        },
        candidates: async (approval: StoredApproval) => {
          stage.calls.push(['candidates', approval.id]);
          return answering;
        },
        accountKeys: { readApiKeyAhead: (id: string) => stage.calls.push(['readApiKeyAhead', id]) },
      } as never,
      CALLER,
      requestId,
      request,
    );
  };
  const asked = (request: ApprovalRequest, kind: object): object => ({
    ...{ version: 1, id: 'approval 1', stage: 'waiting', origin: SITE, requestIds: ['page'], createdAt: NOW_MS },
    askedDigest: askedDigestOf(SITE, request),
    ...kind,
  });

  test('as it was asked, with the page that waits for it', async () => {
    const entered = asked(transfer, transfer);
    expect(await store()).toEqual({ entered, first: 'approval 1', isUncounted: false });
    expect(await stage.approvals.get('approval 1')).toEqual(entered);
    expect(await stage.requests.find(SITE, 'page')).toEqual({
      ...{ id: 'page', origin: SITE, tabId: 7, documentId: 'document', createdAt: NOW_MS },
      ...{ approvalId: 'approval 1', answer: null },
    });
    expect(stage.calls).toEqual([
      ['admit', CALLER, 'page', NOW_MS],
      ['candidates', 'approval 1'],
      ['readApiKeyAhead', account.id],
      ['keep'],
    ]);
  });

  test('as a connection, which needs no key of an account', async () => {
    const stored = await store(connect);
    expect(stored?.entered).toEqual(asked(connect, connect));
    expect(stage.called()).toEqual(['admit', 'candidates', 'keep']);
  });

  test('never twice', async () => {
    admitted = false;
    expect(await store()).toBeNull();
    expect(stage.called()).toEqual(['admit']);
    expect(await stage.approvals.list()).toEqual([]);
  });

  test('behind the oldest that the window shows', async () => {
    await fill(2, (index) => (index === 0 ? { origin: OWN_ORIGIN } : { origin: OTHER }));
    expect((await store())?.first).toBe('old 1');
  });

  test('not above its rate, unless a standing approval may answer it', async () => {
    rate = { ...rate, isSpent: true };
    await expect(store()).rejects.toMatchObject({
      code: -32005,
      message: 'This site asks too often. Wait before asking again.',
    });
    expect(await stage.approvals.list()).toEqual([]);
    expect(stage.called()).toEqual(['admit', 'candidates']);
    answering = ['a standing approval'];
    expect(await store()).toMatchObject({ entered: { id: 'approval 2' }, isUncounted: true });
    // It is counted when none answers it.
    expect(stage.called()).not.toContain('keep');
    // A repeat is answered by none, so that it cannot bring the window to front without end.
    await expect(store(transfer, 'another')).rejects.toMatchObject({ code: -32005 });
    rate = { ...rate, isSpent: false };
    expect(await store(transfer, 'another')).toMatchObject({ isUncounted: false });
    expect(stage.called()).toContain('keep');
  });

  test('above its rate under a key that is known only while that is not spent', async () => {
    answering = ['a standing approval'];
    const named = { ...transfer, idempotencyKey: 'mine' };
    const { entered } = (await store(named)) as { entered: StoredApproval };
    rate = { ...rate, isSpent: true };
    // Equal requests with keys of their own are several.
    expect(await store({ ...named, idempotencyKey: 'fourth' }, 'fourth')).toMatchObject({ isUncounted: true });
    await expect(store({ ...named, idempotencyKey: 'page' }, 'fifth')).rejects.toMatchObject({ code: -32005 });
    await stage.approvals.settle(entered.id, (current) => ({
      approval: { ...current, stage: 'closed', decidedAt: NOW_MS },
      answer: { error: { code: 4001, message: '' } },
    }));
    await expect(store(named, 'another')).rejects.toMatchObject({ code: -32005 });
    expect(await store({ ...named, idempotencyKey: 'other' }, 'third')).toMatchObject({ isUncounted: true });
  });

  test('once it is counted', async () => {
    let counted = () => {};
    rate = { ...rate, keep: () => new Promise<void>((resolve) => (counted = resolve)) };
    let isStored = false;
    const storing = store().then(() => (isStored = true));
    await expect.poll(() => stage.approvals.list()).toHaveLength(1);
    await new Promise((resolve) => setTimeout(resolve));
    expect(isStored).toBe(false);
    counted();
    expect(await storing).toBe(true);
  });

  test('under the name of one request only; any other failure is what it is', async () => {
    const named = { ...transfer, idempotencyKey: 'mine' };
    await store(named);
    const other = { ...named, intent: { asked: 2 } };
    await expect(store(other, 'another')).rejects.toMatchObject({
      code: -32602,
      message: 'idempotencyKey: names another request of this site',
      data: { reason: 'keyReused', requestId: expect.any(String), status: 'unknown' },
    });
    stage.approvals.ask = () => Promise.reject(failed('QuotaExceeded'));
    await expect(store()).rejects.toMatchObject({ name: 'QuotaExceeded' });
  });

  test('with a digest of all but the name that the site gave it', () => {
    expect(askedDigestOf(SITE, { ...transfer, idempotencyKey: 'mine' })).toBe(askedDigestOf(SITE, transfer));
    expect(askedDigestOf(SITE, transfer)).toBe(digestOf({ origin: SITE, ...transfer }));
    expect(askedDigestOf(OTHER, transfer)).not.toBe(askedDigestOf(SITE, transfer));
    expect(askedDigestOf(SITE, { ...transfer, intent: { asked: 2 } })).not.toBe(askedDigestOf(SITE, transfer));
  });
});

describe('a page asks', () => {
  const entered = pendingRequest();
  const ask = (stored: object | null, shown: () => Promise<void>) =>
    askUser(
      {
        requestRate: {
          alone: <T>(work: () => Promise<T>) => {
            stage.calls.push(['alone']);
            return work();
          },
        },
        storeAsked: async (...of: unknown[]) => {
          stage.calls.push(['storeAsked', ...of]);
          return stored;
        },
        show: async (...of: unknown[]) => {
          stage.calls.push(['show', ...of]);
          return shown();
        },
        planWake: stage.step('planWake'),
      } as never,
      CALLER,
      'page',
      transfer,
    );

  test('one after another, and what is stored is shown', async () => {
    expect(await ask({ entered, first: 'first' }, async () => {})).toBe('q');
    expect(stage.calls).toEqual([
      ['alone'],
      ['storeAsked', CALLER, 'page', transfer],
      ['show', { entered, first: 'first' }],
    ]);
    expect(traces).toEqual([]);
  });

  test('in vain when that was asked before', async () => {
    expect(await ask(null, async () => {})).toBeNull();
    expect(stage.called()).toEqual(['alone', 'storeAsked']);
  });

  test('and has its answer from the user also when no window could open now', async () => {
    const fails = () => Promise.reject(failed('NoWindow'));
    expect(await ask({ entered, first: 'first' }, fails)).toBe('q');
    expect(stage.called()).toEqual(['alone', 'storeAsked', 'show', 'planWake']);
    expect(traces).toEqual(['approvals: show NoWindow']);
  });
});

describe('what was asked is prepared', () => {
  const relayerAsked = () => {};
  let isTooOften: boolean;
  beforeEach(() => {
    isTooOften = false;
  });
  const prepare = (
    preparing: () => Promise<void>,
    carrying: () => Promise<void> = async () => {},
    isUncounted = false,
  ) =>
    prepareAsked(
      {
        approvals: stage.approvals,
        prepare: async (...of: unknown[]) => {
          stage.calls.push(['prepare', ...of]);
          return preparing();
        },
        carryOut: async (...of: unknown[]) => {
          stage.calls.push(['carryOut', ...of]);
          return carrying();
        },
        planWake: stage.step('planWake'),
        endsTooOften: async ({ id }: StoredApproval) => {
          stage.calls.push(['endsTooOften', id]);
          return isTooOften;
        },
      } as never,
      'q',
      isUncounted,
      relayerAsked,
    );

  test('and counted when no standing approval answered what one might have', async () => {
    await stage.approvals.put(pendingRequest());
    for (isTooOften of [false, true]) expect(await prepare(async () => {}, undefined, true)).toBe(isTooOften);
    expect(stage.called()).toEqual(['prepare', 'endsTooOften', 'prepare', 'endsTooOften']);
  });

  test('and carried out when a standing approval answers it', async () => {
    await stage.approvals.put(pendingRequest());
    expect(await prepare(async () => {})).toBe(false);
    expect(stage.calls.splice(0)).toEqual([['prepare', 'q', relayerAsked]]);
    expect(await prepare(() => stage.approvals.put(approvedRequest({ rule: 'one' })).then(() => {}))).toBe(true);
    expect(stage.calls).toEqual([
      ['prepare', 'q', relayerAsked],
      ['carryOut', 'q'],
    ]);
  });

  test('as answered also when carrying it out fails, which is reported', async () => {
    await stage.approvals.put(approvedRequest({ rule: 'one' }));
    expect(
      await prepare(
        async () => {},
        () => Promise.reject(failed('NotSent')),
      ),
    ).toBe(true);
    await expect.poll(() => traces).toEqual(['approvals: carry out NotSent']);
  });

  test('later when it fails or has gone', async () => {
    expect(await prepare(async () => {})).toBe(false);
    expect(stage.called()).toEqual(['prepare']);
    expect(await prepare(() => Promise.reject(failed('NoRelayer')))).toBe(false);
    expect(stage.called().slice(1)).toEqual(['prepare', 'planWake']);
    expect(traces).toEqual(['approvals: prepare NoRelayer']);
  });
});

describe('what no standing approval answered', () => {
  const count = (rating: () => Promise<object>) =>
    endsTooOften(
      {
        ports: { now: () => NOW_MS },
        requestRate: {
          alone: <T>(work: () => Promise<T>) => work(),
          countRequest: async (...of: unknown[]) => {
            stage.calls.push(['countRequest', ...of]);
            return { isSpent: false, keep: stage.step('keep'), ...(await rating()) };
          },
        },
        closing: {
          close: async (id: string, why: () => Error, which: unknown) => {
            stage.calls.push(['close', id, why().message, which === isOpen]);
            return pendingRequest({ id, stage: 'closed' });
          },
        },
      } as never,
      pendingRequest(),
    );

  test('counts for the rate of its site', async () => {
    expect(await count(async () => ({}))).toBe(false);
    expect(stage.calls).toEqual([['countRequest', SITE, NOW_MS], ['keep']]);
  });

  test('ends when its site asks too often', async () => {
    for (const [rating, message] of [
      [async () => ({ isSpent: true }), 'This site asks too often. Wait before asking again.'],
      [() => Promise.reject(new RpcError('limitExceeded', 'Wait a minute.')), 'Wait a minute.'],
    ] as const) {
      expect(await count(rating)).toBe(true);
      expect(stage.calls.splice(0)).toEqual([
        ['countRequest', SITE, NOW_MS],
        ['close', 'q', message, true],
      ]);
    }
  });

  test('is left as it is when nothing can be counted', async () => {
    await expect(count(() => Promise.reject(failed('NoSession')))).rejects.toMatchObject({ name: 'NoSession' });
    expect(stage.called()).toEqual(['countRequest']);
  });

  test('is counted one after the other, however many end at once', async () => {
    const lock = createPromiseLock();
    const session = createFaultyArea().area;
    const requestRate = createRequestRate({ now: () => NOW_MS, session }, (work) => lock('rate', work));
    const close = async () => pendingRequest({ stage: 'closed' });
    const rooms = { ports: { now: () => NOW_MS }, requestRate, closing: { close } } as never;
    const ends = await Promise.all(Array.from({ length: 21 }, () => endsTooOften(rooms, pendingRequest())));
    expect(ends.filter(Boolean)).toHaveLength(1);
  });
});

describe('a window opens', () => {
  let answering: (approval: StoredApproval) => readonly string[];
  let preparing: (asked: () => void) => Promise<boolean>;
  beforeEach(() => {
    answering = () => [];
    preparing = async () => false;
  });
  afterEach(() => void vi.useRealTimers());
  const showing = (asked: StoredApproval, first = 'first') =>
    show(
      {
        approvals: stage.approvals,
        candidates: async (approval: StoredApproval) => answering(approval),
        prepareAsked: (id: string, isUncounted: boolean, asked: () => void) => {
          expect(isUncounted).toBe(true);
          stage.calls.push(['prepareAsked', id]);
          return Promise.resolve().then(() => preparing(asked));
        },
        pushAnswers: stage.step('pushAnswers'),
        showWindow: stage.step('showWindow'),
        badge: { refreshSoon: () => stage.calls.push(['badge']) },
      } as never,
      { entered: asked, first, isUncounted: true },
    );

  test('for nothing that has ended: its page has the answer', async () => {
    const closed = pendingRequest({ stage: 'closed' });
    await showing(closed);
    expect(stage.calls).toEqual([['pushAnswers', closed]]);
  });

  test('with the oldest as soon as the relayer was asked', async () => {
    let prepared = (_: boolean) => {};
    preparing = (relayerAsked) => {
      relayerAsked();
      return new Promise((resolve) => (prepared = resolve));
    };
    await showing(pendingRequest());
    expect(stage.calls).toEqual([['prepareAsked', 'q'], ['showWindow', 'first'], ['badge']]);
    prepared(false);
  });

  test('with the oldest once everything is prepared', async () => {
    const asked = readyRequest();
    await fill(1, () => ({ origin: OWN_ORIGIN }));
    await stage.approvals.put(pendingRequest({ id: 'old 1', requestIds: [], createdAt: NOW_MS - 1 }));
    await stage.approvals.put(asked);
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    await showing(asked);
    expect(stage.calls).toEqual([['prepareAsked', 'q'], ['showWindow', 'old 1'], ['badge']]);
  });

  test('also while facts are slow, after 600 milliseconds', async () => {
    await stage.approvals.put(pendingRequest());
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    preparing = () => new Promise(() => {});
    const shown = showing(pendingRequest());
    await expect.poll(() => vi.getTimerCount()).toBeGreaterThan(0);
    await vi.advanceTimersByTimeAsync(599);
    expect(stage.called()).toEqual(['prepareAsked']);
    await vi.advanceTimersByTimeAsync(1);
    await shown;
    expect(stage.calls).toEqual([['prepareAsked', 'q'], ['showWindow', 'q'], ['badge']]);
  });

  test('for nothing that ended meanwhile', async () => {
    await fill(1, () => ({ origin: OTHER }));
    await showing(pendingRequest());
    expect(stage.calls).toEqual([['prepareAsked', 'q'], ['badge']]);
  });

  test('never for what the wallet’s own pages ask', async () => {
    const own = pendingRequest({ origin: OWN_ORIGIN });
    preparing = async (relayerAsked) => {
      relayerAsked();
      return false;
    };
    await showing(own);
    expect(stage.calls).toEqual([['prepareAsked', 'q'], ['badge']]);
  });

  test('not for what a standing approval answers, and no sooner than it is known for what one may answer', async () => {
    answering = () => ['one'];
    preparing = async () => true;
    await stage.approvals.put(pendingRequest());
    await showing(pendingRequest());
    expect(stage.calls.splice(0)).toEqual([['prepareAsked', 'q']]);
    let prepared = (_: boolean) => {};
    preparing = (relayerAsked) => {
      relayerAsked();
      return new Promise((resolve) => (prepared = resolve));
    };
    const shown = showing(pendingRequest());
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(stage.calls).toEqual([['prepareAsked', 'q']]);
    prepared(false);
    await shown;
    expect(stage.calls).toEqual([['prepareAsked', 'q'], ['showWindow', 'q'], ['badge']]);
  });

  test('before an older one that a standing approval may yet answer, but not before one that none will', async () => {
    await fill(1, () => ({ origin: OTHER }));
    await stage.approvals.put(pendingRequest());
    answering = ({ id }) => (id === 'old 0' ? ['one'] : []);
    await showing(pendingRequest());
    expect(stage.calls.splice(0)).toContainEqual(['showWindow', 'q']);
    await stage.approvals.put(readyRequest({ id: 'old 0', requestIds: [], origin: OTHER, createdAt: NOW_MS - 1 }));
    await showing(pendingRequest());
    expect(stage.calls).toContainEqual(['showWindow', 'old 0']);
  });
});
