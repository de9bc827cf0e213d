import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

/**
 * Words of earlier versions and what stands in their place; the glossary of CONTRIBUTING.md has the
 * words in use.
 */
const retired: Readonly<Record<string, string>> = {
  'persons?': 'user',
  'mend(?:s|ed|ing)?': 'repair',
  'whole background': 'full background',
  'first facts': 'startup snapshot',
  'questions?': 'approval request, pending approval',
  'notes? of the browser': 'notification',
  'in peace': 'undisturbed',
  'set-up': 'setup',
  laboratory: 'fault-injection tests',
  'lies still': 'is idle',
  'comes by here': 'passes here',
  'goes by itself': 'goes on without it',
  'meets? (?:its|their|the) failures?': 'a failure is reported where the value is awaited',
  'trading key': 'account key',
  'exchange keys?': 'account key',
  '(?:L2|layer-2) keys?': 'account key',
  'word to the (?:relayer|operator)': 'request to the relayer',
  'under ?way': 'in progress',
};

/** Names in code of earlier versions. */
const retiredNames: Readonly<Record<string, string>> = {
  keepFirstFacts: 'keepStartupSnapshot',
  FirstFacts: 'StartupSnapshot',
  createTurn: 'createMutex',
  heldCodes: 'ambiguousRefusals',
  cameToNothing: 'hadNoEffect',
  endsAtOnce: 'isImmediate',
  asksAgainAfter: 'reapproveOn',
  newKeys: 'stagedKeys',
  pendingKeys: 'stagedKeys',
  askAgain: 'putBack',
  '\\w*Questions?\\w*|questions?[A-Z]\\w*': 'ApprovalRequest, approvableNamed',
  '\\w*[fF]eeWish': 'feePreference',
  AnyAsking: 'AnyApprovable',
  Turn: 'Attempt',
  everyMs: 'pollIntervalMs',
  beginWhole: 'createBackground',
  LOOKS: 'MAX_POLLS',
  '\\w*Rotation\\w*|rotation[A-Z]\\w*': 'keyUpdate',
  submitTurns: 'submitAttempts',
  isOver: 'isSettled, hasExpired',
  '\\w*[uU]nderWay\\w*': 'unsettled, inProgress',
};

const filesOf = (folder: string, ending: RegExp): string[] =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && ending.test(entry.name) && !/[\\/]node_modules[\\/]/.test(entry.parentPath))
    .map((entry) => join(entry.parentPath, entry.name));

const COMMENT = /\/\*[\s\S]*?\*\/|(?:^\s*\/\/.*\n?)+|\s\/\/ .*$/gm;

/** Comments of a source, each on one line, and its strings of more than one word. */
const wordsOf = (text: string): string =>
  [
    ...[...text.matchAll(COMMENT)].map(([comment]) => comment.replaceAll(/\n\s*(?:\*|\/\/)? ?/g, ' ')),
    ...[...text.replaceAll(COMMENT, '').matchAll(/'[^'\n]* [^'\n]*'|`[^`]* [^`]*`/g)].map(([string]) => string),
  ].join('\n');

/** Sentences of other sites, which the wallet recognises in a text to sign. */
const QUOTES = /keySeedGuard\.ts$/;

test('finds a term that wraps, and one in a string', () => {
  expect(wordsOf("/**\n * asks the whole\n * background. */\nsay('who is the person');")).toBe(
    "/** asks the whole background. */\n'who is the person'",
  );
});

/** Without titles of tests and names in code. */
const proseOf = (text: string): string => text.replaceAll(/```[\s\S]*?```|“[^”]*”|`[^`\n]*`/g, '');

const documents = [
  ...filesOf('docs', /\.md$/),
  ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'].map((name) => join(root, name)),
].map((path) => ({ file: relative(root, path), words: proseOf(readFileSync(path, 'utf8')) }));
const sources = [
  ...filesOf('src', /\.(?:ts|tsx)$/),
  ...['scripts', 'examples'].flatMap((folder) => filesOf(folder, /\.m?ts$|\.mjs$/)),
].map((path) => {
  const text = readFileSync(path, 'utf8');
  return { file: relative(root, path), text, words: QUOTES.test(path) ? '' : wordsOf(text) };
});

test.each(Object.entries(retired))('“%s” stands in no comment, no string and no document: say %s', (word) => {
  const found = new RegExp(`\\b${word}\\b`, 'i');
  const wrong = [...sources, ...documents].filter(({ words }) => found.test(words));
  expect(wrong.map(({ file }) => file)).toEqual([]);
});

test.each(Object.entries(retiredNames))('%s is no name any more: it is %s', (name) => {
  const found = new RegExp(`\\b${name}\\b`);
  expect(sources.filter(({ text }) => found.test(text)).map(({ file }) => file)).toEqual([]);
});
