import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { deferred } from '../../src/protocol/deferred.ts';
import { endpoint } from '../../src/protocol/endpoint.ts';

describe('deferred', () => {
  it('builds at first use and once', () => {
    let built = 0;
    const text = deferred(() => {
      built++;
      return z.string().min(1).describe('a text');
    });
    expect(built).toBe(0);
    expect(text.parse('x')).toBe('x');
    expect(text.safeParse('').success).toBe(false);
    expect(text.optional().parse(undefined)).toBeUndefined();
    expect(built).toBe(1);
  });

  it('stands for the schema as a member, as an instance and in its errors', () => {
    const text = deferred(() => z.string().min(2, 'is too short'));
    const object = z.strictObject({ text, list: z.array(text), either: z.union([text, z.int()]) });
    expect(object.parse({ text: 'ab', list: ['cd'], either: 3 })).toEqual({ text: 'ab', list: ['cd'], either: 3 });
    expect(object.safeParse({ text: 'a', list: [], either: 3 }).error?.issues).toMatchObject([
      { path: ['text'], message: 'is too short' },
    ]);
    expect(text).toBeInstanceOf(z.ZodString);
    expect('refine' in text).toBe(true);
  });

  it('appears in JSON schemas with its own meaning or the one it got where it is used', () => {
    const text = deferred(() => z.string().describe('general'));
    const object = z.strictObject({ plain: text, own: text.describe('special'), maybe: text.optional() });
    expect(z.toJSONSchema(object).properties).toEqual({
      plain: { type: 'string', description: 'general' },
      own: { type: 'string', description: 'special' },
      maybe: { type: 'string', description: 'general' },
    });
    const transforming = deferred(() => z.string().transform(Number).describe('a number'));
    expect(z.toJSONSchema(z.strictObject({ a: transforming, b: transforming }), { io: 'input' }).properties).toEqual({
      a: { type: 'string', description: 'a number' },
      b: { type: 'string', description: 'a number' },
    });
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
      name: 'sample',
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
