import { describe, expect, it } from 'vitest';
import { described } from '../../src/protocol/described.ts';
import { endpoint } from '../../src/protocol/endpoint.ts';
import { once } from '../../src/protocol/once.ts';
import { z } from '../../src/protocol/zod.ts';

describe('once', () => {
  it('builds at the first call and not again', () => {
    let built = 0;
    const text = once(() => {
      built++;
      return z.string().check(z.minLength(1));
    });
    expect(built).toBe(0);
    expect(text().parse('x')).toBe('x');
    expect(text().safeParse('').success).toBe(false);
    expect(text()).toBe(text());
    expect(built).toBe(1);
  });

  it('builds again after a build that threw', () => {
    let tries = 0;
    const text = once(() => {
      tries++;
      if (tries === 1) throw new Error('not yet');
      return z.string();
    });
    expect(text).toThrow('not yet');
    expect(text().parse('x')).toBe('x');
  });
});

describe('described', () => {
  it('appears in JSON schemas with its own meaning or the one that it got where it is used', () => {
    const text = once(() => described(z.string(), 'general'));
    const object = z.strictObject({ plain: text(), own: described(text(), 'special'), maybe: z.optional(text()) });
    expect(z.toJSONSchema(object).properties).toEqual({
      plain: { type: 'string', description: 'general' },
      own: { type: 'string', description: 'special' },
      maybe: { type: 'string', description: 'general' },
    });
    const transforming = once(() => described(z.pipe(z.string(), z.transform(Number)), 'a number'));
    const both = z.strictObject({ a: transforming(), b: transforming() });
    expect(z.toJSONSchema(both, { io: 'input' }).properties).toEqual({
      a: { type: 'string', description: 'a number' },
      b: { type: 'string', description: 'a number' },
    });
  });

  it('leaves the schema as it is without a meaning', () => {
    const text = z.string();
    expect(described(text, undefined)).toBe(text);
  });
});

describe('the texts of issues', () => {
  it.each<[string, z.ZodMiniType, unknown]>([
    ['is missing', z.string(), undefined],
    ['is not a text', z.string(), 1],
    ['is not a whole number', z.int(), 1.5],
    ['is not a list', z.array(z.string()), {}],
    ['is not bigint', z.bigint(), 1],
    ['has fewer than 2 characters', z.string().check(z.minLength(2)), 'a'],
    ['has more than 1 entries', z.array(z.int()).check(z.maxLength(1)), [1, 2]],
    ['is less than 2', z.number().check(z.gte(2)), 1],
    ['is not more than 2', z.number().check(z.gt(2)), 2],
    ['is more than 2', z.number().check(z.lte(2)), 3],
    ['is not less than 2', z.number().check(z.lt(2)), 2],
    ['is not a multiple of 2', z.number().check(z.multipleOf(2)), 3],
    ['is not 1', z.literal(1), 2],
    ['is not one of "a", "b"', z.enum(['a', 'b']), 'c'],
    ['unknown field "a", "b"', z.strictObject({}), { a: 1, b: 2 }],
    ['has no valid form', z.union([z.string(), z.int()]), null],
    ['has no a', z.string().check(z.regex(/a/, 'has no a')), 'b'],
  ])('say that a value “%s”', (message, schema, input) => {
    expect(schema.safeParse(input).error?.issues.map((issue) => issue.message)).toEqual([message]);
  });
});

describe('endpoint', () => {
  it('builds each schema when it is first read, and keeps it', () => {
    const built: string[] = [];
    const made = (name: string) => () => {
      built.push(name);
      return z.strictObject({});
    };
    const sample = endpoint({
      method: 'GET',
      path: '/api/v3/sample',
      summary: 'Sample',
      apiKey: 'none',
      signature: 'none',
      requestsPerSecond: null,
      resend: 'repeat',
      errorCodes: [],
      query: made('query'),
      body: made('body'),
      answer: made('answer'),
    });
    expect(built).toEqual([]);
    expect(sample.query).toBe(sample.query);
    expect(built).toEqual(['query']);
    expect([sample.body, sample.answer]).toHaveLength(2);
    expect(built).toEqual(['query', 'body', 'answer']);
  });
});
