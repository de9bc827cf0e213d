import type { Account, Address, Chain, Client, Transport } from 'viem';
import { ParameterError, toActionError } from './errors.ts';

/**
 * Any viem client over the wallet's provider, wagmi's connector clients included. Calls that name
 * no account are about the client's own; the watchers poll at its `pollingInterval`.
 */
export type RelayerClient = Client<Transport, Chain | undefined, Account | undefined>;

type Request = (
  request: { method: string; params?: readonly unknown[] },
  options: { retryCount: number },
) => Promise<unknown>;

/** Amounts travel as decimal text. */
export function onTheWire(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (Array.isArray(value)) return value.map(onTheWire);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, onTheWire(item)]));
}

/** Parameters with a cycle or a getter that throws: nothing was sent. */
export const unreadable = (error: unknown) => new ParameterError('params: not JSON', error);

/**
 * One call of the wallet. viem's retries are off: viem repeats a request that failed inside, and a
 * repeated order is a second approval request to the user.
 * @throws {RelayerActionError}
 */
export async function ask<Answer>(
  client: RelayerClient,
  method: `relayer_${string}`,
  parameters?: object,
  signs = false,
): Promise<Answer> {
  const request = client.request as unknown as Request;
  let sent: unknown;
  try {
    sent = onTheWire(parameters);
  } catch (error) {
    throw unreadable(error);
  }
  try {
    return (await request({ method, ...(parameters && { params: [sent] }) }, { retryCount: 0 })) as Answer;
  } catch (error) {
    throw toActionError(error, signs);
  }
}

/** A call about an account: the named one, else the client's, else the first that the site sees. */
export function askFor<Answer>(
  client: RelayerClient,
  method: `relayer_${string}`,
  parameters: { readonly account?: Address | undefined } = {},
  signs = false,
): Promise<Answer> {
  const account = parameters.account ?? client.account?.address;
  return ask(client, method, account === undefined ? parameters : { ...parameters, account }, signs);
}
