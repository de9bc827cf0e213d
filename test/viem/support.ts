import { createWalletClient, custom } from 'viem';
import { expect } from 'vitest';
import type { PermissionKind } from '../../src/messaging/views.ts';
import type { RunningRelayer } from '../../src/relayer/createRelayer.ts';
import { RelayerActionError, relayerActions } from '../../src/viem/index.ts';
import { movableClock, question, SITE, setUp } from '../background/support.ts';
import { harnessProvider } from '../support/harnessProvider.ts';
import type { WalletHarness } from '../support/wallet.ts';

/** A viem client of a connected page, over the real background and relayer. */
export async function stageOf(
  relayer: RunningRelayer,
  { kinds = [], fetchWith }: { kinds?: PermissionKind[]; fetchWith?: typeof fetch } = {},
) {
  const clock = movableClock();
  const { ports, connect: connectTo, listenersOf } = harnessProvider(SITE);
  const made = await setUp(relayer, { ...ports, now: clock.now, ...(fetchWith ? { fetch: fetchWith } : {}) }, kinds);
  const provider = connectTo(made.wallet);
  const client = createWalletClient({ transport: custom(provider), pollingInterval: 20 }).extend(relayerActions());
  return { ...made, clock, provider, listenersOf, client };
}

/** Approves what waits, as the user does in its window. */
export async function approve(wallet: WalletHarness, proof: { readonly password?: string } = {}) {
  const view = await question(wallet);
  const accounts = view.connect?.accounts.map(({ id }) => id);
  const choice = accounts ? { account: null, accounts } : { account: view.account?.id ?? null };
  await wallet.ui('approve', { id: view.id, digest: view.digest ?? '', ...choice, ...proof });
}

/** The error of a request that must fail. */
export const errorOf = async (request: Promise<unknown>): Promise<RelayerActionError> => {
  const error = await request.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(RelayerActionError);
  return error as RelayerActionError;
};
