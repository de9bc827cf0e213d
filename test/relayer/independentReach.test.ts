import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { endpoints } from '../../src/protocol/index.ts';

it('the independent implementation drives every endpoint that changes something', () => {
  const text = readFileSync(join(import.meta.dirname, 'independent/operations.ts'), 'utf8');
  const calls = text.matchAll(/(?:'(GET|POST|PUT|DELETE)', )?'(\/api\/v3\/[A-Za-z/]+)'/g);
  // The helpers that name no method send a POST.
  const driven = new Set(Array.from(calls, ([, method = 'POST', path]) => `${method} ${path}`));
  const changing = Object.values(endpoints).filter(
    ({ method, resend, signature }) => signature !== 'none' || (method !== 'GET' && resend !== 'repeat'),
  );
  expect(changing.filter(({ method, path }) => !driven.has(`${method} ${path}`)).map(({ name }) => name)).toEqual([]);
});
