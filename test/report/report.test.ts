import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createReports } from '../../src/background/lifecycle/reports.ts';
import { asJournalError } from '../../src/journal/errors.ts';
import { PayloadError } from '../../src/protocol/payloads/payloadError.ts';
import { listenForReports, report, type Trace } from '../../src/report/report.ts';
import { VaultError } from '../../src/vault/index.ts';
import { createFaultyArea } from '../support/faultyArea.ts';
import { createWalletHarness } from '../support/wallet.ts';

const src = resolve(import.meta.dirname, '../../src');

const SECRET = `0x${'7f'.repeat(32)}`;
const PHRASE = 'test test test test test test test test test test test junk';

function traceOf(error: unknown): Trace {
  let found: Trace | undefined;
  listenForReports((trace) => {
    found = trace;
  });
  report('test: a step', error);
  if (!found) throw new Error('nothing was reported');
  return found;
}

test('a failure is kept as class, code and place', () => {
  const { where, name, code, stack } = traceOf(new VaultError('storage-full', 'the disk is full'));
  expect({ where, name, code }).toEqual({ where: 'test: a step', name: 'VaultError', code: 'storage-full' });
  expect(stack.length).toBeGreaterThan(0);
  expect(stack[0]).toMatch(/report\.test\.ts:\d+:\d+$/);
});

test.each(['locked', 'missing'] as const)('a wallet that is %s is no failure', (code) => {
  const heard: Trace[] = [];
  listenForReports((trace) => heard.push(trace));
  report('test: a step', new VaultError(code, 'there is no key'));
  expect(heard).toEqual([]);
});

test('a request that lacks a field is a failure', () => {
  expect(traceOf(new PayloadError('missing', 'sellToken.volume', 'is missing')).code).toBe('missing');
});

test('a store that a wallet ends on its way is no failure, one that fails is', () => {
  expect(() => traceOf(asJournalError(new VaultError('missing', 'removed')))).toThrow('nothing was reported');
  expect(traceOf(asJournalError(new Error('disk'))).code).toBe('storage');
});

test.each([
  ['a message', () => new Error(SECRET)],
  ['a message that imitates frames', () => new Error(`x\n    at ${PHRASE} (https://x/${SECRET.slice(2, 60)}.js:1:2)`)],
  [
    'a message that was changed later',
    () => Object.assign(new Error(`x\n    at f (${SECRET.slice(2, 60)}.js:1:2)`), { message: 'y' }),
  ],
  ['a cause', () => new Error('x', { cause: new Error(SECRET) })],
  ['a name', () => Object.assign(new Error('x'), { name: `Error ${SECRET}` })],
  ['a name of words', () => Object.assign(new Error('x'), { name: PHRASE })],
  ['a code', () => Object.assign(new Error('x'), { code: SECRET })],
  ['a code of words', () => Object.assign(new Error('x'), { code: PHRASE })],
  ['a stack', () => Object.assign(new Error('x'), { stack: `Error: x\n${SECRET}\n${PHRASE}` })],
  ['another field', () => Object.assign(new Error('x'), { password: PHRASE, toString: () => SECRET })],
  ['what is thrown itself', () => SECRET],
  ['an object that is thrown', () => ({ message: SECRET, stack: PHRASE })],
])('a secret in %s does not enter', (_, make) => {
  const text = JSON.stringify(traceOf(make()));
  for (const word of [SECRET.slice(2, 60), ...new Set(PHRASE.split(' '))].filter((one) => one !== 'test'))
    expect(text).not.toContain(word);
  expect(text).not.toContain('test test');
});

test('a code that is a number enters when it is whole and has at most six digits', () => {
  const codes = [999_999, -999_999, 1_000_000, -1_000_000, 1.5];
  expect(codes.map((code) => traceOf(Object.assign(new Error('x'), { code })).code)).toEqual([
    '999999',
    '-999999',
    null,
    null,
    null,
  ]);
});

test('no message enters, whatever it is', () => {
  const message = fc.string({ minLength: 12, maxLength: 80, unit: 'binary' });
  fc.assert(
    fc.property(message, (secret) => {
      const text = JSON.stringify(traceOf(new Error(secret)));
      expect(text).not.toContain(JSON.stringify(secret).slice(1, -1));
    }),
  );
});

test('200 different failures are kept, the newest, and equal ones are counted', async () => {
  let now = 0;
  const session = createFaultyArea().area;
  const reports = createReports({ now: () => ++now, session });
  const trace = (where: string): Trace => ({ where, name: 'Error', code: null, stack: [] });
  for (let i = 0; i < 250; i++) reports.add(trace(`step ${i}`));
  reports.add(trace('step 240'));
  const list = await reports.list();
  expect(list).toHaveLength(200);
  expect(list[0]).toMatchObject({ where: 'step 240', at: 251, count: 2 });
  expect(list.at(-1)).toMatchObject({ where: 'step 50' });
  // Another worker reads them.
  expect(await createReports({ now: () => 0, session }).list()).toEqual(list);
});

const sourcesIn = (folders: readonly string[]) =>
  folders.flatMap((folder) =>
    readdirSync(join(src, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name)),
  );
const files = sourcesIn(['background', 'journal', 'messaging', 'receipts', 'report', 'storage', 'vault']);
const textOf = (file: string) => readFileSync(file, 'utf8');

/** Handlers that drop an error: empty ones, and those that answer with a fixed value. */
const SILENT =
  /\.catch\(\(\) => (?:\{\s*\}|undefined|null|\[\]|false|true|'[^']*'|\w*[cC]onfig(?:\([^)]*\))?)\)|catch \{\s*(?:\/\/[^\n]*\s*)*\}/g;

test('no failure is dropped without a trace', () => {
  expect(files.length).toBeGreaterThan(150);
  expect(
    files.flatMap((file) => (textOf(file).match(SILENT) ?? []).map((found) => `${relative(src, file)}: ${found}`)),
  ).toEqual([]);
});

/** The block that a `catch` without a name guards, and the block of that `catch`. */
function unnamedCatches(text: string): { readonly tried: string; readonly handled: string }[] {
  return [...text.matchAll(/\} catch \{/g)].map(({ index }) => {
    const handler = index + '} catch '.length;
    return { tried: text.slice(opening(text, index), index), handled: text.slice(handler, closing(text, handler)) };
  });
}

function opening(text: string, at: number): number {
  for (let index = at, depth = 0; index >= 0; index--) {
    if (text[index] === '}') depth++;
    if (text[index] === '{' && --depth === 0) return index;
  }
  throw new Error('a brace that nothing opens');
}

function closing(text: string, at: number): number {
  for (let index = at, depth = 0; index < text.length; index++) {
    if (text[index] === '{') depth++;
    if (text[index] === '}' && --depth === 0) return index;
  }
  throw new Error('a brace that nothing closes');
}

/** Also the places that have no reports: there a comment has to say why an error may go. */
const everywhere = [...files, ...sourcesIn(['client', 'content', 'inpage', 'ui'])];

test('an awaited step whose error is dropped reports it, or a comment says why it may go', () => {
  const wrong = everywhere.flatMap((file) => {
    const text = textOf(file);
    const caught = unnamedCatches(text)
      .filter(
        ({ tried, handled }) =>
          /\bawait\b/.test(tried) && !/\/\/|\b(?:report|leaveTrace)\(|\bmetElsewhere\b/.test(handled),
      )
      .map(({ handled }) => handled);
    const chained = [...text.matchAll(/^(.*)\n.*\.catch\(\(\) => (?:\{\s*\}|undefined|null|\[\]|\w+)\)/gm)]
      .filter(([, before = '']) => !/\/\/|\*\//.test(before))
      .map(([found]) => found);
    return [...caught, ...chained].map((found) => `${relative(src, file)}: ${found}`);
  });
  expect(wrong).toEqual([]);
});

test('an error of a page of the wallet is kept with the place where it was met there', async () => {
  const { ui } = createWalletHarness();
  const error = new RangeError(SECRET);
  const { name, message, stack = '' } = error;
  await ui('addFailure', { where: 'action', name, message, stack });
  const [failure, ...others] = await ui('getFailures', {});
  expect(failure).toMatchObject({ where: 'page: action', name: 'RangeError', code: null, count: 1 });
  expect(failure?.stack[0]).toMatch(/report\.test\.ts:\d+:\d+$/);
  expect(JSON.stringify(failure)).not.toContain(SECRET.slice(2));
  expect(others).toEqual([]);
});

test('what a report says it is about is a fixed text', () => {
  const calls = files.flatMap(
    (file) => textOf(file).match(/\b(?:report|reported|reportedAs)\((?!'[^'$]*'|where)[^)]*\)/g) ?? [],
  );
  expect(calls).toEqual([]);
});
