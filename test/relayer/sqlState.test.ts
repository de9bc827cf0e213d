import { expect, test } from 'vitest';
import { isDatabaseTrouble, sqlState } from '../../src/relayer/db/port.ts';

const failing = (code: string) => Object.assign(new Error('it failed'), { code });

test.each(['57014', '40P01', 'P0001', 'XX000'])('%s is a state that PostgreSQL names', (code) => {
  expect(sqlState(failing(code))).toBe(code);
});

test.each(['EPIPE', 'ECONNRESET', ''])('%j of a socket is none', (code) => {
  expect(sqlState(failing(code))).toBeUndefined();
  expect(isDatabaseTrouble(failing(code))).toBe(false);
});
