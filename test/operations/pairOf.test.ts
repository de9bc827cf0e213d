import { expect, test } from 'vitest';
import { pairOf } from '../../src/operations/pairOf.ts';
import { token } from './facts.ts';

const [eth, usdc, bridged] = [token(0, 'ETH', 18), token(4, 'USDC', 6), token(3, '#3 USDC-E', 18)];
const markets = [
  { market: 'ETH-USDC', baseTokenId: 0, quoteTokenId: 4 },
  { market: 'ETH-USDC-E', baseTokenId: 0, quoteTokenId: 3 },
  { market: 'AMM-USDC-ETH', baseTokenId: 4, quoteTokenId: 0 },
  { market: 'ETH-GONE', baseTokenId: 0, quoteTokenId: 9 },
];

test.each([
  ['ETH-USDC', eth, usdc],
  ['ETH-USDC-E', eth, bridged],
  ['AMM-ETH-USDC-E', eth, bridged],
  ['USDC-ETH', usdc, eth],
  ['ETH-GONE', eth, null],
  ['USDC-USDC-E', null, null],
  ['ETH-', null, null],
  ['', null, null],
  ['NFT-USDC-E', null, bridged],
  ['NFT-NONE', null, null],
])('the tokens of %j', (name, base, quote) => {
  expect(pairOf(name, markets, [eth, usdc, bridged])).toEqual({ base, quote });
});
