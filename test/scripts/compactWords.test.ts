import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { english } from 'viem/accounts';
import { expect, test } from 'vitest';
import { compactWords } from '../../scripts/build/compactWords.ts';

const path = fileURLToPath(new URL('../../@scure/bip39/esm/wordlists/english.js', import.meta.resolve('viem')));
const transform = compactWords().transform as unknown as (code: string, id: string) => { code: string } | null;

test('the words of recovery phrases in the build are those of the package, in less room', async () => {
  const code = readFileSync(path, 'utf8');
  const compact = transform(code, path)?.code ?? '';
  expect(compact.length).toBeLessThan(code.length * 0.7);
  const { wordlist } = (await import(`data:text/javascript,${encodeURIComponent(compact)}`)) as { wordlist: string[] };
  expect(wordlist).toEqual(english);
  expect(wordlist).toHaveLength(2048);
});

test('another module stays as it is, and a package without a list stops the build', () => {
  expect(transform('export const wordlist = `a\nb`', '/src/english.js')).toBeNull();
  expect(() => transform('export const wordlist = []', path)).toThrow('holds no list of words');
});
