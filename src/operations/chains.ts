import type { Value } from './review.ts';

/** Chain that the texts mean by its name. */
const ETHEREUM = 1;

/** Facts of a request that arrives on the exchange's chain; earlier versions did not name it. */
export interface OnChain {
  readonly chainId?: number;
}

export const isElsewhere = ({ chainId = ETHEREUM }: OnChain): boolean => chainId !== ETHEREUM;

/** A chain by its name, or else by its id. */
export const chainValue = ({ chainId = ETHEREUM }: OnChain): Value => ({
  kind: 'text',
  text: isElsewhere({ chainId }) ? String(chainId) : 'Ethereum',
});
