import type { ClientRequest, RelayerClient } from '../../client/index.ts';
import type { NetworkView } from '../../messaging/views.ts';
import type { ReadInput, Reads } from '../../operations/reads.ts';
import { type EndpointAnswer, type EndpointName, endpoints, type RelayerErrorName } from '../../protocol/index.ts';
import type { Ports } from '../ports.ts';
import type { StoredAccount } from '../settings/storedConfig.ts';
import { type ApiKeys, KeyAbsent } from './apiKeys.ts';
import { offSchema, type Relayers, refusedWith } from './relayers.ts';

export interface ReadsDeps {
  readonly relayers: Relayers;
  readonly accountKeys: ApiKeys;
  readonly ports: Pick<Ports, 'now'>;
  /** Told each time that the relayer is asked. */
  readonly asking?: (() => void) | undefined;
}

/** Missing or unknown key, bad account, missing or wrong signature of the log-in. */
const NO_API_KEY: readonly RelayerErrorName[] = [
  'API_KEY_EMPTY',
  'API_KEY_INVALID',
  'API_ACCOUNT_INVALID',
  'SIGNATURE_MISSING',
  'SIGNATURE_WRONG',
];

/**
 * Whose behalf a read is on: what the user waits for goes first, and a site gets only its share of
 * the rate limit.
 */
export type ReadPurpose = Pick<ClientRequest<EndpointName>, 'priority' | 'origin'>;

/** Endpoints that change nothing and answer without a request signature. */
export const isReadEndpoint = (name: EndpointName): boolean =>
  endpoints[name].resend === 'repeat' && endpoints[name].signature === 'none';

/**
 * An answer that names an account has to name the one that was asked for.
 * @throws {RelayerClientError} `off-schema`
 */
function ofAccount<Answer>(endpoint: EndpointName, asked: unknown, answer: Answer): Answer {
  const rows: readonly unknown[] = Array.isArray(answer) ? answer : [answer];
  const isOther = (row: unknown) => {
    const { accountId = asked } = (row ?? {}) as { readonly accountId?: unknown };
    return accountId !== asked;
  };
  if (asked === undefined || !rows.some(isOther)) return answer;
  throw offSchema(endpoint, 'accountId', `${endpoint} answered for another account than ${String(asked)}`);
}

/** Reads whose answer is about one address, not about the exchange. */
const aboutAddress: readonly EndpointName[] = ['getAccount', 'getCounterFactualInfo', 'getBalanceProof'];

/**
 * Reads of which everybody gets the same answer: market data and what the exchange says about
 * itself.
 */
export const isPublicRead = (name: EndpointName): boolean =>
  isReadEndpoint(name) && endpoints[name].apiKey === 'none' && !aboutAddress.includes(name);

/** Public reads at a relayer, for somebody without an account. */
export function publicReadsFor(
  network: NetworkView,
  relayers: Relayers,
  purpose: ReadPurpose = {},
): Pick<Reads, 'read'> {
  const client = relayers.client(network);
  return {
    async read<N extends EndpointName>(name: N, input: ReadInput<N>): Promise<EndpointAnswer<N>> {
      if (!isPublicRead(name)) throw new Error(`${name} is not public`);
      return (client[name] as RelayerClient[N])({ ...input, ...purpose } as ClientRequest<N>);
    },
  };
}

/** Reads of one account at its relayer. The API key is added inside and goes nowhere else. */
export function readsFor(
  account: StoredAccount,
  network: NetworkView,
  { relayers, accountKeys, ports, asking }: ReadsDeps,
  purpose: ReadPurpose = {},
): Reads {
  const client = relayers.client(network);

  async function read<N extends EndpointName>(name: N, input: ReadInput<N>): Promise<EndpointAnswer<N>> {
    const { accountId } = (input.query ?? {}) as { readonly accountId?: unknown };
    return ofAccount(name, accountId, await ask(name, input));
  }

  async function ask<N extends EndpointName>(name: N, input: ReadInput<N>): Promise<EndpointAnswer<N>> {
    if (!isReadEndpoint(name)) throw new Error(`${name} is not a read`);
    asking?.();
    const call = client[name] as RelayerClient[N];
    const request = { ...input, ...purpose } as ClientRequest<N>;
    if (endpoints[name].apiKey === 'none') return call(request);
    const answer = accountKeys.withApiKey(account, network, (apiKey) => call({ ...request, apiKey }));
    if (endpoints[name].apiKey === 'required') return answer;
    // An account whose registered key is another one gets no API key, one without a key asks for
    // none, and has to know the fee of its next key.
    return answer.catch((error: unknown) => {
      if (!(error instanceof KeyAbsent) && !refusedWith(error, ...NO_API_KEY)) throw error;
      return call(request);
    });
  }

  return {
    get now() {
      return Math.floor(ports.now() / 1000);
    },
    read,
    async find(name, input, refusals) {
      try {
        return await read(name, input);
      } catch (error) {
        if (refusedWith(error, ...refusals)) return null;
        throw error;
      }
    },
  };
}
