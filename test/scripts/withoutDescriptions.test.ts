import { parseAst } from 'vite';
import { expect, test } from 'vitest';
import { withoutDescriptions } from '../../scripts/build/withoutDescriptions.ts';

const transform = withoutDescriptions().transform as unknown as (
  this: { parse: typeof parseAst },
  code: string,
  id: string,
) => { code: string } | null;
const built = (code: string, id = '/src/protocol/a.ts') => transform.call({ parse: parseAst }, code, id)?.code;

test('a described schema is the schema itself in the build, and no line moves', () => {
  const code = 'const a = described(object({\n  b: described(text(), undefined),\n}),\n  doc);\nconst c = 1;';
  expect(built(code)?.replaceAll(/ +/g, '')).toBe('consta=(object({\nb:(text()),\n})\n);\nconstc=1;');
  expect(built(code)).toHaveLength(code.length);
});

test('a field keeps how it is built', () => {
  expect(built('const a = field(() => text(), doc);')).toMatch(/^const a = field\(\(\) => text\(\) +\);$/);
});

test('other modules stay as they are', () => {
  expect(built('described(a, b)', '/src/operations/a.ts')).toBeUndefined();
  expect(built('const a = 1')).toBeUndefined();
});
