import type { TokenFacts } from '../../../operations/review.ts';
import { tokenFacts } from '../../relayers/relayers.ts';
import type { StoredAccount } from '../../settings/storedConfig.ts';
import type { Wallet } from '../../wallet.ts';
import { networkNamed } from './named.ts';

export type Tokens = ReadonlyMap<number, TokenFacts>;

/** Tokens that the exchange of an account lists, by id. */
export async function tokensOf(wallet: Pick<Wallet, 'config' | 'relayers'>, account: StoredAccount): Promise<Tokens> {
  const { tokens } = await wallet.relayers.facts(await networkNamed(wallet, account.networkId));
  return new Map(tokens.map((token) => [token.tokenId, tokenFacts(token)]));
}
