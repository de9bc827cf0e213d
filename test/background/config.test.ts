import { expect, test } from 'vitest';
import { createConfig, readableConfig } from '../../src/background/settings/config.ts';
import { type KeyValueArea, remembering } from '../../src/storage/area.ts';
import { createFaultyArea } from '../support/faultyArea.ts';
import { createPromiseLock } from '../support/promiseLock.ts';

test('a copy that is behind is read while the first store does not answer, and never written over it', async () => {
  const [local, copy] = [createFaultyArea(), createFaultyArea()];
  const config = createConfig(local.area, copy.area, createPromiseLock());
  const speak = (language: string) => config.update((data) => ({ ...data, settings: { ...data.settings, language } }));
  const spoken = async () => (await config.read()).settings.language;
  await speak('de');
  copy.failWrite(0);
  await speak('fr');
  const { get } = local.area;
  local.area.get = () => Promise.reject(new Error('shut'));
  expect(await spoken()).toBe('de');
  await expect(speak('es')).rejects.toThrow('shut');
  local.area.get = get;
  expect(await spoken()).toBe('fr');
});

const account = (id: string) => ({
  id,
  networkId: 'dev',
  accountId: 1,
  owner: '0x',
  label: id,
  publicKey: { x: '0x', y: '0x' },
  signer: 'k',
  keySeed: '',
});

test.each([
  ['the one that was chosen', ['a', 'b'], 'b', 'b'],
  ['the first one when the chosen one is not listed', ['a', 'b'], 'gone', 'a'],
  ['the first one when none was chosen', ['a', 'b'], null, 'a'],
  ['none when there is none', [], 'gone', null],
])('the selected account is %s', (_, ids, selectedAccount, expected) => {
  expect(readableConfig({ accounts: ids.map(account), selectedAccount }).selectedAccount).toBe(expected);
});

test('what is stored is read once while it stays the same', async () => {
  const areas = [createFaultyArea(), createFaultyArea()].map(({ area }) => remembering(area));
  const config = createConfig(areas[0] as KeyValueArea, areas[1] as KeyValueArea, createPromiseLock());
  await config.update((data) => ({ ...data, accounts: [account('a')] }));
  const first = await config.read();
  expect(await config.read()).toBe(first);
  await config.update((data) => ({ ...data, accounts: [...data.accounts, account('b')] }));
  expect((await config.read()).accounts).toMatchObject([{ id: 'a' }, { id: 'b' }]);
  expect(first.accounts).toHaveLength(1);
  await areas[0]?.set({ config: { accounts: 'damaged' } });
  expect((await config.read()).accounts).toHaveLength(2);
  await areas[1]?.set({ config: { accounts: [account('c')] } });
  for (let i = 0; i < 2; i++) expect((await config.read()).accounts).toEqual([]);
});
