import { domainSeparator, type EndpointAnswer, POOL_VERSION, poolDomain } from '../protocol/index.ts';
import { everyRow, PAGE } from './everyRow.ts';
import { type Facts, IntentError } from './operation.ts';
import type { Reads } from './reads.ts';
import type { TokenFacts } from './review.ts';
import { blockOfRow, outcomeOfStatus, rowOf, type Settlement } from './settlement.ts';
import type { SubmittedRequest } from './submittedRequest.ts';
import { listedSymbol } from './tokenSymbol.ts';

export type Pool = EndpointAnswer<'getAmmPools'>['pools'][number];

/**
 * A pool as it was first seen, whose domain is the one that its own facts give; anything else would
 * sign for a contract nobody named.
 */
export async function poolAt(poolAddress: string, facts: Facts): Promise<Pool> {
  const { pools } = await facts.read('getAmmPools', {});
  const pool = pools.find(({ address }) => address.toLowerCase() === poolAddress.toLowerCase());
  if (!pool) throw new IntentError('poolAddress', 'is no pool of this exchange');
  if (pool.version !== POOL_VERSION)
    throw new IntentError('poolAddress', `has domain version ${pool.version}; only ${POOL_VERSION} can be signed`);
  const own = domainSeparator(poolDomain(facts.chainId, pool.name, pool.address));
  if (pool.domainSeparator !== undefined && BigInt(pool.domainSeparator) !== BigInt(own))
    throw new IntentError(
      'poolAddress',
      `the relayer gives it the domain separator ${pool.domainSeparator}, not ${own}`,
    );
  await facts.checkPool(pool);
  return pool;
}

/**
 * True when a pool is named after other tokens than it is listed with. The signature covers the
 * name, and of the tokens only their order.
 */
export const isNamedOtherwise = (name: string, tokens: readonly TokenFacts[]): boolean =>
  name.startsWith('AMM-') && name !== ['AMM', ...tokens.map(listedSymbol)].join('-');

/**
 * @throws {IntentError} `field` names another token than the pool has at its place; only the place
 *   is signed.
 */
export function checkPoolTokens(pool: Pool, named: readonly { readonly tokenId: number }[], field: string): void {
  for (const [index, { tokenId }] of named.entries())
    if (tokenId !== pool.tokens.pooled[index])
      throw new IntentError(
        `${field}.${index}.tokenId`,
        `is not the pool's token ${pool.tokens.pooled[index]} at this place`,
      );
}

/**
 * Reads how much a pool holds of each token, base units, found by the token and not by its place in
 * the answer.
 * @throws {IntentError} `poolAddress`: the relayer names no amount of a token.
 */
export function heldOf(
  holds: EndpointAnswer<'getAmmBalance'>,
  named: readonly { readonly tokenId: number }[],
): bigint[] {
  return named.map(({ tokenId }) => {
    const held = holds.pooled.find((one) => one.tokenId === tokenId);
    if (!held) throw new IntentError('poolAddress', `has no amount of token ${tokenId} in the relayer's answer`);
    return BigInt(held.volume);
  });
}

/**
 * Rows in which the end of a join or an exit is looked for: a relayer that has not listed it yet is
 * asked again and again, and each time for all of these.
 */
const MOST_ROWS = 500;

/** How the end of a join or an exit is found. */
export function poolSettlement(txTypes: 'join' | 'exit'): Settlement {
  async function find({ accountId, hash, body }: SubmittedRequest, reads: Reads) {
    const query = { accountId, ammPoolAddress: String(body.poolAddress), txTypes, limit: PAGE };
    const readPage = async (offset: number) => {
      const { transactions: rows, totalNum } = await reads.read('getAmmTransactions', { query: { ...query, offset } });
      return { rows, totalNum };
    };
    let seen = 0;
    for await (const row of everyRow(readPage, (one) => one.hash)) {
      if (rowOf([row], hash)) return row;
      seen += 1;
      if (seen === MOST_ROWS) break;
    }
    return undefined;
  }
  return {
    reportsHash: true,
    outcomeOf: outcomeOfStatus,
    async find(submitted, reads) {
      const row = await find(submitted, reads);
      return row ? outcomeOfStatus({ ...row, status: row.txStatus }) : null;
    },
    blocks: async (submitted, reads) => blockOfRow(await find(submitted, reads)),
  };
}
