import { describe, expect, test } from 'vitest';
import {
  cursorSchema,
  historySchema,
  ruleSchema,
  slotEntrySchema,
  slotTokens,
  submissionDraftSchema,
  submissionErrorSchema,
  submissionRecordSchema,
  watchSchema,
  wireSchema,
} from '../../src/journal/record.ts';

const MOST_UINT32 = 0xffff_ffff;
const MOST_UINT16 = 0xffff;
const longest = 'x'.repeat(512);

const draft = {
  networkId: 'local',
  accountId: MOST_UINT32,
  origin: longest,
  requestId: 'request-1',
  operation: 'submitOrder',
  draft: { sellToken: { tokenId: 1, volume: '1000' }, list: [null, true, 1.5] },
  reviewDigest: '0xd16e57',
};
const slot = { tokenId: MOST_UINT16, parity: 'offchain', storageId: MOST_UINT32, alsoOf: 0 };
const wire = { endpoint: 'submitOrder', query: { a: 'b', c: 1, d: true }, bodyText: '', signature: '0x1' };
const error = { code: 102_007, name: 'ERR', message: 'm'.repeat(2_000), outcome: 'refused' };
const history = [{ state: 'approved', at: 1.5, note: '' }];
const record = {
  ...{ version: 3, id: 'one', seq: 1, ...draft, state: 'approved', history },
  ...{ slot, rule: 'rule-1', copy: 1, sends: 0, hash: '0xab', wire, ack: { status: 'processing' }, error },
  ...{ shown: { price: '1' }, reviewedAt: 0, validUntil: MOST_UINT32, publicKey: { x: '0x1', y: '0x2' } },
};
const rule = {
  version: 1,
  limits: { sold: '9'.repeat(78) },
  rate: { most: 1_000, perMs: 1 },
  expiresAt: 1.5,
  amounts: { sold: '0' },
  count: 0,
  times: [1.5],
  seenAt: 2.5,
  closed: false,
};
const cursor = { version: 2, next: MOST_UINT32 + 2, foreign: { turn: 0, slots: [0] } };
const slotEntry = { version: 1, highest: MOST_UINT32, open: [''], heldUntil: MOST_UINT32 };

const schemas = {
  draft: submissionDraftSchema,
  wire: wireSchema,
  error: submissionErrorSchema,
  history: historySchema,
  record: submissionRecordSchema,
  rule: ruleSchema,
  cursor: cursorSchema,
  slotEntry: slotEntrySchema,
  watch: watchSchema,
};
type Name = keyof typeof schemas;
const whole: Readonly<Record<Name, object>> = {
  ...{ draft, wire, error, history, record, rule, cursor, slotEntry },
  watch: { id: longest, lookedAt: 1.5 },
};
const parse = (name: Name, value: unknown) => schemas[name]().safeParse(value);

test.each(Object.keys(schemas) as Name[])('a whole %s is read as it is', (name) => {
  expect(parse(name, whole[name])).toEqual({ success: true, data: whole[name] });
});

test.each([
  ['draft', {}],
  ['wire', { endpoint: 'getAccount' }],
  ['error', { code: 'timeout', message: '' }],
  ['cursor', { version: 2, next: 0 }],
  ['slotEntry', { version: 1, highest: 0, open: [] }],
  ['rule', { ...rule, limits: {}, rate: { most: 1, perMs: 1 }, amounts: {}, times: [] }],
  ['record', { version: 3, id: 'one', seq: 1, ...draft, state: 'approved', history }],
] as const)('a %s has these parts at least', (name, least) => {
  const value = name === 'draft' ? draft : least;
  expect(parse(name, value)).toEqual({ success: true, data: value });
  for (const part of Object.keys(value)) {
    const { [part]: _, ...rest } = value as Record<string, unknown>;
    expect([part, parse(name, rest).success]).toEqual([part, false]);
  }
});

/** Values of one part that are refused. */
const refused: Readonly<Partial<Record<Name, Readonly<Record<string, readonly unknown[]>>>>> = {
  draft: {
    networkId: ['', `${longest}x`, 1],
    accountId: [-1, 1.5, MOST_UINT32 + 1, '1'],
    origin: ['', `${longest}x`],
    requestId: [''],
    operation: [''],
    draft: [undefined, Number.NaN, () => 1, 1n],
    shown: [() => 1],
    reviewDigest: [''],
    reviewedAt: [-1, MOST_UINT32 + 1],
    publicKey: [{ x: '0x1' }, { y: '0x1' }, { x: '', y: '0x1' }, { x: '0x1', y: '0x1', z: '0x1' }],
    validUntil: [-1, MOST_UINT32 + 1],
    another: [1],
  },
  wire: { endpoint: [''], query: [{ a: null }, 'a=b'], bodyText: [1], signature: [1], another: [1] },
  error: {
    code: [1.5, ''],
    name: [''],
    message: [`${error.message}m`, 1],
    outcome: ['sent'],
    another: [1],
  },
  record: {
    version: [0, 4, '3'],
    id: [''],
    seq: [0, 1.5],
    accountId: [-1],
    state: ['done'],
    slot: [{ tokenId: 1, parity: 'order' }],
    rule: [''],
    copy: [0, 1.5],
    sends: [-1, 1.5],
    hash: [''],
    wire: [{}],
    error: [{}],
    history: [[], undefined],
    another: [1],
  },
  rule: {
    version: [0, 2],
    limits: [{ sold: '' }, { sold: '-1' }, { sold: '9'.repeat(79) }, { sold: ' 1' }, { sold: '1 ' }, { sold: 1 }],
    amounts: [{ sold: 'x' }],
    rate: [
      { most: 0, perMs: 1 },
      { most: 1_001, perMs: 1 },
      { most: 1.5, perMs: 1 },
      { most: 1, perMs: 0 },
      { most: 1, perMs: 1.5 },
      { most: 1, perMs: 1, another: 1 },
    ],
    expiresAt: ['1'],
    count: [-1, 1.5],
    times: [['1']],
    seenAt: ['1'],
    closed: [0],
    another: [1],
  },
  cursor: {
    version: [0, 3],
    next: [-1, 1.5, MOST_UINT32 + 3],
    foreign: [
      { turn: 0 },
      { slots: [] },
      { turn: -1, slots: [] },
      { turn: 1.5, slots: [] },
      { turn: 0, slots: [-1] },
      { turn: 0, slots: [1.5] },
      { turn: 0, slots: [], another: 1 },
    ],
    another: [1],
  },
  slotEntry: { version: [0, 2], highest: [-1], open: [[1]], heldUntil: [-1], another: [1] },
  watch: { id: ['', undefined], lookedAt: ['1', undefined], another: [1] },
};

test.each(
  Object.entries(refused).flatMap(([name, parts]) =>
    Object.entries(parts).map(([part, values]) => [name as Name, part, values] as const),
  ),
)('a %s is refused for its %s', (name, part, values) => {
  for (const value of values)
    expect([value, parse(name, { ...whole[name], [part]: value }).error?.issues[0]?.path[0] ?? part]).toEqual([
      value,
      part,
    ]);
  expect(values.filter((value) => parse(name, { ...whole[name], [part]: value }).success)).toEqual([]);
});

test.each([
  { tokenId: -1 },
  { tokenId: MOST_UINT16 + 1 },
  { tokenId: 1.5 },
  { parity: 'both' },
  { storageId: -1 },
  { storageId: MOST_UINT32 + 1 },
  { alsoOf: -1 },
  { alsoOf: MOST_UINT16 + 1 },
  { alsoOf: 1.5 },
  { another: 1 },
])('a record is refused for its slot with %o', (change) => {
  expect(parse('record', { ...record, slot: { ...slot, ...change } }).success).toBe(false);
});

test.each([{ state: 'done' }, { at: '1' }, { note: 1 }, { another: 1 }])('a history is refused for %o', (change) => {
  expect(parse('history', [{ ...history[0], ...change }]).success).toBe(false);
});

test('a record has an answer of the relayer that is nested thousands of levels deep', () => {
  const ack: unknown = JSON.parse(`${'['.repeat(3_000)}${']'.repeat(3_000)}`);
  expect(parse('record', { ...record, ack }).success).toBe(true);
});

test.each(['order', 'offchain'])('a slot has the parity “%s”', (parity) => {
  expect(parse('record', { ...record, slot: { ...slot, parity } }).success).toBe(true);
});

test.each(['not-sent', 'refused', 'unknown'])('an error tells the outcome “%s”', (outcome) => {
  expect(parse('error', { ...error, outcome }).success).toBe(true);
});

describe('an earlier form', () => {
  test.each([1, 2])('of a record, version %i, is read as the newest', (version) => {
    expect(parse('record', { ...record, version }).data).toEqual(record);
  });

  test('of a cursor is read as the newest', () => {
    expect(parse('cursor', { version: 1, next: 4 }).data).toEqual({ version: 2, next: 4 });
  });

  test('has to be whole as well', () => {
    expect(parse('record', { ...record, version: 1, id: '' }).success).toBe(false);
    expect(parse('cursor', { version: 1 }).success).toBe(false);
  });
});

test('an id belongs to the storage of its token, and of a second one where there is one', () => {
  expect(slotTokens({ tokenId: 1 })).toEqual([1]);
  expect(slotTokens({ tokenId: 1, alsoOf: 0 })).toEqual([1, 0]);
});
