import { expect, it } from 'vitest';
import { codeOf, literal } from '../../src/demo/page/log.ts';

it('writes a short call on one line', () => {
  expect(codeOf({ method: 'eth_chainId' })).toBe("client.request({ method: 'eth_chainId' })");
});

it('writes a long call over several lines, as a program would have it', () => {
  const intent = { sellToken: { tokenId: 1, volume: '1000' }, buyToken: { tokenId: 0, volume: '65' }, validUntil: 1 };
  expect(codeOf({ method: 'relayer_submitOrder', params: [intent] })).toMatchInlineSnapshot(`
    "client.relayer.submitOrder({
      sellToken: { tokenId: 1, volume: '1000' },
      buyToken: { tokenId: 0, volume: '65' },
      validUntil: 1,
    })"
  `);
});

it.each([
  ["it's", "'it\\'s'"],
  ['a "quoted" word', `'a "quoted" word'`],
  ['line\nbreak', "'line\\nbreak'"],
  [[], '[]'],
  [{}, '{}'],
  [null, 'null'],
  [{ 'a-b': true }, "{ 'a-b': true }"],
])('writes %o as a literal that reads back to the same value', (value, text) => {
  expect(literal(value)).toBe(text);
  expect(new Function(`return (${text})`)()).toEqual(value);
});
