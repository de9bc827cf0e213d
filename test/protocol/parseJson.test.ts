import { expect, it } from 'vitest';
import { parseJson } from '../../src/protocol/parseJson.ts';

it('a text that is no JSON is none, and no error quotes it', () => {
  expect(parseJson('{"a":[1]}')).toEqual({ a: [1] });
  expect(parseJson('null')).toBeNull();
  expect(parseJson('{')).toBeUndefined();
});
