import { pool } from '../../src/protocol/examples.ts';
import { type Answers, feeAnswer } from './facts.ts';

/**
 * The pool of LRC (token 1) and ETH (token 0), which holds 1,000,000 and 10,000 base units for
 * 1,000 LP tokens.
 */
export const POOL = pool;
export const NAME = 'AMM-LRC-ETH';

export const listed = (changes: object = {}) => ({
  name: NAME,
  market: 'LRC-ETH',
  address: POOL,
  version: '1.0.0',
  tokens: { pooled: [1, 0], lp: 100 },
  feeBips: 20,
  ...changes,
});

export const amounts = (lrc: string, eth: string) => [
  { tokenId: 1, volume: lrc },
  { tokenId: 0, volume: eth },
];

export const holding = (pooled: readonly object[], lp = '1000') => ({
  poolName: NAME,
  poolAddress: POOL,
  pooled,
  lp: { tokenId: 100, volume: lp },
  risky: false,
});

export const poolAnswers = (
  changes: object = {},
  pooled: readonly object[] = amounts('1000000', '10000'),
): Answers => ({
  getAmmPools: () => ({ pools: [listed(changes)] }),
  getOffchainFee: () => feeAnswer({ ETH: '3', LRC: '4' }),
  getAmmBalance: () => holding(pooled),
});
