import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { relayerErrors } from '../../src/protocol/errors.ts';

const src = resolve(import.meta.dirname, '../../src');
const TABLE = 'protocol/errors.ts';

const sources = readdirSync(src, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.(ts|tsx|mts|mjs)$/.test(entry.name))
  .map((entry) => relative(src, join(entry.parentPath, entry.name)))
  .filter((file) => file !== TABLE && !file.includes('generated/'));

const codes = Object.values(relayerErrors).map(({ code }) => String(code));
/** A round number, such as an amount in quotes or a time with a separator, is no relayer code. */
const isRound = (code: string) => code.endsWith('0000');
const forms = codes.flatMap((code) =>
  isRound(code)
    ? [`(?<![\\w.'"\`])${code}(?![\\w.'"\`])`]
    : [`(?<![\\w.])${code}(?!\\w)`, `(?<![\\w.])${code.slice(0, 3)}_${code.slice(3)}(?!\\w)`],
);
const bareCode = new RegExp(forms.join('|'), 'g');

const bareCodesOf = (text: string) => [...text.matchAll(bareCode)].map(([found]) => found);

test('finds a code in a call, a list, a comment, quotes and with a separator', () => {
  const text = "new Refusal(102011); [100000, '102007'] // 104_005";
  expect(bareCodesOf(text)).toEqual(['102011', '100000', '102007', '104_005']);
  expect(bareCodesOf("volume: '100000', timeoutMs: 100_000, 0x102011, 1102011")).toEqual([]);
});

test('the relayer codes stand in their table and nowhere else', () => {
  expect(sources.length).toBeGreaterThan(150);
  const found = sources.flatMap((file) =>
    readFileSync(join(src, file), 'utf8')
      .split('\n')
      .flatMap((line, at) => bareCodesOf(line).map((code) => `${file}:${at + 1} ${code}`)),
  );
  expect(found).toEqual([]);
});
