import { expect, test } from 'vitest';
import { createMutex } from '../../src/background/lifecycle/mutex.ts';

test('works begin one after another in the order of their asking, each with its own result', async () => {
  const inTurn = createMutex();
  const steps: string[] = [];
  const work = (name: string, rounds: number) =>
    inTurn(async () => {
      steps.push(`${name} begins`);
      for (let round = 0; round < rounds; round++) await Promise.resolve();
      steps.push(`${name} ends`);
      return name;
    });
  expect(await Promise.all([work('slow', 20), work('quick', 0)])).toEqual(['slow', 'quick']);
  expect(steps).toEqual(['slow begins', 'slow ends', 'quick begins', 'quick ends']);
});

test('one that fails, also before it waits, tells its own caller and holds up nobody', async () => {
  const inTurn = createMutex();
  const failing = inTurn(() => {
    throw new Error('disk');
  });
  const next = inTurn(async () => 'done');
  await expect(failing).rejects.toThrow('disk');
  expect(await next).toBe('done');
});
