import { promisifyRequest } from 'idb-keyval';
import { beforeEach, describe, expect, test } from 'vitest';
import { hasEffect } from '../../src/background/approvals/approvalEffect.ts';
import { createApprovals, KeyReused } from '../../src/background/approvals/store/approvals.ts';
import { ApprovalLapsed, copyOf } from '../../src/background/approvals/store/flow.ts';
import { requestKey, toPageMessage } from '../../src/background/approvals/store/requests.ts';
import {
  connectionAsAsked,
  ended,
  isForWindow,
  isOpen,
  isRequest,
  isSettled,
  offers,
  requestAsAsked,
  type StoredApproval,
} from '../../src/background/approvals/store/storedApproval.ts';
import { createForgetHourly } from '../../src/background/lifecycle/resume.ts';
import { OWN_ORIGIN } from '../../src/messaging/ownOrigin.ts';
import { now as NOW, pointOf } from '../operations/facts.ts';
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
  review,
  SITE,
  unlock,
} from './approvalStage.ts';

const DAY = 86_400_000;

let stage: ApprovalStage;
beforeEach(() => {
  stage = createApprovalStage();
});
const keys = async (prefix = '') =>
  (await stage.stores.strict('readonly', (objects) => promisifyRequest(objects.getAllKeys()))).filter((key) =>
    String(key).startsWith(prefix),
  );
const raw = (value: unknown, key: string) =>
  stage.stores.strict('readwrite', async (objects) => void (await promisifyRequest(objects.put(value, key))));
const ids = (approvals: readonly StoredApproval[]) => approvals.map(({ id }) => id);
const closed = (changes: object = {}) => pendingRequest({ stage: 'closed', ...changes });
const done = (changes: object = {}) =>
  readyRequest({ stage: 'done', decidedAt: NOW_MS, submissionId: 's', ...changes });

describe('lists of approvals', () => {
  beforeEach(async () => {
    const stages = {
      ...{ waiting: pendingRequest(), unavailable: pendingRequest({ stage: 'unavailable' }) },
      ...{ choosing: pendingRequest({ stage: 'choosing' }), ready: readyRequest(), approved: approvedRequest() },
      ...{ done: done(), closed: closed(), unlock: unlock() },
    };
    for (const [index, [id, approval]] of Object.entries(stages).entries())
      await stage.approvals.put({ ...approval, id, createdAt: NOW_MS - index });
    const own = { origin: OWN_ORIGIN, operation: 'updateAccountKey', createdAt: NOW_MS + 1 };
    await stage.approvals.put(readyRequest({ ...own, id: 'wizard' }));
    await stage.approvals.put(approvedRequest({ ...own, id: 'wizard approved' }));
    await stage.approvals.put(readyRequest({ ...own, origin: SITE, id: 'asked by a site' }));
    await stage.approvals.put(readyRequest({ ...own, operation: 'transfer', id: 'own' }));
  });

  test('begin with the oldest', async () => {
    const { list, unsettled, open, listed } = stage.approvals;
    const mine = ['unlock', 'ready', 'choosing', 'unavailable', 'waiting'];
    const last = ['asked by a site', 'own'];
    expect(ids(await open())).toEqual([...mine, ...last]);
    const [first, ...rest] = mine;
    expect(ids(await listed())).toEqual([first, 'approved', ...rest, ...last]);
    const wizards = ['wizard', 'wizard approved'];
    expect(ids(await unsettled())).toEqual([first, 'approved', ...rest, 'asked by a site', 'own', ...wizards]);
    expect(ids(await list())).toEqual([
      ...['unlock', 'closed', 'done', 'approved', ...rest, 'asked by a site', 'own', ...wizards],
    ]);
  });

  test('of a site are read from its own requests: the newest first, and no more than are asked for', async () => {
    const request = (id: string, origin = SITE) => ({ id, origin, tabId: 1, createdAt: NOW_MS });
    for (const [index, id] of ['first', 'second', 'third'].entries())
      await stage.approvals.ask(
        pendingRequest({ id, askedDigest: id, createdAt: NOW_MS + index, requestIds: [] }),
        request(id),
      );
    await stage.approvals.ask(pendingRequest({ id: 'joins', askedDigest: 'first', requestIds: [] }), request('again'));
    await stage.approvals.ask(
      pendingRequest({ id: 'theirs', origin: OTHER, requestIds: [] }),
      request('theirs', OTHER),
    );
    await stage.approvals.update('first', (current) => ({ ...current, stage: 'closed' }));
    const reads: string[] = [];
    const { strict, relaxed } = stage.stores;
    const noting: typeof strict = (mode, work) =>
      strict(mode, (objects) =>
        work(
          new Proxy(objects, {
            get(target, name) {
              const value = Reflect.get(target, name, target);
              if (typeof value !== 'function') return value;
              return (...of: unknown[]) => {
                reads.push(`${String(name)} ${of[0] instanceof IDBKeyRange ? of[0].lower : of[0]}`);
                return value.apply(target, of);
              };
            },
          }),
        ),
      );
    const { ofSite } = createApprovals(noting, relaxed);
    expect(ids(await ofSite(SITE, 10))).toEqual(['third', 'second', 'first']);
    expect(reads.filter((one) => one.startsWith('getAll'))).toEqual([`getAll request:${SITE} `]);
    expect(reads.filter((one) => one.includes('theirs'))).toEqual([]);
    expect(ids(await ofSite(SITE, 2))).toEqual(['third', 'second']);
    expect(ids(await ofSite('https://never.example', 2))).toEqual([]);
    expect(await stage.approvals.kept(['first', 'second', 'gone'])).toEqual(new Set(['second', 'first']));
  });

  test('leave out what is over, where an earlier version left it among them', async () => {
    await raw(done({ id: 'left' }), 'approval:left');
    const { open, listed } = stage.approvals;
    for (const of of [await open(), await listed()]) expect(ids(of)).not.toContain('left');
  });

  test('name what the wallet itself asked in another version', async () => {
    await stage.approvals.put(readyRequest({ origin: OWN_ORIGIN, operation: 'later', id: 'of another version' }));
    const { open, listed } = stage.approvals;
    for (const of of [await open(), await listed()]) expect(ids(of)).toContain('of another version');
  });

  test('leave out what cannot be read', async () => {
    await raw({ id: 'bad', stage: 'waiting' }, 'approval:bad');
    await raw({ ...pendingRequest(), version: 9 }, 'approval:later');
    expect((await stage.approvals.list()).length).toBe(12);
    expect((await stage.approvals.open()).length).toBe(7);
    await expect(stage.approvals.get('bad')).rejects.toThrow();
  });
});

describe('an approval', () => {
  test('is found wherever it stands, and has one place', async () => {
    expect(await stage.approvals.get('q')).toBeUndefined();
    for (const [approval, place] of [
      [pendingRequest(), ['approval:q']],
      [done(), [`end:00${NOW_MS} q`, 'ended:q']],
      [readyRequest(), ['approval:q']],
    ] as const) {
      await stage.approvals.put(approval);
      expect(await stage.approvals.get('q')).toEqual(approval);
      expect(await keys()).toEqual(place);
    }
  });

  test('stays where it was when its change fails', async () => {
    await stage.approvals.put(pendingRequest());
    const failing = stage.approvals.update('q', () => {
      throw new Error('on its way');
    });
    await expect(failing).rejects.toThrow('on its way');
    expect([await keys(), await stage.approvals.get('q')]).toEqual([['approval:q'], pendingRequest()]);
  });

  test('that no version knows is not stored', async () => {
    await expect(stage.approvals.put({ ...pendingRequest(), version: 2 } as never)).rejects.toThrow();
    expect(await keys()).toEqual([]);
  });

  test.each(['update', 'complete'] as const)('is changed in one step: %s', async (how) => {
    const change = stage.approvals[how];
    expect(await change('q', () => readyRequest())).toBeUndefined();
    await stage.approvals.put(pendingRequest());
    expect(await change('q', () => null)).toEqual(pendingRequest());
    expect(await change('q', (current) => ({ ...readyRequest(), createdAt: current.createdAt }))).toEqual(
      readyRequest(),
    );
    expect(await stage.approvals.get('q')).toEqual(readyRequest());
  });

  test.each<[StoredApproval['stage'], readonly StoredApproval['stage'][]]>([
    ['waiting', ['unavailable', 'choosing', 'ready', 'approved', 'done', 'closed']],
    ['unavailable', ['waiting', 'choosing', 'ready', 'approved', 'done', 'closed']],
    ['choosing', ['waiting', 'done', 'closed']],
    ['ready', ['waiting', 'unavailable', 'choosing', 'approved', 'done', 'closed']],
    ['approved', ['waiting', 'choosing', 'done', 'closed']],
    ['done', []],
    ['closed', []],
  ])('that is %s can become %j', async (from, expected) => {
    const all = ['waiting', 'unavailable', 'choosing', 'ready', 'approved', 'done', 'closed'] as const;
    const became: StoredApproval['stage'][] = [];
    for (const to of all) {
      await stage.approvals.put(approvedRequest({ stage: from }));
      const changing = stage.approvals.update('q', () => approvedRequest({ stage: to }));
      const message = await changing.then(
        () => null,
        (error: Error) => error.message,
      );
      if (message === null) became.push(to);
      else expect(message).toBe(`approvals: ${from} to ${to}`);
    }
    expect(became).toEqual(all.filter((to) => to === from || expected.includes(to)));
  });

  test('that stays undecided may be undone by a power cut, and nothing else may', async () => {
    const { strict, relaxed } = stage.stores;
    const used: string[] = [];
    const noting =
      (name: string, store: typeof strict): typeof strict =>
      (mode, work) => {
        if (mode === 'readwrite') used.push(name);
        return store(mode, work);
      };
    const approvals = createApprovals(noting('strict', strict), noting('relaxed', relaxed));
    await approvals.ask(pendingRequest({ requestIds: [] }), { id: 'page', origin: SITE, tabId: 1, createdAt: NOW_MS });
    await approvals.complete('q', () => readyRequest());
    await approvals.update('q', () => approvedRequest());
    await approvals.become('q', () => pendingRequest());
    await approvals.settle('q', () => ({ approval: closed(), answer: { result: 1 } }));
    await approvals.put(closed());
    expect(used).toEqual(['relaxed', 'relaxed', 'strict', 'strict', 'strict', 'strict']);
  });
});

describe('a page’s request', () => {
  const ask = (approval: StoredApproval, id = 'page', changes: object = {}) =>
    stage.approvals.ask(
      { ...approval, requestIds: [] },
      { id, origin: approval.origin, tabId: 1, documentId: 'd', createdAt: NOW_MS, ...changes },
    );
  const settle = (id = 'q', answer: { result: unknown } = { result: 'first' }) =>
    stage.approvals.settle(id, (current) => ({ approval: ended(current, 'done'), answer }));
  const named = (changes: object = {}) => pendingRequest({ idempotencyKey: 'key', ...changes });

  test('is stored with its approval', async () => {
    expect(await ask(pendingRequest())).toEqual(pendingRequest());
    expect(await stage.requests.find(SITE, 'page')).toEqual({
      ...{ id: 'page', origin: SITE, tabId: 1, documentId: 'd', createdAt: NOW_MS, approvalId: 'q', answer: null },
    });
    expect(await stage.requests.find(OTHER, 'page')).toBeUndefined();
  });

  test('joins an equal one of its site that is open', async () => {
    await ask(pendingRequest());
    await stage.approvals.update('q', (current) => ({ ...readyRequest(), requestIds: current.requestIds }));
    expect(await ask(pendingRequest({ id: 'r' }), 'again')).toEqual(readyRequest({ requestIds: ['page', 'again'] }));
    expect((await stage.requests.find(SITE, 'again'))?.approvalId).toBe('q');
    expect((await ask(pendingRequest({ id: 'r', origin: OTHER }))).id).toBe('r');
    expect((await ask(pendingRequest({ id: 's', askedDigest: '0x2' }), 'b')).id).toBe('s');
    expect((await ask(named({ id: 't' }), 'c')).id).toBe('t');
    await stage.approvals.update('q', () => approvedRequest());
    expect((await ask(pendingRequest({ id: 'u' }), 'e')).id).toBe('u');
  });

  test('joins the one of its key, open or over, and has its answer', async () => {
    await ask(named());
    expect(await stage.approvals.idOfKey(SITE, 'key')).toBe('q');
    expect(await stage.approvals.idOfKey(OTHER, 'key')).toBeUndefined();
    await stage.approvals.update('q', (current) => ({
      ...approvedRequest(),
      ...{ idempotencyKey: 'key' },
      requestIds: current.requestIds,
    }));
    expect(ids([await ask(named({ id: 'r' }), 'b')])).toEqual(['q']);
    await settle();
    const joined = await ask(named({ id: 's' }), 'c');
    expect([joined.id, joined.stage, joined.requestIds]).toEqual(['q', 'done', ['page', 'b', 'c']]);
    expect(await stage.answerOf('c')).toEqual({ result: 'first' });
    expect((await ask(named({ id: 'u', origin: OTHER }))).id).toBe('u');
    expect((await ask(named({ id: 'v', idempotencyKey: 'other' }), 'd')).id).toBe('v');
  });

  test('gets the key of one that failed before a signature, which never takes it back', async () => {
    await ask(named());
    const error = { code: 4900, message: 'away', data: { status: 'not-signed' } };
    await stage.approvals.settle('q', (current) => ({ approval: ended(current, 'closed'), answer: { error } }));
    // By the number of the page's request, as before.
    expect((await ask(pendingRequest({ id: 'r', idempotencyKey: 'page' }), 'b')).id).toBe('q');
    expect(await stage.answerOf('b')).toEqual({ error });
    expect(await ask(named({ id: 's', askedDigest: '0x2' }), 'c')).toMatchObject({ id: 's', stage: 'waiting' });
    expect(await stage.approvals.idOfKey(SITE, 'key')).toBe('s');
    expect((await ask(pendingRequest({ id: 't', idempotencyKey: 'page' }), 'e')).id).toBe('q');
    await settle('s');
    expect((await ask(named({ id: 'u', askedDigest: '0x2' }), 'f')).id).toBe('s');
    expect(await stage.answerOf('f')).toEqual({ result: 'first' });
  });

  test.each([
    { code: 4001, message: 'no' },
    { code: 4001, message: 'no', data: { status: 'refused', requestId: 'q' } },
    { code: 4900, message: 'no answer', data: { status: 'unknown', requestId: 'q' } },
  ])('gets the answer of one that ended otherwise: %j', async (error) => {
    await ask(named());
    await stage.approvals.settle('q', (current) => ({ approval: ended(current, 'closed'), answer: { error } }));
    expect((await ask(named({ id: 'r' }), 'b')).id).toBe('q');
    expect(await stage.answerOf('b')).toEqual({ error });
  });

  test('whose key is also the number of an earlier one means what has the key now', async () => {
    await ask(named({ idempotencyKey: 'page' }));
    const error = { code: 4900, message: 'away', data: { status: 'not-signed' } };
    await stage.approvals.settle('q', (current) => ({ approval: ended(current, 'closed'), answer: { error } }));
    expect((await ask(named({ id: 'r', idempotencyKey: 'page' }), 'b')).id).toBe('r');
    expect((await ask(named({ id: 's', idempotencyKey: 'page' }), 'c')).id).toBe('r');
  });

  test('of a key that names something else is refused', async () => {
    await ask(named());
    const other = named({ id: 'r', askedDigest: '0x2' });
    for (const step of [async () => {}, () => settle()]) {
      await step();
      const failed = await ask(other, 'b').catch((error: unknown) => error);
      expect(failed).toBeInstanceOf(KeyReused);
      expect((failed as Error).name).toBe('KeyReused');
      expect(await stage.requests.find(SITE, 'b')).toBeUndefined();
    }
  });

  test('of a key whose answer is forgotten is refused', async () => {
    await ask(named());
    await settle();
    await stage.stores.strict('readwrite', async (objects) => void objects.delete(requestKey(SITE, 'page')));
    await expect(ask(named({ id: 'r' }), 'b')).rejects.toBeInstanceOf(KeyReused);
    await stage.approvals.put(done({ requestIds: [], idempotencyKey: 'key' }));
    await expect(ask(named({ id: 'r' }), 'b')).rejects.toBeInstanceOf(KeyReused);
  });

  test('may name an earlier one by the id that it had', async () => {
    await ask(pendingRequest());
    const again = named({ id: 'r', idempotencyKey: 'page' });
    expect((await ask(again, 'b')).id).toBe('q');
    await settle();
    expect((await ask(again, 'c')).id).toBe('q');
    expect(await stage.answerOf('c')).toEqual({ result: 'first' });
    await expect(ask({ ...again, askedDigest: '0x2' }, 'e')).rejects.toBeInstanceOf(KeyReused);
    await stage.stores.strict('readwrite', async (objects) => void objects.delete('ended:q'));
    await expect(ask(again, 'f')).rejects.toBeInstanceOf(KeyReused);
  });

  test('is not kept from being asked by what cannot be read', async () => {
    await ask(named());
    await raw({ ...named(), version: 9, requestIds: 'bad' }, 'approval:q');
    await raw(null, 'approval:null');
    expect((await ask(named({ id: 'r' }), 'b')).id).toBe('r');
  });

  test('becomes another under the same id, unless its key is taken', async () => {
    await ask(connection());
    await stage.approvals.become('q', (current) => ({ ...named(), requestIds: current.requestIds }));
    expect(await stage.approvals.get('q')).toEqual(named());
    expect(await stage.approvals.idOfKey(SITE, 'key')).toBe('q');
    await stage.approvals.become('q', () => null);
    await stage.approvals.become('nothing', () => named());
    expect(await keys('approval:')).toEqual(['approval:q']);
    await ask(connection({ id: 'r', askedDigest: '0x2' }), 'b');
    for (const idempotencyKey of ['key', 'page'])
      await expect(
        stage.approvals.become('r', () => pendingRequest({ id: 'r', idempotencyKey })),
      ).rejects.toBeInstanceOf(KeyReused);
    await stage.approvals.become('r', () => pendingRequest({ id: 'r', idempotencyKey: 'free' }));
    expect((await stage.approvals.get('r'))?.kind).toBe('operation');
    await stage.approvals.become('r', () => pendingRequest({ id: 'r' }));
  });

  test('is answered when its approval ends, all of them and each once', async () => {
    await ask(pendingRequest());
    await ask(pendingRequest(), 'b');
    expect(await settle()).toMatchObject({ stage: 'done', requestIds: ['page', 'b'] });
    expect([await stage.answerOf('page'), await stage.answerOf('b')]).toEqual([
      { result: 'first' },
      { result: 'first' },
    ]);
    await settle('q', { result: 'second' });
    expect(await stage.answerOf()).toEqual({ result: 'first' });
    expect(ids(stage.settled)).toEqual(['q', 'q']);
  });

  test('is over for its caller once everybody who hears of the end has heard it', async () => {
    const heard: string[] = [];
    const { strict, relaxed } = stage.stores;
    const approvals = createApprovals(strict, relaxed, async ({ id }) => {
      await new Promise((done) => setTimeout(done));
      heard.push(id);
    });
    await ask(pendingRequest());
    await approvals.settle('q', (current) => ({ approval: ended(current, 'done'), answer: { result: 'first' } }));
    expect(heard).toEqual(['q']);
  });

  test('waits when its approval does not end', async () => {
    await ask(pendingRequest());
    expect(await stage.approvals.settle('q', () => null)).toBeNull();
    expect(await settle('nothing')).toBeNull();
    expect(await stage.answerOf()).toBeNull();
    expect(stage.settled).toEqual([]);
    await raw('damaged', requestKey(SITE, 'page'));
    expect(await settle()).toMatchObject({ stage: 'done' });
    await expect(stage.requests.find(SITE, 'page')).rejects.toThrow();
  });

  test('is known by its tab and by whether it waits', async () => {
    await ask(pendingRequest(), 'page', { tabId: 7 });
    await ask(pendingRequest(), 'b', { tabId: 8 });
    const [both, none] = [pendingRequest({ requestIds: ['page', 'b'] }), pendingRequest({ requestIds: [] })];
    expect(await stage.requests.tabsOf([none, both, pendingRequest({ requestIds: ['b'] })])).toEqual([undefined, 7, 8]);
    expect((await stage.requests.waitingFor(both)).map(({ id }) => id)).toEqual(['page', 'b']);
    await settle();
    expect(await stage.requests.waitingFor(both)).toEqual([]);
    await raw('damaged', requestKey(SITE, 'b'));
    expect(await stage.requests.waitingFor(both)).toEqual([]);
    expect(await stage.requests.tabsOf([pendingRequest({ requestIds: ['b'] })])).toEqual([undefined]);
  });

  test('whose answer is none that a page can have is not read', async () => {
    await ask(pendingRequest());
    const request = await stage.requests.find(SITE, 'page');
    for (const answer of [{}, { error: { code: 'text', message: 'no' } }, { error: { code: 1 } }, 'done']) {
      await raw({ ...request, answer }, requestKey(SITE, 'page'));
      await expect(stage.requests.find(SITE, 'page')).rejects.toThrow();
    }
    const error = { code: 1, message: 'no', data: { reason: 'a' } };
    await raw({ ...request, answer: { error } }, requestKey(SITE, 'page'));
    expect(await stage.answerOf()).toEqual({ error });
  });

  test('is passed on with its answer', () => {
    const error = { code: 1, message: 'no' };
    expect(toPageMessage('page', { error })).toEqual({ id: 'page', error });
    expect(toPageMessage('page', { result: 2 })).toEqual({ id: 'page', result: 2 });
  });
});

describe('answers are forgotten', () => {
  const LATER = DAY + 500;
  const answered = (index: number, changes: object = {}) => ({
    ...{
      id: `r${index}`,
      origin: SITE,
      tabId: 1,
      approvalId: 'q',
      createdAt: index,
      answer: { result: 1 },
      ...changes,
    },
  });
  const fill = async (origin: string, count: number) => {
    for (let index = 0; index < count; index++) await raw(answered(index, { origin }), requestKey(origin, `r${index}`));
  };

  test('beyond five hundred of a site and a day later, the oldest first, and never those that wait', async () => {
    await fill(SITE, 500);
    await fill(OTHER, 3);
    await stage.requests.trim(LATER, async () => new Set());
    expect(await keys('request:')).toHaveLength(503);
    await raw(answered(-2, { id: 'waits', answer: null }), requestKey(SITE, 'waits'));
    await raw(answered(-1, { id: 'oldest' }), requestKey(SITE, 'oldest'));
    await raw(answered(0.5, { id: 'next' }), requestKey(SITE, 'next'));
    // For a day a page that lost an answer may name its request.
    await stage.requests.trim(DAY - 2, async () => new Set());
    expect(await keys('request:')).toHaveLength(506);
    await stage.requests.trim(DAY - 1, async () => new Set());
    expect(await keys('request:')).not.toContain(requestKey(SITE, 'oldest'));
    await raw(answered(-3, { id: 'open', approvalId: 'kept' }), requestKey(SITE, 'open'));
    await stage.requests.trim(LATER, async () => new Set(['kept']));
    expect(await keys('request:')).toContain(requestKey(SITE, 'open'));
    await stage.requests.trim(LATER, async () => new Set());
    expect(await keys('request:')).not.toContain(requestKey(SITE, 'open'));
    await raw('damaged', requestKey(SITE, 'damaged'));
    await stage.requests.trim(LATER, async () => new Set());
    const left = await keys('request:');
    expect(left).toHaveLength(505);
    for (const gone of ['oldest', 'r0']) expect(left).not.toContain(requestKey(SITE, gone));
    for (const kept of ['waits', 'next', 'r1', 'damaged']) expect(left).toContain(requestKey(SITE, kept));
  });
});

describe('a day later', () => {
  const put = (approval: StoredApproval) => stage.approvals.put(approval);
  const FOUND = NOW_MS + DAY + 1;
  /** A start that finds what is old, and one a day after it. */
  const trim = async () => {
    await stage.approvals.trim(FOUND);
    await stage.approvals.trim(FOUND + DAY + 1);
  };
  /** How the store is opened to forget. */
  const modesOf = async (at: number) => {
    const modes: string[] = [];
    const { strict, relaxed } = stage.stores;
    const noting: typeof strict = (mode, work) => {
      modes.push(mode);
      return strict(mode, work);
    };
    await createApprovals(noting, relaxed).trim(at);
    return modes;
  };
  const sentences = async (...of: string[]) => Object.fromEntries(await stage.approvals.sentences(of));

  test('what is over is forgotten, and of what was submitted the sentence stays', async () => {
    await put(done());
    await put(closed({ id: 'r', review }));
    await put(done({ id: 's', review: undefined }));
    await put(pendingRequest({ id: 't' }));
    for (const at of [NOW_MS + DAY, FOUND, FOUND + DAY]) {
      await stage.approvals.trim(at);
      expect(await keys('ended:')).toHaveLength(3);
    }
    await stage.approvals.trim(FOUND + DAY + 1);
    expect(await keys()).toEqual(['approval:t', 'sentence:q']);
    expect(await sentences('q', 'q', 'r', 's', 't')).toStrictEqual({ q: review.sentence });
  });

  test('what can still be carried out stays with its key and its answer, and is looked at again each hour', async () => {
    await put(done({ idempotencyKey: 'key' }));
    await put(done({ id: 'r' }));
    let asked: string[] = [];
    let open: string[] = ['q'];
    const look = async (at: number) => {
      asked = [];
      const { strict, relaxed } = stage.stores;
      await createApprovals(strict, relaxed, undefined, async ({ id }) => {
        asked.push(id);
        return open.includes(id);
      }).trim(at);
      return asked;
    };
    const HOUR = 3_600_000;
    expect(await look(FOUND)).toEqual(['q', 'r']);
    const start = FOUND + DAY + 1;
    expect(await look(start)).toEqual(['q', 'r']);
    expect(await keys('ended:')).toEqual(['ended:q']);
    expect(await stage.approvals.idOfKey(SITE, 'key')).toBe('q');
    expect(await look(start + HOUR)).toEqual([]);
    expect(await look(start + HOUR + 1)).toEqual(['q']);
    open = [];
    // By a clock that is ahead.
    const ahead = start + 30 * DAY;
    expect(await look(ahead)).toEqual(['q']);
    open = ['q'];
    expect(await look(start + 3 * HOUR)).toEqual([]);
    expect(await stage.approvals.idOfKey(SITE, 'key')).toBe('q');
    open = [];
    expect(await look(ahead + DAY + 1)).toEqual(['q']);
    expect(await keys()).toEqual(['sentence:q', 'sentence:r']);
  });

  test.each([
    ['behind by two days as it was asked', -2 * DAY, 0],
    ['ahead by two days at a start', 0, 2 * DAY],
    ['behind by two days at a start', 0, -2 * DAY],
  ])('a clock that was %s costs no key before its day', async (_when, asked, wrong) => {
    await put(done({ idempotencyKey: 'key', createdAt: NOW_MS + asked }));
    for (const at of [NOW_MS + wrong, NOW_MS + 1, NOW_MS + DAY]) {
      await stage.approvals.trim(at);
      expect(await stage.approvals.idOfKey(SITE, 'key')).toBe('q');
    }
    for (const days of [2, 3, 4]) await stage.approvals.trim(NOW_MS + days * (DAY + 1));
    expect(await keys()).toEqual(['sentence:q']);
  });

  test('a worker that goes on looks again each hour, and at once when its clock was set back', async () => {
    await put(done());
    let now = FOUND;
    const { approvals, requests } = stage;
    const looks: number[] = [];
    const trim = async (at: number) => {
      looks.push(at - FOUND);
      await approvals.trim(at);
    };
    const ports = { now: () => now };
    const forget = createForgetHourly({ approvals: { ...approvals, trim }, requests, ports } as never);
    for (const passed of [0, 3_599_999, 3_600_000, 3_600_001, 7_000_000, -5, 7_200_000 + DAY]) {
      now = FOUND + passed;
      await forget();
    }
    expect(looks).toEqual([3_600_000, -5, 7_200_000 + DAY]);
    expect(await keys('ended:')).toEqual([]);
  });

  test('a repeat under the key of one that was found to be old leaves nothing behind', async () => {
    await put(done({ idempotencyKey: 'key' }));
    await stage.approvals.trim(FOUND);
    await stage.approvals.put(done({ idempotencyKey: 'key', requestIds: ['again'] }));
    for (const days of [1, 2, 3]) await stage.approvals.trim(FOUND + days * (DAY + 1));
    expect(await keys()).toEqual(['sentence:q']);
  });

  test('a key is free again, unless it names another by then', async () => {
    await put(done({ idempotencyKey: 'key' }));
    await put(done({ id: 'r', idempotencyKey: 'other' }));
    await raw('newer', `named:${SITE} other`);
    await trim();
    expect(await keys('named:')).toEqual([`named:${SITE} other`]);
  });

  test('sentences of what is there come from there', async () => {
    const other = { ...review, sentence: { key: 'review_withdraw' } };
    await put(readyRequest());
    await put(done({ id: 'r', review: other }));
    await raw({ at: 1, sentence: { key: 'older' } }, 'sentence:r');
    await put(pendingRequest({ id: 's' }));
    await raw({ at: 1, sentence: { key: 'older' } }, 'sentence:s');
    expect(await sentences('q', 'r', 's', 'nothing')).toEqual({ q: review.sentence, r: other.sentence });
  });

  test('all are forgotten at one look, also behind hundreds that cannot be read', async () => {
    for (let index = 0; index < 501; index++) {
      await raw('bad', `ended:bad${index}`);
      await raw(`bad${index}`, `end:00${NOW_MS - 1} bad${index}`);
      await put(closed({ id: `r${index}` }));
    }
    await trim();
    expect(await keys('ended:r')).toEqual([]);
    expect(await keys('ended:')).toHaveLength(501);
  });

  test('what an earlier version left among what is in progress is put to its place', async () => {
    await raw(done({ idempotencyKey: 'key' }), 'approval:q');
    expect((await stage.approvals.get('q'))?.stage).toBe('done');
    await put(pendingRequest({ id: 'r' }));
    await stage.approvals.trim(NOW_MS);
    expect(await keys()).toEqual(['approval:r', `end:00${NOW_MS} q`, 'ended:q', `named:${SITE} key`]);
    await trim();
    expect(await keys()).toEqual(['approval:r', 'sentence:q']);
  });

  test('what cannot be read stays', async () => {
    await put(done());
    await raw({ id: 'q', stage: 'over' }, 'ended:q');
    await raw('bad', 'approval:bad');
    await raw('nothing of it', `end:00${NOW_MS} nothing`);
    await trim();
    expect(await keys('ended:')).toEqual(['ended:q']);
    expect(await keys('approval:')).toEqual(['approval:bad']);
  });

  test('what is open by then is not forgotten', async () => {
    await put(pendingRequest());
    await raw('q', `end:00${NOW_MS} q`);
    await trim();
    expect(await stage.approvals.get('q')).toEqual(pendingRequest());
  });

  test('a thousand sentences are kept, the newest', async () => {
    for (let index = 1; index < 1_000; index++)
      await raw({ at: 1_000 - index, sentence: { key: 'a' } }, `sentence:r${String(index).padStart(4, '0')}`);
    await put(closed());
    await trim();
    expect(await keys()).toHaveLength(999);
    await raw({ at: 1_000, sentence: { key: 'a' } }, 'sentence:r0000');
    expect(await modesOf(NOW_MS)).toEqual(['readonly']);
    expect(await keys('sentence:')).toHaveLength(1_000);
    await raw({ at: 5_000, sentence: { key: 'a' } }, 'sentence:newest');
    await trim();
    const left = await keys('sentence:');
    expect(left).toHaveLength(1_000);
    expect(left).toContain('sentence:newest');
    expect(left).not.toContain('sentence:r0999');
  });

  test('of a thousand sentences and one, one that cannot be read goes first, and is nobody’s meanwhile', async () => {
    for (let index = 0; index < 1_000; index++)
      await raw({ at: 1 + index, sentence: { key: 'a' } }, `sentence:r${String(index).padStart(4, '0')}`);
    for (const damaged of ['text', { at: 5, sentence: {} }, { at: 5, sentence: { key: 1 } }, { at: 5 }]) {
      await raw(damaged, 'sentence:z');
      expect(await sentences('z')).toEqual({});
    }
    await put(closed());
    await trim();
    expect(await keys('sentence:')).toHaveLength(1_000);
    expect(await keys('sentence:')).not.toContain('sentence:z');
  });

  test('nothing is written when there is nothing to forget', async () => {
    await put(done());
    await put(pendingRequest({ id: 'r' }));
    expect(await modesOf(NOW_MS)).toEqual(['readonly']);
  });
});

describe('a stored approval', () => {
  test('is open until it is decided, and over when it ended', () => {
    const stages = ['waiting', 'unavailable', 'choosing', 'ready', 'approved', 'done', 'closed'] as const;
    expect(stages.filter((one) => isOpen({ stage: one }))).toEqual(stages.slice(0, 4));
    expect(stages.filter((one) => isSettled({ stage: one }))).toEqual(['done', 'closed']);
  });

  test('is a request when there is a draft to make, and the window’s when it was asked from outside', () => {
    const all = [pendingRequest(), pendingRequest({ kind: 'standing' }), connection(), unlock()];
    expect(all.map(isRequest)).toEqual([true, true, false, false]);
    expect([SITE, OWN_ORIGIN].map((origin) => isForWindow({ origin }))).toEqual([true, false]);
  });

  test('can be as it was asked, with its earlier signatures', () => {
    const kept = {
      ...{ intent: { a: 1 }, copies: 2, signedBefore: { copies: 1, validUntil: null }, byHand: true, left: true },
      ...{ connectedFirst: true, idJump: { known: 1, named: 2 }, idempotencyKey: 'key' },
      choice: { publicKey: pointOf(5), kind: 'random', keySeed: '', nonce: 1, backedUp: true },
    };
    const decided = {
      ...{ problem: { key: 'a' }, rule: 'one', submissionId: 's', first: { review, reviewedAt: 1 } },
      again: { approvedAt: 1, why: { key: 'a' } },
    };
    for (const as of ['waiting', 'choosing'] as const)
      expect(requestAsAsked(approvedRequest({ ...kept, ...decided }), as)).toEqual(
        pendingRequest({ ...kept, stage: as }),
      );
    const connected = { kinds: ['read'], switchTo: 'net', next: { method: 'm', params: [] }, account: 'a' };
    const { problem, again } = decided;
    const chosen = { accounts: ['a'], kinds: ['read'] };
    const approved = { ...connected, stage: 'approved', digest: '0x1', chosen, decidedAt: 1, problem, again };
    expect(connectionAsAsked(connection(approved) as never)).toEqual(connection(connected));
  });

  test('ends with what became of it', () => {
    const problem = { key: 'a' };
    expect(ended(readyRequest(), 'done', { submissionId: 's', decidedAt: 5 })).toEqual(
      readyRequest({ stage: 'done', submissionId: 's', decidedAt: 5 }),
    );
    expect(ended(readyRequest(), 'closed', { problem })).toStrictEqual({ ...readyRequest(), problem, stage: 'closed' });
    expect(ended(unlock(), 'done', { problem, submissionId: 's' })).toStrictEqual({
      ...unlock(),
      problem,
      stage: 'done',
    });
    expect(ended(connection(), 'closed')).toStrictEqual({ ...connection(), stage: 'closed' });
  });

  test('offers the accounts that can be chosen', () => {
    const one = { id: 'a', networkId: 'net' };
    expect(offers(connection(), one)).toBe(true);
    expect(['net', 'other'].map((switchTo) => offers(connection({ switchTo }), one))).toEqual([true, false]);
    expect(['a', 'b'].map((id) => offers(connection({ account: id }), one))).toEqual([true, false]);
    expect(offers(connection({ account: 'a', switchTo: 'other' }), one)).toBe(false);
  });

  test('counts its signatures from the first', () => {
    expect([copyOf({ copy: 2 } as never), copyOf({} as never)]).toEqual([2, 1]);
  });

  test('that lapsed says why', () => {
    const { name, message, reason } = new ApprovalLapsed('taken-back');
    expect([name, message, reason]).toEqual([
      'ApprovalLapsed',
      'the approval was not signed: taken-back',
      'taken-back',
    ]);
  });
});

describe('an approval has had an effect', () => {
  let opened: string[];
  beforeEach(() => {
    opened = [];
  });
  const effect = (approval: StoredApproval) =>
    hasEffect(
      {
        journal: stage.journal,
        grants: stage.grants,
        standing: { get: async (id: string) => (opened.includes(id) ? { id } : undefined) },
      } as never,
      approval,
    );

  test('when its limits are in force', async () => {
    const standing = approvedRequest({ kind: 'standing' });
    expect(await effect(standing)).toBe(false);
    opened = ['q'];
    expect(await effect(standing)).toBe(true);
    expect(await effect(approvedRequest())).toBe(false);
  });

  test('when it was signed, unless that was before it was asked again', async () => {
    expect(await effect(approvedRequest())).toBe(false);
    const draft = {
      networkId: network.id,
      accountId: account.accountId,
      origin: SITE,
      requestId: 'q',
      operation: 'transfer',
    };
    const { id } = await stage.journal.reserve({ ...draft, draft: {}, reviewDigest: '0x1' });
    expect(await effect(approvedRequest())).toBe(false);
    await stage.journal.markSigned(id, { wire: { endpoint: 'submitTransfer' } });
    for (const copies of [undefined, 1, 2]) expect(await effect(approvedRequest({ copies }))).toBe(true);
    await stage.refuse(id);
    for (const [copies, had] of [
      [undefined, true],
      [1, true],
      [2, false],
    ] as const)
      expect(await effect(approvedRequest({ copies }))).toBe(had);
    await stage.sign({ validUntil: NOW }, { copies: 2 });
    const second = await stage.journal.byRequest(SITE, 'q');
    await stage.refuse(second?.id ?? '');
    for (const [copies, had] of [
      [2, true],
      [3, false],
    ] as const)
      expect(await effect(approvedRequest({ copies }))).toBe(had);
    expect(await effect(approvedRequest({ origin: OTHER }))).toBe(false);
    // Of the attempt that the click allows a signature of.
    await stage.refuse((await stage.sign({ requestId: 'q/1' })).id);
    expect(await effect(approvedRequest({ copies: 2, copiesFor: 'q/1' }))).toBe(false);
    await stage.sign({ requestId: 'q/1' }, { copies: 2 });
    expect(await effect(approvedRequest({ copies: 2, copiesFor: 'q/1' }))).toBe(true);
  });

  test('not with a refused copy once the next one was given up, within a standing approval too', async () => {
    await stage.refuse((await stage.sign()).id);
    expect(await effect(approvedRequest({ rule: 'one' }))).toBe(true);
    const { id } = await stage.sign({}, { copies: 2 });
    expect(await effect(approvedRequest({ rule: 'one' }))).toBe(true);
    await stage.journal.markAbandoned(id, 'given up');
    expect(await effect(approvedRequest({ rule: 'one' }))).toBe(false);
  });

  test('when the relayer has what it had refused, also when a further copy was given up', async () => {
    const { id } = await stage.sign();
    await stage.refuse(id);
    const draft = { networkId: network.id, accountId: account.accountId, origin: SITE, requestId: 'q' };
    const second = await stage.journal.reserve(
      { ...draft, operation: 'transfer', draft: {}, reviewDigest: '0x1' },
      { copies: 2 },
    );
    await stage.journal.markAbandoned(second.id, 'stopped before signing');
    expect(await effect(approvedRequest({ copies: 2 }))).toBe(false);
    await stage.journal.markAcknowledged(id, {});
    expect(await effect(approvedRequest({ copies: 2 }))).toBe(true);
  });

  test('when every account has, of what was asked for, what was chosen', async () => {
    const chosen = { accounts: ['a', 'b'], kinds: ['read', 'orders'] };
    const approved = connection({ stage: 'approved', digest: '0x1', decidedAt: NOW_MS, chosen });
    expect(await effect(approved)).toBe(false);
    expect(await effect(connection())).toBe(false);
    await stage.grants.grant(SITE, ['a'], ['read', 'orders']);
    expect(await effect(approved)).toBe(false);
    const ofOne = (id: string) => effect({ ...approved, chosen: { ...chosen, accounts: [id] } } as never);
    expect([await ofOne('a'), await ofOne('b')]).toEqual([true, false]);
    await stage.grants.extend(SITE, 'b', ['read']);
    expect(await effect(approved)).toBe(false);
    expect(await effect({ ...approved, origin: OTHER } as never)).toBe(false);
    await stage.grants.extend(SITE, 'b', ['orders', 'nfts']);
    expect(await effect(approved)).toBe(true);
    expect(await effect(unlock())).toBe(false);
    // The same connection with a permission less: still to be taken.
    expect(await effect({ ...approved, chosen: { ...chosen, kinds: ['read'] } } as never)).toBe(false);
  });
});
