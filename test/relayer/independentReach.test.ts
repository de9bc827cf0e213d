import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { endpoints } from '../../src/protocol/index.ts';

it('the independent implementation drives every endpoint that changes something', () => {
  const text = readFileSync(join(import.meta.dirname, 'independent/operations.ts'), 'utf8');
  const driven = new Set([...text.matchAll(/'(\/api\/v3\/[A-Za-z/]+)'/g)].map(([, path]) => path));
  const changing = Object.values(endpoints).filter(
    ({ method, resend, signature }) => signature !== 'none' || (method !== 'GET' && resend !== 'repeat'),
  );
  expect(changing.filter(({ path }) => !driven.has(path)).map(({ name }) => name)).toEqual([]);
});
