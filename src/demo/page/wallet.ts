import { createWalletClient, custom, type EIP1193Provider } from 'viem';
import { relayerActions } from '../../viem/index.ts';

/** An order, as `relayer_submitOrder` takes it. */
export interface OrderIntent {
  readonly sellToken: { readonly tokenId: number; readonly volume: string };
  readonly buyToken: { readonly tokenId: number; readonly volume: string };
  /** Unix seconds. */
  readonly validUntil: number;
  readonly orderType: string;
}

export interface Call {
  readonly method: string;
  readonly params?: readonly unknown[];
}

export interface Connection {
  request(call: Call): Promise<unknown>;
  /** Waits for the final status of one of this page's requests. */
  settled(requestId: string): Promise<string>;
}

/**
 * A viem wallet client on a discovered provider. Retries are off: viem would repeat a request that
 * failed with -32603, and a repeated order is a second approval request to the user.
 */
export function connectTo(provider: EIP1193Provider): Connection {
  const client = createWalletClient({ transport: custom(provider, { retryCount: 0 }) }).extend(
    relayerActions({ provider }),
  );
  const actions = client.relayer as unknown as Readonly<Record<string, (parameters?: unknown) => Promise<unknown>>>;
  return {
    request({ method, params }) {
      const action = method.startsWith('relayer_') ? actions[method.slice('relayer_'.length)] : undefined;
      return action ? action(params?.[0]) : client.request({ method, params } as never);
    },
    settled: (requestId) => client.relayer.waitForSubmission({ requestId }),
  };
}

/** A wallet's rejection, out of viem's wrapping. */
export interface WalletError {
  readonly code: number | null;
  readonly message: string;
  readonly data?: unknown;
}

/** Finds the wallet's own error: the innermost cause that carries a numeric code. */
export function walletError(error: unknown): WalletError {
  let found: WalletError = { code: null, message: error instanceof Error ? error.message : String(error) };
  let current: unknown = error;
  while (typeof current === 'object' && current !== null) {
    const { code, message, data, cause } = current as Record<string, unknown>;
    if (typeof code === 'number')
      found = { code, message: typeof message === 'string' ? message : '', ...(data === undefined ? {} : { data }) };
    current = cause;
  }
  return found;
}

/** A refusal as the page shows it. */
export function refusalSentence(error: unknown): string {
  const { code, message } = walletError(error);
  return code === null ? message : `The wallet answered: ${message} (${code})`;
}
