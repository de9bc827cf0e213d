import { expect, it } from 'vitest';
import { MAX_AMOUNT } from '../../../src/protocol/limits.ts';
import { RollupError, RollupState, readSnapshot, writeSnapshot } from '../../../src/protocol/rollup/index.ts';

const MOST = `0x${'f'.repeat(64)}`;

function snapshot(): string[] {
  const state = new RollupState();
  state.setAccount(77, { owner: 5n, publicKeyX: 1n, publicKeyY: 2n });
  state.setBalance(77, 1, { balance: MAX_AMOUNT, weightAmm: 3n });
  state.setStorage(77, 1, { storageId: 1, data: 1n });
  return [...writeSnapshot(4, state, [])];
}

it('a snapshot comes back from its lines', async () => {
  const { blockId, state } = await readSnapshot(snapshot());
  expect(blockId).toBe(4);
  expect(state.balance(77, 1)).toMatchObject({ balance: MAX_AMOUNT, weightAmm: 3n });
});

it.each([
  ['owner', '"owner":"0x5"', `0x1${'0'.repeat(40)}`],
  ['publicKeyX', '"publicKeyX":"0x1"', MOST],
  ['publicKeyY', '"publicKeyY":"0x2"', MOST],
  ['balances.0.balance', `"balance":"${MAX_AMOUNT}"`, String(MAX_AMOUNT + 1n)],
  ['balances.0.weightAmm', '"weightAmm":"0x3"', MOST],
  ['balances.0.storage.0.data', '"data":"1"', MOST],
])('a snapshot is refused by the rule of its form when %s is too large', async (path, part, value) => {
  const [head, line = ''] = snapshot();
  const changed = line.replace(part, `${part.slice(0, part.indexOf(':'))}:"${value}"`);
  expect(changed).not.toBe(line);
  const refused = await readSnapshot([head as string, changed]).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(RollupError);
  expect(refused).toMatchObject({ rule: 'format', message: `line 2: ${path}: is out of range` });
});
