import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { TAKEN_OVER, takeOver } from '../../src/background/lifecycle/takeOver.ts';
import { createFaultyArea } from '../support/faultyArea.ts';

/**
 * Everything that version 0.1 kept in `storage.local`, as it was written then; the vault's forms
 * are in `test/vault/versions`.
 */
let sample: Record<string, unknown>;
beforeAll(() => {
  sample = JSON.parse(readFileSync(new URL('./storedForms/1.json', import.meta.url), 'utf8'));
});

const ACCOUNT = '2d8f6d2e-6a0a-4b7e-9a55-0d6c1b1f0f11:10001';
const NETWORK = '2d8f6d2e-6a0a-4b7e-9a55-0d6c1b1f0f11';
const MOVED = [
  'attention-dismissed',
  'config',
  'contacts',
  `key-use:${ACCOUNT}`,
  `pins:${NETWORK}`,
  'sites',
  'standing',
  'told',
];

/**
 * Chromium keeps the second copies where everything was; Firefox, which cannot close that,
 * elsewhere.
 */
describe.each(['Chromium', 'Firefox'])('in %s what the first version kept', (browser) => {
  async function begun() {
    const [local, earlier] = [createFaultyArea(), createFaultyArea()];
    const copy = browser === 'Chromium' ? earlier : createFaultyArea();
    await earlier.area.set(sample);
    const ports = { local: local.area, copy: copy.area, earlier: earlier.area };
    return { local, copy, earlier, ports };
  }
  const keysIn = ({ entries }: ReturnType<typeof createFaultyArea>) => [...entries.keys()].sort();

  test('is moved whole, caches are dropped, and nothing else stays behind', async () => {
    const { local, copy, earlier, ports } = await begun();
    await takeOver(ports);
    expect(keysIn(local)).toEqual([...MOVED, TAKEN_OVER].sort());
    for (const key of MOVED) expect(await local.area.get(key)).toEqual(sample[key]);
    const copies = ['config', 'vault:a', 'vault:current'];
    expect(keysIn(copy)).toEqual(copies);
    for (const key of copies) expect(await copy.area.get(key)).toEqual(sample[key]);
    if (browser === 'Firefox') expect(keysIn(earlier)).toEqual([]);
  });

  test('is moved once: what somebody writes there later counts for nothing', async () => {
    const { local, copy, earlier, ports } = await begun();
    await takeOver(ports);
    // Of this one nothing is stored, so that nothing stands in the way of another's.
    await local.area.remove(['standing']);
    const before = new Map(local.entries);
    const theirs = {
      sites: [{ origin: 'https://evil.example', grants: [], blocked: false }],
      standing: [{ id: 'evil' }],
    };
    await earlier.area.set({ ...theirs, config: await copy.area.get('config') });
    await takeOver(ports);
    expect(local.entries).toEqual(before);
  });

  test('is not taken from somebody else when the database was lost: the second copy is what counts', async () => {
    const { local, copy, earlier, ports } = await begun();
    await takeOver(ports);
    const config = await copy.area.get('config');
    local.entries.clear();
    // In Chromium nobody can write there.
    if (browser === 'Firefox') await earlier.area.set({ ...sample, config: { version: 1, networks: [] } });
    await takeOver(ports);
    expect(await local.area.get(TAKEN_OVER)).toBe(true);
    expect(await copy.area.get('config')).toEqual(config);
    expect([undefined, config]).toContainEqual(await local.area.get('config'));
    for (const key of ['sites', 'standing', 'contacts']) expect(await local.area.get(key)).toBeUndefined();
  });

  test('is there after a stop at any write', async () => {
    for (let write = 0; write < 6; write++) {
      const { local, copy, earlier, ports } = await begun();
      let left = write;
      const dying = (area: typeof local.area): typeof local.area => ({
        get: area.get,
        set: (entries) => (left-- > 0 ? area.set(entries) : Promise.reject(new Error('stopped'))),
        remove: (keys) => (left-- > 0 ? area.remove(keys) : Promise.reject(new Error('stopped'))),
      });
      const same = copy === earlier;
      const first = dying(earlier.area);
      await takeOver({ local: dying(local.area), copy: same ? first : dying(copy.area), earlier: first });
      await takeOver(ports);
      for (const key of MOVED) expect(await local.area.get(key)).toEqual(sample[key]);
      expect(await copy.area.get('vault:a')).toEqual(sample['vault:a']);
      expect(await copy.area.get('config')).toEqual(sample.config);
    }
  });
});
