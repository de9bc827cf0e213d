import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import project from '../../package.json' with { type: 'json' };
import catalog from '../../public/texts/en.json' with { type: 'json' };
import { root } from '../../scripts/prepare.mjs';
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
  expect(names(guide, /`relayer_([a-z_]+)/g)).toEqual(names(source, /metrics\.(?:count|observe|gauge)\('([a-z_]+)'/g));
});

test('docs/user.md sets in italics what stands on the screen', () => {
  const text = readFileSync(join(root, 'docs/user.md'), 'utf8');
  const said: readonly string[] = Object.values(catalog);
  const named = [...text.matchAll(/(?<!\*)\*([^*\s][^*\n]*)\*(?!\*)/g)].map(([, name = '']) => name);
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((name) => !said.includes(name))).toEqual([]);
});

test('docs/architecture.md draws the states of a submission as the journal has them', () => {
  const [, diagram = ''] = readFileSync(join(root, 'docs/architecture.md'), 'utf8').split('A submission (');
  const drawn = [...(diagram.split('```')[1] ?? '').matchAll(/^ {2}(\w+) --> (\w+)/gm)].map(
    ([, from, to]) => `${from} ${to}`,
  );
  const real = Object.entries(transitions).flatMap(([from, next]) => next.map((to) => `${from} ${to}`));
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
