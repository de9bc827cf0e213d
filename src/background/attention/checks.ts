import { RelayerClientError } from '../../client/index.ts';
import { once } from '../../protocol/once.ts';
import { z } from '../../protocol/zod.ts';
import { reportedAs } from '../../report/report.ts';
import { registeredKey } from '../keys/deriveKey.ts';
import { hexPoint } from '../keys/stagedKeys.ts';
import { ownAccount } from '../relayers/accountOfOwner.ts';
import type { Wallet } from '../wallet.ts';

const keyCheckOf = (account: string) => `key-check:${account}`;

/** The relayer's last answer about an account's key. */
const keyCheck = once(() =>
  z.object({
    at: z.number(),
    /**
     * `null`: the relayer did not answer; `none`: it has no key; `unknown`: no such account, or one
     * of another owner.
     */
    registered: z.union([z.null(), z.literal(['none', 'unknown']), z.object({ x: z.string(), y: z.string() })]),
    /**
     * How far the clock of the relayer is behind that of this machine, milliseconds; `null`: it did
     * not answer.
     */
    lagMs: z._default(z.nullable(z.number()), null),
  }),
);

/**
 * `undefined` for a request that found no room in this wallet's own queue: the relayer was not
 * asked.
 */
const unanswered = (error: unknown): null | undefined =>
  error instanceof RelayerClientError && error.queueFreeInMs !== undefined
    ? undefined
    : reportedAs('attention: ask the relayer', null)(error);

/** Asks the relayers which keys they have; public facts, so the wallet may be locked. */
export async function checkKeys({
  config,
  relayers,
  ports,
}: Pick<Wallet, 'config' | 'relayers' | 'ports'>): Promise<void> {
  const { accounts, networks } = await config.read();
  const lags = new Map<string, Promise<number | null | undefined>>();
  await Promise.all(
    accounts.map(async (account) => {
      const network = networks.find(({ id }) => id === account.networkId);
      if (!network) return;
      const client = relayers.client(network);
      const registered = await ownAccount(client, account, { priority: 'poll' })
        .then((found) => {
          if (!found) return 'unknown' as const;
          const key = registeredKey(found);
          return key ? hexPoint(key) : ('none' as const);
        })
        .catch(unanswered);
      const askLag = () =>
        client.getTimestamp({ priority: 'poll' }).then(({ timestamp }) => Math.max(0, ports.now() - timestamp));
      lags.set(network.id, lags.get(network.id) ?? askLag().catch(unanswered));
      const lagMs = await lags.get(network.id);
      if (registered !== undefined && lagMs !== undefined)
        await ports.local.set({ [keyCheckOf(account.id)]: { at: ports.now(), registered, lagMs } });
    }),
  );
}

/**
 * Does one piece of work at a time. Calls during a run share the next one, because each expects
 * what is found after it was made.
 */
export function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let last: Promise<unknown> = Promise.resolve();
  let next: Promise<void> | undefined;
  return () => {
    next ??= last.then(() => {
      next = undefined;
      return work();
    });
    last = next.catch(() => {});
    return next;
  };
}

/** Reads again the tokens of the networks; the list follows what is stored of them. */
export async function checkTokens(wallet: Pick<Wallet, 'config' | 'relayers'>): Promise<void> {
  await Promise.all((await wallet.config.read()).networks.map((network) => wallet.relayers.tokenChanges(network)));
}

export const lastCheck = async ({ ports }: Pick<Wallet, 'ports'>, account: string) =>
  keyCheck().safeParse(await ports.local.get(keyCheckOf(account))).data;
