import { beforeEach, expect, test } from 'vitest';
import { endIfLeft, endLeft } from '../../src/background/approvals/leftPages.ts';
import type { StoredApproval } from '../../src/background/approvals/store/storedApproval.ts';
import { OWN_ORIGIN } from '../../src/messaging/ownOrigin.ts';
import {
  type ApprovalStage,
  approvedRequest,
  createApprovalStage,
  NOW_MS,
  OTHER,
  pendingRequest,
  readyRequest,
  SITE,
} from './approvalStage.ts';

const LEFT = {
  error: {
    code: 4001,
    message: 'The page was closed or left before the user decided. Nothing was signed.',
    data: { reason: 'pageLeft', status: 'withdrawn' },
  },
};
/**
 * `enter` has the first request of an approval come from this document of tab 1, the second from
 * that of tab 2.
 */
const page = (changes: object = {}) =>
  ({ kind: 'page', origin: SITE, tabId: 1, documentId: 'document 1', ...changes }) as const;

let stage: ApprovalStage;
let present: string[];
let asked: string[];
let waited: number[];
beforeEach(() => {
  stage = createApprovalStage();
  present = [];
  asked = [];
  waited = [];
});
const rooms = () => ({
  ...{ approvals: stage.approvals, requests: stage.requests },
  ports: {
    now: () => NOW_MS + 5,
    isPresent: async (tabId: number, documentId: string, withinMs: number) => {
      asked.push(`${tabId} ${documentId}`);
      waited.push(withinMs);
      return present.includes(documentId);
    },
  },
});
const endOne = (id = 'q') => endIfLeft(rooms() as never, id);
const endAll = (gone?: ReturnType<typeof page>) => endLeft(rooms() as never, gone && { gone });
const stored = (id = 'q') => stage.approvals.get(id);

test('a pending approval ends when its page is gone, and the page would have that as its answer', async () => {
  await stage.enter(readyRequest());
  expect(await endOne()).toBe(true);
  expect(await stored()).toEqual({ ...readyRequest(), stage: 'closed', decidedAt: NOW_MS + 5, left: true });
  expect(await stage.answerOf()).toEqual(LEFT);
  expect(asked).toEqual(['1 document 1']);
  expect(await endOne()).toBe(false);
});

test('it stays while one of its pages is there', async () => {
  const both = readyRequest({ requestIds: ['page', 'another'] });
  await stage.enter(both);
  present = ['document 2'];
  expect(await endOne()).toBe(false);
  expect(asked).toEqual(['1 document 1', '2 document 2']);
  expect(await stored()).toEqual(both);
  present = [];
  expect(await endOne()).toBe(true);
  expect([await stage.answerOf(), await stage.answerOf('another')]).toEqual([LEFT, LEFT]);
});

test.each([
  ['is decided', approvedRequest()],
  ['is over', pendingRequest({ stage: 'closed' })],
  ['is of the wallet’s own pages', pendingRequest({ origin: OWN_ORIGIN })],
])('what %s does not end with its page', async (_, approval) => {
  await stage.enter(pendingRequest({ origin: approval.origin }));
  await stage.approvals.put(approval);
  expect(await endOne()).toBe(false);
  await endAll();
  expect(await stored()).toEqual(approval);
  expect(asked).toEqual([]);
});

test('nothing ends for a store that lost which pages wait, nor by an id of nothing', async () => {
  await stage.approvals.put(readyRequest());
  expect(await endOne()).toBe(false);
  await endAll();
  expect(await stored()).toEqual(readyRequest());
  expect(await endOne('nothing')).toBe(false);
});

test('a page from before documents had names is gone', async () => {
  await stage.enter(readyRequest(), { documentId: undefined });
  expect(await endOne()).toBe(true);
  expect(asked).toEqual([]);
});

test('a page that joins meanwhile, or a decision, keeps it', async () => {
  for (const meanwhile of [
    readyRequest({ requestIds: ['page', 'another'] }),
    approvedRequest({ requestIds: ['page'] }),
  ] as StoredApproval[]) {
    await stage.enter(readyRequest());
    const { settle } = stage.approvals;
    const racing: typeof settle = async (...of) => {
      await stage.approvals.put(meanwhile);
      return settle(...of);
    };
    expect(await endIfLeft({ ...rooms(), approvals: { ...stage.approvals, settle: racing } } as never, 'q')).toBe(
      false,
    );
    expect(await stored()).toEqual(meanwhile);
    expect(await stage.answerOf()).toBeNull();
  }
});

test('a document that goes ends what it alone waits for, whether or not it is still found', async () => {
  await stage.enter(readyRequest());
  present = ['document 1'];
  await endAll(page({ documentId: 'document 3' }));
  await endAll(page({ tabId: 2 }));
  await endAll(page({ origin: OTHER }));
  expect(await stored()).toEqual(readyRequest());
  expect(asked).toEqual([]);
  await endAll(page());
  expect(await stored()).toMatchObject({ stage: 'closed', left: true });
  expect(asked).toEqual([]);
});

test('a document that goes leaves what another one waits for as well', async () => {
  await stage.enter(readyRequest({ requestIds: ['page', 'another'] }));
  present = ['document 2'];
  await endAll(page());
  expect(asked).toEqual(['2 document 2']);
  expect(await stored()).toMatchObject({ stage: 'ready' });
});

test('all that was left is found at once, of whatever site', async () => {
  await stage.enter(readyRequest());
  await stage.enter(readyRequest({ id: 'other', origin: OTHER, requestIds: ['theirs'] }));
  await stage.enter(readyRequest({ id: 'stays', askedDigest: '0xa6', requestIds: ['first', 'third'] }));
  present = ['document 2'];
  await endAll();
  expect((await stage.approvals.open()).map(({ id }) => id)).toEqual(['stays']);
  await endAll();
});

test('a document has little time to answer while somebody waits, and plenty while nobody does', async () => {
  await stage.enter(readyRequest());
  present = ['document 1'];
  await endOne();
  await endLeft(rooms() as never, { isAwaited: true });
  const [click, request] = waited.splice(0);
  expect(click).toBe(request);
  await endAll();
  expect(waited).toEqual([expect.toSatisfy((ms: number) => ms > 10 * Number(click))]);
});
