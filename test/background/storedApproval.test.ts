import { describe, expect, test } from 'vitest';
import type { StoredApproval } from '../../src/background/approvals/store/storedApproval.ts';

/** What a store holds of each kind and stage, with everything that may be there. */
const problem = { key: 'problem_pageLeft' };
const common = {
  ...{ version: 1, id: 'q', origin: 'https://site.example', requestIds: ['page', 'another'], createdAt: 1_000 },
  ...{ askedDigest: '0xa5', idempotencyKey: 'mine', problem, left: true, withdrawn: true },
  again: { approvedAt: 900, why: problem },
};
const connection = {
  ...common,
  ...{ kind: 'connect', kinds: ['read', 'orders'], switchTo: 'net', answers: 'permissions', account: 'net:10005' },
  next: { method: 'relayer_submitOrder', params: [1] },
};
const chosen = { accounts: ['net:10005'], kinds: ['read'] };
const review = { sentence: problem, rows: [], warnings: [], bound: [], unbound: [] };
const request = {
  ...common,
  ...{ kind: 'operation', operation: 'transfer', account: 'net:10005', intent: { amount: '1' }, connectedFirst: true },
  choice: { publicKey: { x: '0x1', y: '0x2' }, kind: 'random', keySeed: 'seed', nonce: 1, backedUp: true },
  first: { review, reviewedAt: 2 },
  ...{
    byHand: true,
    copies: 2,
    copiesFor: 'q/1',
    signedBefore: { copies: 1, validUntil: 5 },
    idJump: { known: 1, named: 9 },
  },
};
const prepared = { draft: { body: { a: 1 }, shown: { b: 2 } }, review, reviewedAt: 3, digest: '0xd1' };
const forms: Record<string, object> = {
  'an unlock that waits': { ...common, kind: 'unlock', stage: 'waiting' },
  'an unlock that is over': { ...common, kind: 'unlock', stage: 'done', decidedAt: 4 },
  'a connection that waits': { ...connection, stage: 'waiting' },
  'a connection that is ready': { ...connection, stage: 'ready', digest: '0xd1' },
  'a connection that is approved': { ...connection, stage: 'approved', digest: '0xd1', chosen, decidedAt: 4 },
  'a connection that is over': { ...connection, stage: 'closed', digest: '0xd1', chosen, decidedAt: 4 },
  'a request that waits': { ...request, stage: 'waiting', review, reviewedAt: 3 },
  'a request that could not be prepared': { ...request, stage: 'unavailable', review, reviewedAt: 3 },
  'a request that needs a choice': { ...request, kind: 'standing', stage: 'choosing', review, reviewedAt: 3 },
  'a request that is ready': { ...request, ...prepared, stage: 'ready' },
  'a request that is approved': { ...request, ...prepared, stage: 'approved', decidedAt: 4, rule: 'one' },
  'a request that is over': { ...request, ...prepared, stage: 'done', decidedAt: 4, rule: 'one', submissionId: 's' },
};

/**
 * Texts and reviews are made by the wallet, intents and drafts read by their operation: all of it
 * is kept as it is.
 */
const AS_IT_IS = ['problem', 'again.why', 'first.review', 'next.params', 'intent', 'draft.body', 'draft.shown'];
const OPTIONAL = [
  ...['idempotencyKey', 'problem', 'left', 'withdrawn', 'again', 'switchTo', 'answers', 'next', 'account', 'intent'],
  ...[
    'connectedFirst',
    'choice',
    'first',
    'byHand',
    'copies',
    'copiesFor',
    'signedBefore',
    'idJump',
    'rule',
    'submissionId',
  ],
];
/** What only some stages can do without. */
const absentIn = (name: string, key: string): boolean => {
  if (name.startsWith('a request')) {
    if (key === 'account') return false;
    if (name.endsWith('over'))
      return ['draft', 'review', 'reviewedAt', 'digest', 'decidedAt'].includes(key) || OPTIONAL.includes(key);
    if (!/ready|approved/.test(name) && ['review', 'reviewedAt'].includes(key)) return true;
  }
  if (name.endsWith('over') && ['digest', 'chosen', 'decidedAt'].includes(key)) return true;
  return OPTIONAL.includes(key);
};

type Tree = Readonly<Record<string, unknown>>;
const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Every place of a value below which nothing is kept as it is. */
const placesIn = (value: Tree, above = ''): string[] =>
  Object.entries(value).flatMap(([key, below]) => {
    const place = above + key;
    if (AS_IT_IS.includes(place)) return [];
    return [place, ...(isTree(below) && place !== 'review' ? placesIn(below, `${place}.`) : [])];
  });

const at = (value: unknown, [key = '', ...rest]: readonly string[]): unknown =>
  rest.length === 0 ? (value as Tree)[key] : at((value as Tree)[key], rest);
/** The same with another value in one place; with none when it is absent. */
const withAt = (value: Tree, [key = '', ...rest]: readonly string[], other?: unknown): Tree => {
  const { [key]: old, ...others } = value;
  if (rest.length > 0) return { ...others, [key]: withAt(old as Tree, rest, other) };
  return other === undefined ? others : { ...others, [key]: other };
};
/** Values that no place takes in which `value` stands. */
const wrongFor = (value: unknown): unknown[] => {
  if (typeof value === 'number') return ['1', null];
  if (typeof value === 'string') return [1, null];
  if (typeof value === 'boolean') return ['true', 0];
  if (Array.isArray(value)) return [[1], 'text', { 0: value[0] }];
  return ['text', 1, null];
};

/** A schema that cannot be made fails each test by name, not the file. */
async function schema() {
  const { storedApproval } = await import('../../src/background/approvals/store/storedApproval.ts');
  return {
    isStored: (value: unknown): boolean => storedApproval(value).safeParse(value).success,
    parse: (value: unknown): StoredApproval => storedApproval(value).parse(value),
  };
}

describe.each(Object.keys(forms))('%s', (name) => {
  const form = () => forms[name] as Tree;

  test('is read whole', async () => {
    const { parse } = await schema();
    expect(parse(form())).toEqual(form());
  });

  test('is not read with anything of another type', async () => {
    const { isStored } = await schema();
    const taken = placesIn(form()).flatMap((place) =>
      wrongFor(at(form(), place.split('.'))).flatMap((wrong) =>
        isStored(withAt(form(), place.split('.'), wrong)) ? [`${place}: ${JSON.stringify(wrong)}`] : [],
      ),
    );
    // Whether a signature has an end is a fact of its own.
    expect(taken.filter((one) => one !== 'signedBefore.validUntil: null')).toEqual([]);
  });

  test('is read without what may be absent, and not without the rest', async () => {
    const { isStored } = await schema();
    const absent = placesIn(form()).filter((place) => isStored(withAt(form(), place.split('.'))));
    expect(absent.sort()).toEqual(
      Object.keys(form())
        .filter((key) => absentIn(name, key) && !AS_IT_IS.includes(key))
        .sort(),
    );
  });
});

test('nothing of another version, kind or stage is read', async () => {
  const { isStored } = await schema();
  for (const form of Object.values(forms))
    for (const other of [{ version: 2 }, { kind: 'other' }, { stage: 'other' }, { left: false }])
      expect(isStored({ ...form, ...other })).toBe(false);
  for (const other of [{ kinds: ['everything'] }, { answers: 'accounts' }])
    expect(isStored({ ...connection, stage: 'waiting', ...other })).toBe(false);
  for (const other of [
    { connectedFirst: false },
    { byHand: false },
    { choice: { ...request.choice, kind: 'other' } },
    { stage: 'done', draft: { body: 1 } },
  ])
    expect(isStored({ ...request, stage: 'waiting', ...other })).toBe(false);
});

test('a chosen key is derived or random', async () => {
  const { isStored } = await schema();
  for (const kind of ['derived', 'random'])
    expect(isStored({ ...request, stage: 'waiting', choice: { ...request.choice, kind } })).toBe(true);
});

test('an unlock is decided by nobody, and a connection prepared of nothing', async () => {
  const { isStored } = await schema();
  for (const stage of ['ready', 'approved', 'choosing'])
    expect(isStored({ ...common, kind: 'unlock', stage })).toBe(false);
  for (const stage of ['unavailable', 'choosing']) expect(isStored({ ...connection, stage })).toBe(false);
});
