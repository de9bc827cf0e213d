import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../scripts/prepare.mjs';
import { git } from '../reachedTests.mjs';

const MOST_COLUMNS = 100;

/** Its texts are pasted into forms of the stores, where an end of a line would be seen. */
const PASTED = 'docs/store.md';

const files = git(['ls-files', '--cached', '--others', '--exclude-standard']).filter(
  (name) => !/\/generat(?:ed|e)\//.test(name) && name !== PASTED && existsSync(join(root, name)),
);

/** Lines of comments; a line that is one word cannot end earlier, and examples are code. */
function inCode(text: string): string[] {
  let isExample = false;
  return text.split('\n').map((line) => {
    if (/^\s*\* @example/.test(line)) isExample = true;
    if (line.includes('*/')) isExample = false;
    return !isExample && /^\s*(?:\/\/|\/?\*+) \S+ /.test(line) && !/biome-ignore|PURE/.test(line) ? line : '';
  });
}

/** Lines of paragraphs and lists; code, tables, pictures and addresses are no prose. */
function inDocument(text: string): string[] {
  let isCode = false;
  return text.split('\n').map((line) => {
    const isFence = /^\s*(?:```|~~~)/.test(line);
    if (isFence) isCode = !isCode;
    return isCode || isFence || /^\s*(?:\||<|\[[^\]]+\]: |(?:[-*]|\d+\.)? *(?:\S+|`[^`]*`[.,:;]?)$)/.test(line)
      ? ''
      : line;
  });
}

test.each([
  ['comments', /\.(?:ts|tsx|mjs|js)$/, inCode],
  ['documents', /\.md$/, inDocument],
] as const)('%s end each line of prose by column 100', (_, names, proseOf) => {
  const named = files.filter((name) => names.test(name));
  expect(named.length).toBeGreaterThan(10);
  const wide = named.flatMap((name) =>
    proseOf(readFileSync(join(root, name), 'utf8')).flatMap((line, at) =>
      line.length > MOST_COLUMNS ? [`${name}:${at + 1}`] : [],
    ),
  );
  expect(wide).toEqual([]);
});
