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
  it('say what was expected and what came, though zod/mini brings none', () => {
    const issues = z.strictObject({ text: z.string().check(z.minLength(2)), count: z.int() }).safeParse({ text: 'a' });
    expect(issues.error?.issues).toMatchObject([
      { path: ['text'], message: 'Too small: expected string to have >=2 characters' },
      { path: ['count'], message: 'Invalid input: expected number, received undefined' },
    ]);
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
