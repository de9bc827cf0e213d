import { expect, it } from 'vitest';
import { tokens } from '../../src/demo/page/tokens.ts';
import { developmentMarket } from '../../src/relayer/market.ts';

it('lists tokens as the development relayer has them', () => {
  const listed = developmentMarket.tokens.map(({ tokenId, symbol, decimals }) => ({ tokenId, symbol, decimals }));
  for (const token of tokens) expect(listed).toContainEqual(token);
});
