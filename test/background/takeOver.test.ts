import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { ALL, TAKEN_OVER, takeOver } from '../../src/background/lifecycle/takeOver.ts';
import { readPins } from '../../src/background/relayers/tokenPins.ts';
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
const PINS = 'pins:1337:0x0baba1ad5be3a5c0a66e7ac838a129bf948f1ea4';
const MOVED = ['attention-dismissed', 'config', 'contacts', `key-use:${ACCOUNT}`, 'sites', 'standing', 'told'];

/**
 * Chromium keeps the second copies where everything was; Firefox, which cannot close that,
 * elsewhere.
 */
describe.each(['Chromium', 'Firefox'])('in %s what the first version kept', (browser) => {
  async function begun() {
    const [local, earlier] = [createFaultyArea(), createFaultyArea()];
    const copy = browser === 'Chromium' ? earlier : createFaultyArea();
    await earlier.area.set(sample);
    const ports = { local: local.area, copy: copy.area, earlier: earlier.area, isCopyApart: copy !== earlier };
    return { local, copy, earlier, ports };
  }
  const keysIn = ({ entries }: ReturnType<typeof createFaultyArea>) => [...entries.keys()].sort();

  test('is moved whole, caches are dropped, and nothing else stays behind', async () => {
    const { local, copy, earlier, ports } = await begun();
    await takeOver(ports);
    expect(keysIn(local)).toEqual([...MOVED, PINS, TAKEN_OVER].sort());
    for (const key of MOVED) expect(await local.area.get(key)).toEqual(sample[key]);
    expect(readPins(await local.area.get(PINS))).toEqual(readPins(sample[`pins:${NETWORK}`]));
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
    expect(await local.area.get(TAKEN_OVER)).toBe(ALL);
    expect(await copy.area.get('config')).toEqual(config);
    expect([undefined, config]).toContainEqual(await local.area.get('config'));
    for (const key of ['sites', 'standing', 'contacts']) expect(await local.area.get(key)).toBeUndefined();
  });

  test('is there after a stop at any write', async () => {
    for (let write = 0; write < 9; write++) {
      const { local, copy, earlier, ports } = await begun();
      let left = write;
      const dying = (area: typeof local.area): typeof local.area => ({
        get: area.get,
        set: (entries) => (left-- > 0 ? area.set(entries) : Promise.reject(new Error('stopped'))),
        remove: (keys) => (left-- > 0 ? area.remove(keys) : Promise.reject(new Error('stopped'))),
      });
      const same = copy === earlier;
      const first = dying(earlier.area);
      await takeOver({ ...ports, local: dying(local.area), copy: same ? first : dying(copy.area), earlier: first });
      await takeOver(ports);
      for (const key of MOVED) expect(await local.area.get(key)).toEqual(sample[key]);
      expect(readPins(await local.area.get(PINS))).toEqual(readPins(sample[`pins:${NETWORK}`]));
      expect(await copy.area.get('vault:a')).toEqual(sample['vault:a']);
      expect(await copy.area.get('config')).toEqual(sample.config);
      if (!same) expect([write, keysIn(earlier)]).toEqual([write, []]);
    }
  });

  test.each([true, 2])('is taken away where an earlier version had left it behind, with the mark %j', async (mark) => {
    const { local, copy, earlier, ports } = await begun();
    await takeOver(ports);
    await local.area.set({ [TAKEN_OVER]: mark });
    if (browser === 'Firefox') await earlier.area.set({ config: sample.config, 'vault:b': sample['vault:a'] });
    const before = new Map(copy.entries);
    await takeOver(ports);
    expect(copy.entries).toEqual(before);
    if (browser === 'Firefox') expect(keysIn(earlier)).toEqual([]);
  });
});

test.each(['whole', 'damaged in part beside a whole copy'])(
  'what was kept for each network of an exchange becomes that of the exchange: what was seen first counts: the configuration is %s',
  async (how) => {
    const { area, entries } = createFaultyArea();
    const exchangeAddress = '0x00000000000000000000000000000000000000Ee';
    const network = (id: string, chainId = 1) => ({ id, name: id, baseUrl: `https://${id}`, chainId, exchangeAddress });
    const config = { version: 1, networks: [network('first'), network('second'), network('other', 5)] };
    const pin = (symbol: string) => ({ address: '0xaa', symbol, name: symbol, decimals: 18 });
    const roots = (...seen: [number, string, number][]) => ({
      version: 1,
      roots: Object.fromEntries(seen.map(([block, root, at]) => [block, { root, at }])),
    });
    await area.set({
      [TAKEN_OVER]: true,
      config:
        how === 'whole'
          ? config
          : { ...config, networks: config.networks.with(1, { ...network('second'), chainId: '?' as never }) },
      'pins:first': { 1: pin('LRC') },
      'pins:second': { 1: pin('PLAY'), 2: pin('DAI') },
      'pins:other': { 1: pin('OTHER') },
      'fees:first': {},
      'fees:second': { 1: { 0: '7' } },
      'block-roots:first': roots([1, '0x1', 9], [2, '0x2', 1]),
      'block-roots:second': roots([1, '0x9', 3], [2, '0x8', 4]),
      'facts:second': { at: 1, tokens: [], markets: [] },
      'facts:other': { at: 1, tokens: [], markets: [] },
    });
    const [copy, earlier] = [createFaultyArea().area, createFaultyArea().area];
    const ports = { local: area, copy, earlier, isCopyApart: true };
    await ports.copy.set({ config });
    await takeOver(ports);
    const exchange = `1:${exchangeAddress.toLowerCase()}`;
    const expected = {
      [`pins:${exchange}`]: { 1: pin('LRC'), 2: pin('DAI') },
      [`fees:${exchange}`]: { 1: { 0: '7' } },
      [`block-roots:${exchange}`]: roots([2, '0x2', 1], [1, '0x9', 3]),
      [`pins:5:${exchangeAddress.toLowerCase()}`]: { 1: pin('OTHER') },
      'facts:other': { at: 1, tokens: [], markets: [] },
    };
    for (const [key, value] of Object.entries(expected)) expect(await area.get(key)).toEqual(value);
    expect([...entries.keys()].sort()).toEqual([...Object.keys(expected), 'config', TAKEN_OVER].sort());
    const before = new Map(entries);
    await takeOver(ports);
    expect(entries).toEqual(before);
  },
);
