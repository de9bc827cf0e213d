import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { entries, set, type UseStore } from 'idb-keyval';
import { beforeEach, expect, test, vi } from 'vitest';
import { requestIdsOf } from '../../src/background/approvals/attempts.ts';
import { type Approvals, createApprovals, KeyReused } from '../../src/background/approvals/store/approvals.ts';
import { createRequests } from '../../src/background/approvals/store/requests.ts';
import {
  ended,
  type ReadyRequest,
  requestAsAsked,
  type StoredApproval,
} from '../../src/background/approvals/store/storedApproval.ts';
import type { SubmissionRecord } from '../../src/journal/index.ts';
import { createStores } from '../../src/storage/stores.ts';

const SITE = 'https://dapp.example';
const DAY = 24 * 3_600_000;
const NOW = 1_795_000_000_000;

let store: UseStore;
let approvals: Approvals;
beforeEach(() => {
  vi.stubGlobal('IDBKeyRange', IDBKeyRange);
  const { strict, relaxed } = createStores('requests', 'entries', new IDBFactory());
  store = strict;
  approvals = createApprovals(strict, relaxed);
});

const question = (id: string, more: Partial<ReadyRequest> = {}): ReadyRequest => ({
  version: 1,
  id,
  kind: 'operation',
  stage: 'ready',
  origin: SITE,
  requestIds: [],
  createdAt: NOW,
  askedDigest: `0x${id}`,
  operation: 'submitOrder',
  account: 'network:1',
  draft: { body: {}, shown: {} },
  digest: '0x1',
  reviewedAt: NOW / 1000,
  review: { sentence: { key: 'review_submitOrder' }, rows: [], warnings: [], bound: [], unbound: [] },
  ...more,
});

const ask = (asked: StoredApproval, requestId: string) =>
  approvals.ask(asked, { id: requestId, origin: asked.origin, tabId: 1, createdAt: asked.createdAt });

const end = (id: string, submissionId?: string) =>
  approvals.settle(id, (current) => ({
    approval: ended(current, 'done', submissionId ? { submissionId } : {}),
    answer: { result: id },
  }));

const keys = async () => (await entries<string, unknown>(store)).map(([key]) => key).sort();

test('what is over stands apart from what is in progress, and is found all the same', async () => {
  await ask(question('a'), 'r1');
  await ask(question('b', { createdAt: NOW + 1 }), 'r2');
  await approvals.update('a', () => ({ ...question('a'), stage: 'approved', decidedAt: NOW }));
  expect((await approvals.unsettled()).map(({ id }) => id)).toEqual(['a', 'b']);
  expect((await approvals.open()).map(({ id }) => id)).toEqual(['b']);
  await end('a', 's1');
  expect((await approvals.unsettled()).map(({ id }) => id)).toEqual(['b']);
  expect((await keys()).filter((key) => key.endsWith(' a') || key.endsWith(':a'))).toEqual([
    `end:00${NOW} a`,
    'ended:a',
  ]);
  expect((await approvals.get('a'))?.stage).toBe('done');
  expect((await approvals.list()).map(({ id }) => id)).toEqual(['a', 'b']);
});

test('an approval request that is put again is in one place', async () => {
  await ask(question('a'), 'r1');
  await approvals.update('a', (current) => ended(current, 'closed'));
  await approvals.put(requestAsAsked(question('a'), 'waiting'));
  expect((await keys()).filter((key) => !key.startsWith('request:'))).toEqual(['approval:a']);
  expect((await approvals.open()).map(({ stage }) => stage)).toEqual(['waiting']);
});

test('a step that fails leaves the approval request where it was', async () => {
  await ask(question('a'), 'r1');
  const before = await entries(store);
  const failing = approvals.update('a', () => {
    throw new Error('on its way');
  });
  await expect(failing).rejects.toThrow('on its way');
  expect(await entries(store)).toEqual(before);
});

test('a site’s own name leads to its approval request, also when that is over', async () => {
  const named = { idempotencyKey: 'order 7', askedDigest: '0x07' };
  await ask(question('a', named), 'r1');
  expect((await ask(question('b', named), 'r2')).id).toBe('a');
  await end('a', 's1');
  expect(await ask(question('c', named), 'r3')).toMatchObject({
    id: 'a',
    stage: 'done',
    requestIds: ['r1', 'r2', 'r3'],
  });
  expect((await createRequests(store).find(SITE, 'r3'))?.answer).toEqual({ result: 'a' });
  await expect(ask(question('d', { ...named, askedDigest: '0x08' }), 'r4')).rejects.toThrow(KeyReused);
  const other = 'https://other.example';
  expect((await ask(question('e', { ...named, origin: other }), 'r5')).id).toBe('e');
});

/** A start that finds what is old, and one a day after it. */
async function forgetOld() {
  await approvals.trim(NOW + DAY + 1);
  await approvals.trim(NOW + 2 * (DAY + 1));
}

test('a day after it was found to be old an approval request is forgotten with all that leads to it; of what was submitted the sentence stays', async () => {
  await ask(question('a', { idempotencyKey: 'order 7' }), 'r1');
  await ask(question('b'), 'r2');
  await ask(question('open'), 'r3');
  await end('a', 's1');
  await end('b');
  await approvals.trim(NOW + DAY);
  expect((await approvals.list()).map(({ id }) => id).sort()).toEqual(['a', 'b', 'open']);
  await forgetOld();
  expect((await keys()).filter((key) => !key.startsWith('request:'))).toEqual(['approval:open', 'sentence:a']);
  expect(await approvals.sentences(['a', 'b', 'open', 'never'])).toEqual(
    new Map([
      ['a', { key: 'review_submitOrder' }],
      ['open', { key: 'review_submitOrder' }],
    ]),
  );
});

test('a name that leads to another approval request by now is kept', async () => {
  const named = { idempotencyKey: 'order 7' };
  await ask(question('a', named), 'r1');
  await end('a', 's1');
  await set(`named:${SITE} order 7`, 'b', store);
  await forgetOld();
  expect(await keys()).toContain(`named:${SITE} order 7`);
});

test('of the sentences the latest thousand are kept', async () => {
  for (let index = 0; index < 1_003; index += 1)
    await set(`sentence:${index}`, { at: index === 0 ? NOW : NOW - 10_000 + index, sentence: { key: 'x' } }, store);
  await approvals.trim(NOW);
  const kept = await keys();
  expect(kept).toHaveLength(1_000);
  expect(kept).toContain('sentence:0');
  expect(['sentence:1', 'sentence:2', 'sentence:3'].filter((key) => kept.includes(key))).toEqual([]);
});

test('what an earlier version left among the open ones is not open, and finds its place', async () => {
  const open = question('a', { idempotencyKey: 'order 7', requestIds: ['r1'] });
  const left = ended(open, 'done', { submissionId: 's1' });
  await set('approval:a', left, store);
  await set('approval:odd', { version: 2, stage: 'done' }, store);
  expect(await approvals.open()).toEqual([]);
  expect((await approvals.get('a'))?.stage).toBe('done');
  await approvals.trim(NOW);
  expect(await keys()).toEqual(['approval:odd', `end:00${NOW} a`, 'ended:a', `named:${SITE} order 7`]);
  await forgetOld();
  expect(await keys()).toEqual(['approval:odd', 'sentence:a']);
});

test('the answers of a site are forgotten beyond its latest 500 and a day later, those it waits for never', async () => {
  const requests = createRequests(store);
  await ask(question('open', { createdAt: NOW - 1 }), 'waits');
  for (let index = 0; index < 502; index += 1) {
    await ask(question(`q${index}`, { createdAt: NOW + index }), `r${index}`);
    await end(`q${index}`);
  }
  await ask(question('else', { origin: 'https://other.example' }), 'r0');
  await end('else');
  await requests.trim(NOW + DAY - 1, async () => new Set());
  expect((await requests.find(SITE, 'r0'))?.answer).toEqual({ result: 'q0' });
  await requests.trim(NOW + DAY + 502, async () => new Set());
  const found = await Promise.all(['r0', 'r1', 'r2', 'waits'].map((id) => requests.find(SITE, id)));
  expect(found.map((request) => request?.answer)).toEqual([undefined, undefined, { result: 'q2' }, null]);
  expect((await requests.find('https://other.example', 'r0'))?.answer).toEqual({ result: 'else' });
});

test('an approval that lacks what its stage needs is not read, and keeps nobody from the others', async () => {
  await ask(question('whole'), 'r1');
  const { draft: _, ...undrawn } = question('undrawn');
  await set('approval:undrawn', undrawn, store);
  await set('approval:undecided', { ...question('undecided'), stage: 'approved' }, store);
  await set('approval:unnamed', { ...question('unnamed'), account: undefined }, store);
  expect((await approvals.unsettled()).map(({ id }) => id)).toEqual(['whole']);
});

test('the turns of a request that was put back to the user, and has no draft, are known from the journal', async () => {
  const signed = new Set(['a', 'a/1', 'a/2', 'b']);
  const byRequest = async (_origin: string, id: string) => (signed.has(id) ? ({} as SubmissionRecord) : undefined);
  const ids = (id: string) => requestIdsOf({ byRequest }, { id, origin: SITE });
  expect(await ids('a')).toEqual(['a', 'a/1', 'a/2']);
  expect(await ids('b')).toEqual(['b']);
  expect(await ids('c')).toEqual(['c']);
});
