import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import manifest from '../../manifest.json' with { type: 'json' };
import { root } from '../../scripts/prepare.mjs';
import { scenes } from '../../scripts/store/scenes.ts';
import { frameScenarios } from '../ui/gallery/frameScenarios.ts';
import { scenarios } from '../ui/gallery/scenarios.ts';
import { tradeScenarios } from '../ui/gallery/tradeScenarios.ts';

const text = readFileSync(join(root, 'docs/store.md'), 'utf8');
const section = (title: string): string => {
  const found = text.split(/^## /m).find((part) => part.startsWith(`${title}\n`));
  if (found === undefined) throw new Error(`docs/store.md has no section ${title}`);
  return found.slice(title.length).trim();
};
const messages = (language: string): Readonly<Record<string, { readonly message: string }>> =>
  JSON.parse(readFileSync(join(root, `public/_locales/${language}/messages.json`), 'utf8'));

test('the listing has the name and the summaries of the extension, within what the stores take', () => {
  const languages = readdirSync(join(root, 'public/_locales')).sort();
  expect(section('Name')).toBe(messages('en').extensionName?.message);
  expect(section('Name').length).toBeLessThanOrEqual(45);
  const summaries = [...section('Summary').matchAll(/^- (\w+): (.+)$/gm)].map(([, language, words]) => [
    language,
    words,
  ]);
  expect(summaries.sort()).toEqual(
    languages.map((language) => [language, messages(language).extensionDescription?.message]),
  );
  expect(summaries.filter(([, words = '']) => words.length > 132)).toEqual([]);
});

test('the description is plain text, within what the stores take', () => {
  const description = /```\n([\s\S]+?)```/.exec(section('Description'))?.[1] ?? '';
  expect(description.length).toBeGreaterThan(500);
  expect(description.length).toBeLessThanOrEqual(15_000);
  expect(description).not.toMatch(/[<>*`#]/);
});

test('every permission of the manifest has its reason, and no other', () => {
  const rows = [...section('Permissions').matchAll(/^\| (.+?) \| (.+) \|$/gm)].filter(
    ([, permission]) => permission !== 'Permission' && !permission?.startsWith('--'),
  );
  const named = rows
    .filter(([, permission = '']) => permission.startsWith('`'))
    .map(([, permission = '']) => permission.slice(1, -1));
  expect(named.sort()).toEqual(
    [
      ...manifest.permissions,
      ...manifest.optional_permissions,
      ...manifest.host_permissions,
      ...manifest.optional_host_permissions,
    ].sort(),
  );
  const scripts = rows.find(([, permission = '']) => permission.startsWith('Content scripts'))?.[1] ?? '';
  for (const { matches } of manifest.content_scripts)
    expect([...scripts.matchAll(/`(.+?)`/g)].map(([, match]) => match).sort()).toEqual([...matches].sort());
  expect(rows.filter(([, , reason = '']) => reason.length < 30 && !reason.startsWith('The same'))).toEqual([]);
});

test('the pictures that the document names are those that are drawn, from screens that exist', () => {
  const named = [...section('Pictures').matchAll(/^- `(.+)\.png`$/gm)].map(([, name]) => name);
  expect(named).toEqual([...scenes.map(({ name }) => name), 'tile']);
  const drawn = [...scenarios, ...frameScenarios, ...tradeScenarios].map(({ name }) => name);
  expect(scenes.flatMap(({ screens }) => screens).filter((name) => !drawn.includes(name))).toEqual([]);
});
