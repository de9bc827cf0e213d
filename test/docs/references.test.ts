import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import project from '../../package.json' with { type: 'json' };
import catalog from '../../public/_locales/en/messages.json' with { type: 'json' };
import { root } from '../../src/demo/prepare.mjs';

/** What the documents name has to exist. */
const documents = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

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
  const said = Object.values(catalog).map(({ message }) => message);
  const named = [...text.matchAll(/(?<!\*)\*([^*\s][^*\n]*)\*(?!\*)/g)].map(([, name = '']) => name);
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((name) => !said.includes(name))).toEqual([]);
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
    const named = [...text.matchAll(/`((?:src|test|docs|packaging|public)\/[\w./-]*)`/g)].map(([, name = '']) => name);
    expect(named.filter((name) => !existsSync(join(root, name)))).toEqual([]);
  });

  test('names commands of package.json', () => {
    const scripts = [...text.matchAll(/npm run ([a-z0-9]+(?:[:-][a-z0-9]+)*)/g)].map(([, name = '']) => name);
    expect(scripts.filter((name) => !(name in project.scripts))).toEqual([]);
  });
});
