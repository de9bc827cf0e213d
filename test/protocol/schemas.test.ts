import { describe, expect, it } from 'vitest';
import { z } from 'zod/mini';
import { type Endpoint, type EndpointName, endpoints } from '../../src/protocol/index.ts';
import { answers, bodies, queries } from './samples.ts';

type Path = (string | number)[];
type Json = Record<string, unknown>;

const definitionOf = (name: string): Endpoint => endpoints[name as EndpointName];

/** Paths of all members inside a sample: of objects by key, of lists by their first element. */
function paths(value: unknown, prefix: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [];
  const keys: (string | number)[] = Array.isArray(value) ? [0] : Object.keys(value);
  return keys.flatMap((key) => [[...prefix, key], ...paths((value as Json)[key], [...prefix, key])]);
}

/** A copy with the member at the path changed; `undefined` removes it. */
function changed(sample: unknown, path: Path, value: unknown): unknown {
  const copy = structuredClone(sample);
  const parent = path.slice(0, -1).reduce<Json>((inner, key) => inner[key] as Json, copy as Json);
  const key = path[path.length - 1] as string;
  if (value === undefined) delete parent[key];
  else parent[key] = value;
  return copy;
}

/** The JSON schema at a path of a sample. */
function schemaAt(schema: z.ZodMiniType, io: 'input' | 'output', path: Path): Json | undefined {
  let inner: Json | undefined = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json;
  for (const key of path)
    inner = typeof key === 'number' ? (inner?.items as Json) : (inner?.properties as Record<string, Json>)?.[key];
  return inner;
}

function isRequired(schema: z.ZodMiniType, io: 'input' | 'output', path: Path): boolean {
  const parent = schemaAt(schema, io, path.slice(0, -1));
  return ((parent?.required as string[]) ?? []).includes(path[path.length - 1] as string);
}

const mistyped = Symbol('a value of no JSON type that a field has');
const wrongType = (value: unknown) => (typeof value === 'object' ? 'text' : { [mistyped.description as string]: 1 });

describe.each(Object.keys(bodies) as (keyof typeof bodies)[])('body of %s', (name) => {
  const { body } = definitionOf(name);
  const sample = bodies[name];

  it('is read without loss', () => {
    expect(body.parse(sample)).toEqual(sample);
  });

  it.each(paths(sample).filter((path) => typeof path.at(-1) === 'string'))('is strict about %s', (...path: Path) => {
    const without = body.safeParse(changed(sample, path, undefined));
    expect(without.success).toBe(!isRequired(body, 'input', path));
    if (!without.success) expect(without.error.issues.map((issue) => issue.path)).toContainEqual(path);
    const bad = body.safeParse(
      changed(sample, path, wrongType(path.reduce<unknown>((v, k) => (v as Json)[k], sample))),
    );
    expect(bad.success).toBe(false);
    expect(bad.error?.issues.some((issue) => path.every((key, index) => issue.path[index] === key))).toBe(true);
  });

  it('refuses an unknown field at every level, by name', () => {
    const objects = [[], ...paths(sample)].filter((path) => {
      const value = path.reduce<unknown>((inner, key) => (inner as Json)[key], sample);
      return typeof value === 'object' && !Array.isArray(value);
    });
    for (const path of objects) {
      const result = body.safeParse(changed(sample, [...path, 'surprise'], 1));
      expect(result.success).toBe(false);
      expect(JSON.stringify(result.error?.issues)).toContain('surprise');
    }
  });

  it('says what each field means', () => {
    for (const path of paths(sample).filter((p) => typeof p.at(-1) === 'string')) {
      const schema = schemaAt(body, 'input', path);
      const meaning = schema?.description ?? (schema?.properties || schema?.anyOf ? 'of its members' : undefined);
      expect(meaning, path.join('.')).toBeDefined();
    }
  });
});

describe.each(Object.keys(queries) as (keyof typeof queries)[])('query of %s', (name) => {
  const { query } = definitionOf(name);
  const sample: Json = queries[name];
  const asText = Object.fromEntries(Object.entries(sample).map(([key, value]) => [key, String(value)]));

  it('is the same from values and from the texts of a URL', () => {
    expect(query.parse(asText)).toEqual(query.parse(sample));
    expect(query.parse(sample)).toEqual(sample);
  });

  it('refuses an unknown parameter', () => {
    expect(query.safeParse({ ...asText, surprise: '1' }).error?.issues[0]).toMatchObject({
      code: 'unrecognized_keys',
      keys: ['surprise'],
    });
  });

  it.each(Object.keys(sample))('refuses a malformed %s', (key) => {
    const result = query.safeParse({ ...asText, [key]: {} });
    expect(result.error?.issues.map((issue) => issue.path[0])).toContain(key);
  });
});

/** Other relayers answer these in forms of their own, each of which is taken. */
const ofAnyForm: readonly EndpointName[] = ['cancelOrdersByHash', 'cancelOrdersByClientOrderId'];

describe.each(Object.keys(answers) as EndpointName[])('answer of %s', (name) => {
  const { answer } = definitionOf(name);
  const sample: unknown = answers[name];

  it('is read without loss, with unknown extra fields at every level', () => {
    expect(answer.parse(sample)).toEqual(sample);
    for (const path of [[], ...paths(sample)]) {
      const value = path.reduce<unknown>((inner, key) => (inner as Json)[key], sample);
      if (typeof value !== 'object' || Array.isArray(value)) continue;
      const extended = changed(sample, [...path, 'surprise'], { more: [1] });
      expect(answer.parse(extended)).toEqual(extended);
    }
  });

  it('is refused when a required field is missing or any field has another type, except where any form is taken', () => {
    const fields = paths(sample).filter((path) => typeof path.at(-1) === 'string');
    for (const path of fields) {
      const value = path.reduce<unknown>((inner, key) => (inner as Json)[key], sample);
      if (isRequired(answer, 'output', path))
        expect(answer.safeParse(changed(sample, path, undefined)).success, `without ${path.join('.')}`).toBe(false);
      expect(answer.safeParse(changed(sample, path, wrongType(value))).success, `mistyped ${path.join('.')}`).toBe(
        ofAnyForm.includes(name),
      );
    }
  });

  it('is not a refusal body, except where nothing is required of it', () => {
    expect(answer.safeParse({ resultInfo: { code: 100000, message: '' } }).success).toBe(
      ['getStorageId', 'getOrderUserRateAmount', 'getNftOrderFee', ...ofAnyForm].includes(name),
    );
  });
});

describe('required fields of answers', () => {
  it('are those of the document', () => {
    const required = (name: EndpointName, path: Path = []) =>
      schemaAt(definitionOf(name).answer, 'output', path)?.required;
    expect(required('submitOrder')).toEqual(['hash', 'clientOrderId', 'status', 'isIdempotent']);
    expect(required('submitWithdrawal')).toEqual(['hash', 'status', 'isIdempotent']);
    expect(required('getBalances', [0])).toEqual(['tokenId', 'total', 'locked', 'pending']);
    expect(required('getStorageId')).toBeUndefined();
    expect(required('getBlock')).toEqual([
      'blockId',
      'blockSize',
      'exchange',
      'txHash',
      'status',
      'createdAt',
      'transactions',
    ]);
    expect(required('getBlock', ['transactions', 0])).toEqual(['txType']);
    expect(required('getNftData')).toEqual([
      'nftData',
      'minter',
      'nftType',
      'tokenAddress',
      'nftId',
      'creatorFeeBips',
      'status',
    ]);
  });
});

it('takes the hashes that older clients name in a deployment, also without leading zeros', () => {
  const { transfer, ...rest } = bodies.deployTokenAddress;
  const named = { ...rest, transfer: { ...transfer, eddsaHash: '0x1a', ecdsaHash: '0x2b' } };
  expect(endpoints.deployTokenAddress.body.safeParse(named).error).toBeUndefined();
});

describe('meaning of fields', () => {
  const nameless = (schema: Json | undefined, path: string): string[] => [
    ...Object.entries((schema?.properties as Record<string, Json>) ?? {}).flatMap(([key, field]) => [
      ...(field.description ? [] : [`${path}.${key}`]),
      ...nameless(field, `${path}.${key}`),
    ]),
    ...(schema?.items ? nameless(schema.items as Json, `${path}[]`) : []),
  ];

  it.each(Object.values<Endpoint>(endpoints).map((definition) => [definition.name, definition] as const))(
    '%s explains every field of query, body and answer',
    (_name, { query, body, answer }) => {
      expect(nameless(schemaAt(query, 'input', []), 'query')).toEqual([]);
      expect(nameless(schemaAt(body, 'input', []), 'body')).toEqual([]);
      expect(nameless(schemaAt(answer, 'output', []), 'answer')).toEqual([]);
    },
  );
});
