import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import project from '../../package.json' with { type: 'json' };
import { root } from '../../src/demo/prepare.mjs';

/** What the documents name has to exist. */
const documents = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

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
