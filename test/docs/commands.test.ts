import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { root, run } from '../../scripts/prepare.mjs';
import { blocksOf } from './blocks.ts';

/** Every code block of every document is executed, or checked, by a test that is named here. */
const documents = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
  'scripts/viemPackage/README.md',
  'test/vectors/README.md',
];

/**
 * Which test takes the blocks of a document, by language and mark. Plain text, such as a picture of
 * the flow, has no language.
 */
const readers: Readonly<Record<string, string>> = {
  'README.md ts': 'test/e2e/readmeExample.test.ts',
  'docs/architecture.md mermaid': 'test/docs/references.test.ts',
  'docs/dapp.md js runs': 'test/e2e/dappGuide.test.ts',
  'docs/dapp.md js': 'test/e2e/dappGuide.test.ts',
  'docs/dapp.md sh runs': 'test/e2e/dappGuide.test.ts',
  'docs/dapp.md ts runs': 'test/e2e/dappGuide.test.ts',
  'docs/operator.md sql': 'test/relayer/deployments.test.ts',
  'docs/operator.md sh runs': 'test/docs/operator.test.ts',
  'docs/operator.md sh runs until listening': 'test/docs/operator.test.ts',
  'scripts/viemPackage/README.md ts': 'test/scripts/viemPackage.test.ts',
};

/**
 * Where a command is executed that stands in no block with a mark: a file, and the words in it that
 * do so.
 */
const runBy: Readonly<Record<string, readonly [file: string, words: string]>> = {
  'npm test': ['test/run.mjs', '`npm test`'],
  'npm start': ['test/run.mjs', "['start',"],
  'npm ci': ['scripts/prepare.mjs', "run('npm', ['ci',"],
  'npm run build': ['test/run.mjs', "script('build')"],
  'npm run types': ['test/run.mjs', "script('types')"],
  'npm run screens': ['test/run.mjs', "script('screens',"],
  'npm run store': ['test/e2e/store.test.ts', "'store'"],
  'npm run unit -- test/journal': ['test/run.mjs', "vitest('unit', 'unit',"],
  'npm run e2e -- test/e2e/order.test.ts': ['test/run.mjs', "vitest('e2e', 'e2e',"],
  'npm run build:relayer': ['test/scripts/relayerPackage.test.ts', "'build:relayer'"],
  'npm run package': ['test/scripts/package.test.ts', "'package'"],
  'npm run bench -- ui': ['test/e2e/uiBench.test.ts', "'bench', '--', 'ui',"],
  'npm run dev': ['test/scripts/package.test.ts', "'dev'"],
  'npm run relayer -- --dev': ['test/relayer/signals.test.ts', "['run', 'relayer', '--', '--dev',"],
  'npm run vectors -- test/vectors': ['test/docs/commands.test.ts', "['run', '--silent', 'vectors',"],
  'npm run replay -- --from blocks.jsonl --proofs proofs.jsonl': [
    'test/relayer/evidence.test.ts',
    "'run', '--silent', 'replay',",
  ],
  'npm run replay -- --from blocks.jsonl --snapshot state-17.jsonl': [
    'test/relayer/evidence.test.ts',
    "'run', '--silent', 'replay',",
  ],
  'npm run verify-proofs -- --from proofs.jsonl --root 0x0baba1ad': [
    'test/relayer/evidence.test.ts',
    "'run', '--silent', 'verify-proofs',",
  ],
  'npm run format': ['test/docs/commands.test.ts', "'run', '--silent', 'format'"],
};
const commandsOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.replace(/\s+#.*$/, '').trim())
    .filter((line) => line !== '');

const blocks = documents.flatMap((path) => blocksOf(path).map((block) => ({ path, ...block })));
const isCommands = ({ language, mark }: (typeof blocks)[number]) => language === 'sh' && mark === '';

test('every code block has a test that reads it', () => {
  const unread = blocks
    .filter((block) => block.language !== '' && !isCommands(block))
    .filter(({ path, language, mark }) => {
      const reader = readers[`${path} ${language}${mark === '' ? '' : ` ${mark}`}`];
      return reader === undefined || !readFileSync(join(root, reader), 'utf8').includes(path);
    })
    .map(({ path, line }) => `${path}, line ${line}`);
  expect(unread).toEqual([]);
});

test('every command has a place where it is executed', () => {
  const shown = new Set(blocks.filter(isCommands).flatMap(({ text }) => commandsOf(text)));
  const nowhere = [...shown].filter((command) => {
    const [file, words] = runBy[command] ?? [];
    return !(file && words && readFileSync(join(root, file), 'utf8').includes(words));
  });
  expect(nowhere).toEqual([]);
  expect(Object.keys(runBy).filter((command) => !shown.has(command))).toEqual([]);
});

test('a newcomer starts with two commands: the clone, and npm start', () => {
  const [first] = blocks.filter(({ path }) => path === 'README.md').filter(isCommands);
  expect(commandsOf(first?.text ?? '')).toEqual(['npm start']);
});

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-commands-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('npm run vectors checks the vectors of the folder that it is given', { timeout: 420_000 }, async () => {
  const given = join(folder, 'vectors');
  cpSync(join(root, 'test/vectors/cid.json'), join(given, 'cid.json'));
  const { code, output } = await run('npm', ['run', '--silent', 'vectors', '--', given], { show: false });
  expect(output).toMatch(/^cid\.json: ([1-9]\d* passed, 0 failed)\n\1\n$/);
  expect(code).toBe(0);
});

test('npm run format mends what the linter would refuse', async () => {
  for (const name of ['package.json', 'biome.json']) cpSync(join(root, name), join(folder, name));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, '.gitignore'), 'node_modules/\n');
  writeFileSync(join(folder, 'untidy.ts'), 'export const   one = "1"');
  const { code, output } = await run('npm', ['--prefix', folder, 'run', '--silent', 'format'], { show: false });
  expect(code, output).toBe(0);
  expect(readFileSync(join(folder, 'untidy.ts'), 'utf8')).toBe("export const one = '1';\n");
});
