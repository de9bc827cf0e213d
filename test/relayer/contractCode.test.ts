import { expect, it } from 'vitest';
import { contractCode } from '../../src/relayer/engine/contractCode.ts';

it.each([
  ['a contract', '0x6080', 600_000],
  ['no contract', '0x', 1_000],
  ['an address that delegates (EIP-7702), which its key can change', `0xef0100${'1'.repeat(40)}`, 1_000],
] as const)('code of %s is remembered as long as it lasts', async (_what, code, lastsMs) => {
  let now = 0;
  let asked = 0;
  const getCode = async () => {
    asked++;
    return code;
  };
  const codeOf = contractCode({ l1: { getCode }, clock: { now: () => now } } as never);
  for (const [at, times] of [
    [0, 1],
    [lastsMs - 1, 1],
    [lastsMs, 2],
  ] as const) {
    now = at;
    expect(await codeOf('0x01')).toBe(code);
    expect(asked).toBe(times);
  }
});
