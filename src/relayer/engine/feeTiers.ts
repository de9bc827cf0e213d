import { DEFAULT_TIER } from '../market.ts';
import type { Relayer } from './relayer.ts';

/** Rates in ten-thousandths, and what a request pays of its usual fee, in hundredths. */
export interface Tier {
  readonly name: string;
  readonly makerBips: number;
  readonly takerBips: number;
  readonly requestShare: number;
}

/** Every tier, that of everybody else first. */
export function tiersOf({ catalog: { fees }, config: { makerBips, takerBips } }: Relayer): Tier[] {
  return [
    { name: DEFAULT_TIER, makerBips, takerBips, requestShare: 100 },
    ...Object.entries(fees.tiers).map(([name, tier]) => ({
      name,
      makerBips: tier.makerBips,
      takerBips: tier.takerBips,
      requestShare: 100 - tier.requestDiscount,
    })),
  ];
}

export function tierOf(relayer: Relayer, owner: string): Tier {
  const name = relayer.catalog.fees.accounts[owner.toLowerCase()] ?? DEFAULT_TIER;
  const tier = tiersOf(relayer).find((candidate) => candidate.name === name);
  if (!tier) throw new Error(`tier ${name} is missing in the database`);
  return tier;
}

/** The rate of orders for the NFTs of a contract, ten-thousandths. */
export const nftBipsOf = ({ catalog, config }: Relayer, tokenAddress: string): number =>
  catalog.fees.collections[tokenAddress.toLowerCase()] ?? config.nftBips;
