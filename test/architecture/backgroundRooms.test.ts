import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';

const background = resolve(import.meta.dirname, '../../src/background');

/**
 * The rooms of the background from the bottom to the top. A file imports from its own room and from
 * those below it.
 */
const rooms = [
  'ports.ts',
  'errors',
  'settings',
  'relayers',
  'proofs',
  'keys',
  'approvals/store',
  'sites',
  'submissions',
  'wallet.ts',
  'keyUpdate',
  'approvals',
  'attention',
  'lifecycle',
  'rpc/page',
  'rpc/ui',
  'wire.ts',
  'createBackground.ts',
  'worker',
  'index.ts',
] as const;

/** Files on the longest chain of imports. It may become shorter, never longer. */
const LONGEST_CHAIN = 10;

/** Parts that one function may name, of the wallet or by a list of its own. */
const MOST_PARTS = 6;

const files = readdirSync(background, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
  .map((entry) => relative(background, join(entry.parentPath, entry.name)));

/** Types too, and what is loaded later: what a file has to know of another one is what counts. */
function importsOf(file: string): string[] {
  const text = readFileSync(join(background, file), 'utf8');
  return [...text.matchAll(/^\s*(?:import|export)\s+(?:[^'"]*?from\s+)?['"](\.[^'"]+)['"]|\bimport\(\s*'(\.[^']+)'/gm)]
    .map(([, named, loaded]) => named ?? loaded ?? '')
    .map((specifier) => relative(background, resolve(background, dirname(file), specifier)))
    .filter((target) => !target.startsWith('..'));
}

const imports = new Map(files.map((file) => [file, importsOf(file)]));

/** The room of a file: the longest name in the table that its path begins with. */
const roomOf = (file: string): number =>
  rooms.reduce<number>(
    (found, room, index) =>
      (file === room || file.startsWith(`${room}/`)) && room.length > (rooms[found]?.length ?? 0) ? index : found,
    -1,
  );

/** Chain of files from this one to the bottom. @throws {Error} on a cycle */
function chainFrom(file: string, above: readonly string[] = [], known = new Map<string, string[]>()): string[] {
  const found = known.get(file);
  if (found) return found;
  if (above.includes(file)) throw new Error(`cycle: ${[...above, file].join(' > ')}`);
  const below = (imports.get(file) ?? []).map((target) => chainFrom(target, [...above, file], known));
  const chain = [file, ...below.reduce((longest, other) => (other.length > longest.length ? other : longest), [])];
  known.set(file, chain);
  return chain;
}

test('every file of the background is in a room', () => {
  expect(files.length).toBeGreaterThan(100);
  expect(files.filter((file) => roomOf(file) < 0)).toEqual([]);
  expect(rooms.filter((_, index) => !files.some((file) => roomOf(file) === index))).toEqual([]);
});

test('no room of the background imports from one above it', () => {
  const upwards = files.flatMap((file) =>
    (imports.get(file) ?? []).filter((target) => roomOf(target) > roomOf(file)).map((target) => `${file} > ${target}`),
  );
  expect(upwards).toEqual([]);
});

test('chains of imports in the background become no longer', () => {
  const known = new Map<string, string[]>();
  const longest = files
    .map((file) => chainFrom(file, [], known))
    .reduce((most, chain) => (chain.length > most.length ? chain : most), []);
  expect(longest.length, longest.join(' > ')).toBeLessThanOrEqual(LONGEST_CHAIN);
});

test('only the wiring takes the whole wallet, and nothing else takes more than six parts of it', () => {
  const wiring = ['createBackground.ts', 'wire.ts', 'wallet.ts'];
  const texts = files.map((file) => [file, readFileSync(join(background, file), 'utf8')] as const);
  const whole = texts
    .filter(
      ([file, text]) => !wiring.includes(file) && /(?<!keyof |\w)Wallet\b(?!\[')(?!,)[^;]/.test(withoutParts(text)),
    )
    .map(([file]) => file);
  expect(whole).toEqual([]);
  const named = texts.flatMap(([file, text]) => partsIn(text).map((parts) => ({ file, parts })));
  expect(named.length).toBeGreaterThan(100);
  expect(named.filter(({ parts }) => parts.length > MOST_PARTS)).toEqual([]);
});

test('no list of parts that a function declares for itself is longer', () => {
  const lists = ['background', 'journal', 'vault'].flatMap((folder) =>
    readdirSync(resolve(background, '..', folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && `${folder}/${file}` !== 'background/wallet.ts')
      .flatMap((file) => listsIn(`${folder}/${file}`, readFileSync(resolve(background, '..', folder, file), 'utf8'))),
  );
  const partsOf = ({ above, members }: List): Set<string> => {
    const others = lists.filter(({ name }) => above.includes(name));
    return new Set([...members, ...others.flatMap((list) => [...partsOf(list)])]);
  };
  const named = lists
    .filter(({ name }) => /(?:Parts|Rooms|Deps|Options|Call|^\(\w+)$/.test(name))
    .map((list) => ({ file: list.file, name: list.name, parts: [...partsOf(list)] }));
  expect(named.length).toBeGreaterThan(12);
  expect(named.filter(({ parts }) => parts.length > MOST_PARTS)).toEqual([]);
});

test('no function hands itself to its own file by way of the wallet', () => {
  const wire = readFileSync(join(background, 'wire.ts'), 'utf8');
  const fileOf = new Map(
    [...wire.matchAll(/^import \{([^}]+)\} from '\.\/([^']+)'/gm)].flatMap(([, names = '', file = '']) =>
      names.split(',').map((name) => [name.trim(), file] as const),
    ),
  );
  const members = [...wire.matchAll(/^ {4}(\w+): \(.*\) => (\w+)\(wallet\b/gm)].map(([, member = '', made = '']) => ({
    member,
    file: fileOf.get(made) ?? '',
  }));
  expect(members.length).toBeGreaterThan(30);
  const users = (member: string) =>
    files.filter((file) =>
      file === 'createBackground.ts'
        ? readFileSync(join(background, file), 'utf8').includes(`wallet.${member}`)
        : file !== 'wallet.ts' && readFileSync(join(background, file), 'utf8').includes(`'${member}'`),
    );
  expect(members.filter(({ member, file }) => users(member).every((user) => user === file))).toEqual([]);
});

interface List {
  readonly file: string;
  readonly name: string;
  readonly above: readonly string[];
  readonly members: readonly string[];
}

/**
 * Interfaces of a file, and the types of parameters that are written out at the parameter, which
 * are named by it.
 */
const listsIn = (file: string, text: string): List[] =>
  [
    ...text.matchAll(/^(?:export )?interface (\w+)(?:<.*?>)?(?: extends ([^{]+?))? \{\n([\s\S]*?)^\}/gm),
    ...text.matchAll(/(\(\w+): ()\{\n((?: {2}.*\n)+)\}/g),
  ].map(([, name = '', above = '', body = '']) => ({
    file,
    name,
    above: above.split(',').map((one) => one.replace(/<.*/, '').trim()),
    members: [...body.matchAll(/^ {2}(?:readonly )?(\w+)\??[:(<]/gm)].map(([, member = '']) => member),
  }));

/** Each list of parts: `Pick<Wallet, …>`, and the argument of `UiHandlers<…>`. */
const PARTS = /(?:Pick<\s*Wallet,|UiHandlers<)((?:\s*\|?\s*'\w+')+)\s*,?\s*>/g;

const partsIn = (text: string): string[][] =>
  [...text.matchAll(PARTS)].map(([, parts = '']) =>
    parts
      .split('|')
      .map((part) => part.trim())
      .filter(Boolean),
  );

const withoutParts = (text: string): string => text.replace(PARTS, '').replaceAll(/^import .*$/gm, '');
