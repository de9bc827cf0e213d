import { expect, test } from 'vitest';
import { createConfig } from '../../src/background/settings/config.ts';
import { createFaultyArea } from '../support/faultyArea.ts';
import { createPromiseLock } from '../support/promiseLock.ts';

test('a copy that is behind is read while the first store does not answer, and never written over it', async () => {
  const [local, copy] = [createFaultyArea(), createFaultyArea()];
  const config = createConfig(local.area, copy.area, createPromiseLock());
  const select = (selectedAccount: string) => config.update((data) => ({ ...data, selectedAccount }));
  await select('first');
  copy.failWrite(0);
  await select('second');
  const { get } = local.area;
  local.area.get = () => Promise.reject(new Error('shut'));
  expect((await config.read()).selectedAccount).toBe('first');
  await expect(select('third')).rejects.toThrow('shut');
  local.area.get = get;
  expect((await config.read()).selectedAccount).toBe('second');
});
