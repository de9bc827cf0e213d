import { beforeEach, expect, test } from 'vitest';
import { createSpokenTabs } from '../../src/background/worker/spokenTabs.ts';

const SITE = 'https://site.example';
const KEY = 'spoken-tabs';

const stored = new Map<string, unknown>();
const area = {
  get: async (key: string) => stored.get(key),
  async set(entries: object) {
    for (const [key, value] of Object.entries(entries)) stored.set(key, value);
  },
} as Parameters<typeof createSpokenTabs>[0];
beforeEach(() => stored.clear());

const page = (tabId: number) => ({ kind: 'page', tabId, origin: SITE, frameDocument: `in ${tabId}` }) as const;

test('a wipe leaves no tab that spoke, also while one is noted or forgotten', async () => {
  const tabs = createSpokenTabs(area);
  await tabs.heard(page(1));
  await tabs.heard(page(2));
  expect(stored.get(KEY)).toEqual([page(1), page(2)]);
  const underWay = [tabs.forget(page(1)), tabs.heard(page(3))];
  tabs.wipe();
  stored.clear();
  await Promise.all(underWay);
  await tabs.forget(page(2));
  expect([...stored]).toEqual([]);
  expect(await tabs.documentsOf(SITE)).toEqual([]);
  await tabs.heard(page(4));
  expect(stored.get(KEY)).toEqual([page(4)]);
});

test('a document that is gone takes nothing from the one after it', async () => {
  const tabs = createSpokenTabs(area);
  await tabs.heard(page(4));
  const [left] = await tabs.documentsOf(SITE, 4);
  const next = { ...page(4), frameDocument: 'next' };
  await tabs.heard(next);
  if (left) await tabs.forget(left);
  expect([left, ...(await tabs.documentsOf(SITE, 4))]).toEqual([page(4), next]);
  await tabs.forget(next);
  expect(stored.get(KEY)).toEqual([]);
});

test('a read that failed costs only the documents of earlier workers', async () => {
  const get = () => Promise.reject(new Error('the store failed'));
  const tabs = createSpokenTabs({ ...area, get } as typeof area);
  await tabs.heard(page(1));
  await tabs.heard(page(2));
  expect(await tabs.documentsOf(SITE)).toEqual([page(1), page(2)]);
  expect(stored.get(KEY)).toEqual([page(1), page(2)]);
});

test('the next worker knows the document that spoke last, however many others did before', async () => {
  stored.set(
    KEY,
    Array.from({ length: 1_000 }, (_, tabId) => page(tabId)),
  );
  const tabs = createSpokenTabs(area);
  const next = { ...page(0), frameDocument: 'next' };
  await tabs.heard(next);
  await tabs.heard(page(1_000));
  expect(await createSpokenTabs(area).documentsOf(SITE, 0)).toEqual([next]);
  expect([await tabs.documentsOf(SITE), stored.get(KEY)]).toEqual([
    expect.objectContaining({ length: 1_000 }),
    await tabs.documentsOf(SITE),
  ]);
});
