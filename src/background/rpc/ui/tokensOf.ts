import { type Pair, pairOf } from '../../../operations/pairOf.ts';
import type { TokenFacts } from '../../../operations/review.ts';
import type { EndpointAnswer } from '../../../protocol/index.ts';
import { tokenFacts } from '../../relayers/relayers.ts';
import type { StoredAccount } from '../../settings/storedConfig.ts';
import type { Wallet } from '../../wallet.ts';
import { networkNamed } from './named.ts';

export type Tokens = ReadonlyMap<number, TokenFacts>;

type Market = EndpointAnswer<'getMarkets'>['markets'][number];

/** Markets that have a book. */
export const traded = (markets: readonly Market[]): Market[] =>
  markets.filter(({ market, enabled }) => enabled && !market.startsWith('AMM-'));

const listedAt = async (wallet: Pick<Wallet, 'config' | 'relayers'>, account: StoredAccount) => {
  const { tokens, markets } = await wallet.relayers.facts(await networkNamed(wallet, account.networkId));
  return { tokens: tokens.map(tokenFacts), markets };
};

/** Tokens that the exchange of an account lists, by id. */
export async function tokensOf(...of: Parameters<typeof listedAt>): Promise<Tokens> {
  const { tokens } = await listedAt(...of);
  return new Map(tokens.map((token) => [token.tokenId, token]));
}

/** Tokens of each market that the exchange of an account lists, by its name. */
export async function pairsOf(...of: Parameters<typeof listedAt>): Promise<(market: string) => Pair<TokenFacts>> {
  const { tokens, markets } = await listedAt(...of);
  return (market) => pairOf(market, markets, tokens);
}
