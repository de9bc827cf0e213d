import { expect, test } from 'vitest';
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

test('a wipe leaves no tab that spoke, also while one is noted or forgotten', async () => {
  const tabs = createSpokenTabs(area);
  await tabs.heard(1, SITE);
  await tabs.heard(2, SITE);
  expect(stored.get(KEY)).toEqual([`1 ${SITE}`, `2 ${SITE}`]);
  const underWay = [tabs.forget(1, SITE), tabs.heard(3, SITE)];
  tabs.wipe();
  stored.clear();
  await Promise.all(underWay);
  await tabs.forget(2, SITE);
  expect([...stored]).toEqual([]);
  expect(await tabs.tabsOf(SITE)).toEqual([]);
  await tabs.heard(4, SITE);
  expect(stored.get(KEY)).toEqual([`4 ${SITE}`]);
});
