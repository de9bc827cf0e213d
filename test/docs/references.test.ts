import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import project from '../../package.json' with { type: 'json' };
import catalog from '../../public/texts/en.json' with { type: 'json' };
import { root } from '../../scripts/prepare.mjs';
import { stages } from '../../src/background/approvals/store/storedApproval.ts';
import { rpcCodes } from '../../src/background/errors/rpcError.ts';
import { pageMethods } from '../../src/background/rpc/page/index.ts';
import { transitions } from '../../src/journal/transitions.ts';
import { blocksOf } from './blocks.ts';

/** What the documents name has to exist. */
const documents = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

test('docs/dapp.md has an example of every method, and its table every code that a page can get', () => {
  const guide = readFileSync(join(root, 'docs/dapp.md'), 'utf8');
  const examples = blocksOf('docs/dapp.md')
    .map(({ text }) => text)
    .join('\n');
  expect([...pageMethods.keys()].filter((name) => !new RegExp(`\\b${name}\\b`).test(examples))).toEqual([]);
  const codes = [...guide.matchAll(/^\| (-?\d+) \|/gm)].map(([, code]) => Number(code));
  expect(codes.toSorted()).toEqual(Object.values(rpcCodes).toSorted());
});

test('docs/dependencies.md has a reason for every runtime dependency, and for no other package', () => {
  const guide = readFileSync(join(root, 'docs/dependencies.md'), 'utf8');
  const listed = [...guide.matchAll(/^\| `([^`]+)` \|/gm)].map(([, name]) => name);
  expect(listed.toSorted()).toEqual(Object.keys(project.dependencies).toSorted());
});

test('docs/operator.md lists every metric of the relayer, and no other', () => {
  const guide = readFileSync(join(root, 'docs/operator.md'), 'utf8');
  const source = readdirSync(join(root, 'src/relayer'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(join(root, 'src/relayer', name), 'utf8'))
    .join('\n');
  const names = (text: string, pattern: RegExp) =>
    [...new Set([...text.matchAll(pattern)].map(([, name]) => name))].toSorted();
  expect(names(guide, /`relayer_([a-z_]+)/g)).toEqual(
    names(source, /metrics\.(?:count|observe|gauge)\(\s*'([a-z_]+)'/g),
  );
});

describe('docs/decisions.md', () => {
  const head = /^\*(\d+), (\d{4}-\d\d-\d\d), (?:holds|replaced by (\d+))\.\* \*\*([^*]+)\*\*/;
  const text = readFileSync(join(root, 'docs/decisions.md'), 'utf8');
  const sections = text.split(/^## .*$/m).map((section) => section.split('\n\n').map((paragraph) => paragraph.trim()));
  const entriesOf = (section: readonly string[]) =>
    section.flatMap((paragraph) => {
      const [, number, day = '', by, title = ''] = head.exec(paragraph) ?? [];
      return number === undefined ? [] : [{ number, day, by, title: title.replaceAll(/\s+/g, ' ').toLowerCase() }];
    });
  const all = sections.flatMap(entriesOf);
  const known = new Map(all.map((entry) => [entry.number, entry]));

  test('has number, day and status at the beginning of each entry', () => {
    const others = sections.flat().filter((paragraph) => paragraph.startsWith('*') && !head.test(paragraph));
    expect(others.map((paragraph) => paragraph.slice(0, 80))).toEqual([]);
    expect(all.filter(({ day }) => Number.isNaN(Date.parse(day)))).toEqual([]);
    expect(all.filter(({ by }) => by !== undefined && !known.has(by))).toEqual([]);
  });

  test('gives no number twice, and a new entry at the end of its section the one after the highest', () => {
    const numbers = all.map(({ number }) => Number(number));
    expect(numbers.filter((number, index) => numbers.indexOf(number) !== index)).toEqual([]);
    expect(Math.max(...numbers)).toBe(numbers.length);
    for (const section of sections) {
      const own = entriesOf(section).map(({ number }) => Number(number));
      expect(own).toEqual(own.toSorted((a, b) => a - b));
    }
  });

  test('has what docs/endpoints.md names by words and number', () => {
    const guide = readFileSync(join(root, 'docs/endpoints.md'), 'utf8');
    const named = [...guide.matchAll(/(?<!\*)\*([^*\n]+?)(?:, (\d+))?\*(?!\*)/g)].filter(
      ([, words]) => words !== 'As written',
    );
    expect(named.length).toBeGreaterThan(10);
    const wrong = named.filter(
      ([, words = '', number = '']) => !known.get(number)?.title.includes(words.toLowerCase()),
    );
    expect(wrong.map(([whole]) => whole)).toEqual([]);
  });
});

test('docs/user.md sets in italics what stands on the screen', () => {
  const text = readFileSync(join(root, 'docs/user.md'), 'utf8');
  const said: readonly string[] = Object.values(catalog);
  const named = [...text.matchAll(/(?<!\*)\*([^*\s][^*\n]*)\*(?!\*)/g)].map(([, name = '']) => name);
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((name) => !said.includes(name))).toEqual([]);
});

test.each<[string, string, Readonly<Record<string, readonly string[]>>]>([
  ['an approval', 'An approval (', stages],
  ['a submission', 'A submission (', transitions],
])('docs/architecture.md draws the states of %s as they are', (_, heading, table) => {
  const [, diagram = ''] = readFileSync(join(root, 'docs/architecture.md'), 'utf8').split(heading);
  const drawn = [...(diagram.split('```')[1] ?? '').matchAll(/^ {2}(\w+) --> (\w+)/gm)].map(
    ([, from, to]) => `${from} ${to}`,
  );
  const real = Object.entries(table).flatMap(([from, next]) => next.map((to) => `${from} ${to}`));
  expect(drawn.toSorted()).toEqual(real.toSorted());
});

describe.each(documents)('%s', (path) => {
  const text = readFileSync(join(root, path), 'utf8');

  test('links to files that exist', () => {
    const links = [
      ...[...text.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map(([, target = '']) => target),
      ...[...text.matchAll(/<img src="([^"]+)"/g)].map(([, target = '']) => target),
    ].filter((target) => !/^[a-z]+:/.test(target));
    expect(links.filter((target) => !existsSync(join(root, dirname(path), target)))).toEqual([]);
  });

  test('names source files and folders that exist', () => {
    const named = [...text.matchAll(/`((?:src|test|docs|scripts|public)\/[\w./-]*)`/g)].map(([, name = '']) => name);
    expect(named.filter((name) => !existsSync(join(root, name)))).toEqual([]);
  });

  test('names commands of package.json', () => {
    const scripts = [...text.matchAll(/npm run ([a-z0-9]+(?:[:-][a-z0-9]+)*)/g)].map(([, name = '']) => name);
    expect(scripts.filter((name) => !(name in project.scripts))).toEqual([]);
  });
});
