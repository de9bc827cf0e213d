import { parseEther } from 'viem';
import type { MarketMakerOptions } from './marketMaker.ts';

/**
 * Quotes LRC for ETH, at most 500 orders on each side, for a day at most: ten levels that are
 * renewed every ten minutes use them up in some eight hours. Add the wallet's `provider` and the
 * `relayerUrl`.
 */
export function lrcEth(): Omit<MarketMakerOptions, 'provider' | 'relayerUrl'> {
  const rate = { requests: 1_000, seconds: 60 };
  const validUntil = Math.floor(Date.now() / 1000) + 86_400;
  const sale = parseEther('100');
  const purchase = parseEther('0.0067');
  return {
    market: 'LRC-ETH',
    price: '0.0000667',
    levels: 10,
    spreadBips: 20,
    stepBips: 10,
    leanBips: 1,
    limits: {
      SELL: { minPrice: '0.00006', orderVolume: sale, totalVolume: 500n * sale, rate, validUntil },
      BUY: { maxPrice: '0.000073', orderVolume: purchase, totalVolume: 500n * purchase, rate, validUntil },
    },
  };
}
