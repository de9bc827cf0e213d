import * as actions from './actions/index.ts';
import type { EventSource } from './actions/watchSubmission.ts';
import type { RelayerClient } from './ask.ts';

type Actions = typeof actions;

/** The actions without their first parameter. */
export type RelayerActions = {
  readonly [Name in keyof Actions]: Actions[Name] extends (client: RelayerClient, ...rest: infer Rest) => infer Result
    ? (...rest: Rest) => Result
    : never;
};

/** Names of actions that listen to events of the provider. */
const listening: readonly string[] = [
  'watchOrders',
  'watchSubmission',
  'watchTopic',
  'waitForSubmission',
] satisfies (keyof Actions)[];

type Action = (client: RelayerClient, parameters?: object) => unknown;

/**
 * Gives a viem client the relayer's actions as `client.relayer`. They have a name of their own
 * because the relayer's `getBlock` and `getCode` are other things than viem's.
 * @param options.provider - The wallet's provider, so that `watchOrders`, `watchSubmission`,
 *   `watchTopic` and `waitForSubmission` hear changes as soon as the wallet does.
 * @example
 * const client = createWalletClient({ transport: custom(provider) }).extend(relayerActions());
 * const balances = await client.relayer.getBalances();
 */
export function relayerActions({ provider }: { readonly provider?: EventSource | undefined } = {}) {
  return (client: RelayerClient): { readonly relayer: RelayerActions } => {
    const bound = Object.entries(actions as unknown as Record<string, Action>).map(([name, action]) => {
      const extra = provider && listening.includes(name) ? { provider } : undefined;
      return [name, (parameters?: object) => action(client, extra ? { ...extra, ...parameters } : parameters)];
    });
    return { relayer: Object.freeze(Object.fromEntries(bound)) as RelayerActions };
  };
}
