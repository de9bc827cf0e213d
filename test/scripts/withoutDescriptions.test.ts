import { readFileSync } from 'node:fs';
import { parseAst } from 'vite';
import { expect, test } from 'vitest';
import { withoutDescriptions } from '../../scripts/build/withoutDescriptions.ts';

const transform = withoutDescriptions().transform as unknown as (
  this: { parse: typeof parseAst },
  code: string,
  id: string,
) => { code: string } | null;
const built = (code: string, id = '/src/protocol/a.ts') => transform.call({ parse: parseAst }, code, id)?.code;
const IMPORT = "import { described, field } from './described.ts';";

test('a described schema is the schema itself in the build, and no line moves', () => {
  const code = `${IMPORT}const a = described(object({\n  b: described(text(), undefined),\n}),\n  doc);\nconst c = 1;`;
  expect(built(code)?.replace(IMPORT, '').replaceAll(/ +/g, '')).toBe(
    'consta=(object({\nb:(text()),\n})\n);\nconstc=1;',
  );
  expect(built(code)).toHaveLength(code.length);
});

test('a field keeps how it is built', () => {
  expect(built(`${IMPORT}const a = field(() => text(), doc);`)).toMatch(/const a = field\(\(\) => text\(\) +\);$/);
});

test('a property that describes is missing', () => {
  const code = "import { doc } from '../doc.ts';const a = { b: doc?.('text'), c, d: doc?.(1) ?? 2, e: doc?.(['f']) };";
  expect(built(code)?.replaceAll(/ +/g, ' ')).toMatch(/const a = { c, d: doc\?\.\(1\) \?\? 2, };$/);
});

test('a function of the same name that is another one keeps all that it is given', () => {
  expect(readFileSync('src/protocol/errors.ts', 'utf8')).toContain("field(100002, 'same-bytes'");
  const errors = "import { doc } from './doc.ts';const a = field(100002, 'same-bytes');";
  expect(built(errors)).toBe(errors);
  const beside = "import { described } from './described.ts';const a = field(100002, 'same-bytes');";
  expect(built(beside)).toBe(beside);
});

test('other modules stay as they are', () => {
  expect(built(`${IMPORT}described(a, b)`, '/src/operations/a.ts')).toBeUndefined();
  expect(built('const a = 1')).toBeUndefined();
});
