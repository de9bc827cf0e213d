import { patientClient } from './patientClient.ts';

interface Place {
  readonly url: string;
}

/**
 * Calls a development helper of a relayer.
 * @throws {Error} The relayer refuses.
 */
export async function dev<T>({ url }: Place, route: string, body: object = {}): Promise<T> {
  const answer = await fetch(`${url}/dev/${route}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${route}: ${answer.status} ${await answer.text()}`);
  return answer.json() as Promise<T>;
}

/** Gives an owner one ETH, and an account when it has none; the account has no key yet. */
export const fund = (relayer: Place, owner: string) =>
  dev(relayer, 'faucet', { owner, tokens: [{ symbol: 'ETH', amount: '1000000000000000000' }] });

/** Token id of the share of the pool LRC-ETH. */
export const LP = 100;

export async function lrcEthPool({ url }: Place): Promise<string> {
  const { pools } = await patientClient(url).getAmmPools({});
  return pools.find(({ tokens }) => tokens.lp === LP)?.address ?? '';
}

/**
 * Puts LRC and ETH of an owner into their pool.
 * @param amounts - Of both, base units; 15,000 LRC and one ETH when absent.
 * @returns The pool's address.
 */
export async function joinLrcEth(
  relayer: Place,
  owner: string,
  amounts: readonly [lrc: bigint, eth: bigint] = [15_000n * 10n ** 18n, 10n ** 18n],
): Promise<string> {
  const poolAddress = await lrcEthPool(relayer);
  await dev(relayer, 'ammJoin', { owner, poolAddress, amounts: amounts.map(String) });
  return poolAddress;
}
