import { RelayerClientError } from '../../client/index.ts';
import { once } from '../../protocol/once.ts';
import { z } from '../../protocol/zod.ts';
import { metElsewhere, reportedAs } from '../../report/report.ts';
import { registeredKey } from '../keys/deriveKey.ts';
import { hexPoint } from '../keys/stagedKeys.ts';
import type { Ports } from '../ports.ts';
import { ownAccount } from '../relayers/accountOfOwner.ts';
import type { Config } from '../settings/config.ts';
import type { StoredAccount } from '../settings/storedConfig.ts';
import type { Wallet } from '../wallet.ts';

const keyCheckOf = (account: string) => `key-check:${account}`;

/** The relayer's last answer about an account's key. */
const keyCheck = once(() =>
  z.object({
    /** `x` of the key that the wallet held then; absent in checks of earlier versions. */
    held: z.optional(z.string()),
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

/** Asks a relayer which keys it has; public facts, so the wallet may be locked. */
export async function checkKeys(
  { config, relayers, ports }: Pick<Wallet, 'config' | 'relayers' | 'ports'>,
  networkId: string,
): Promise<void> {
  const { accounts, claimed, networks } = await config.read();
  const network = networks.find(({ id }) => id === networkId);
  const own = [...accounts, ...claimed].filter((account) => account.networkId === networkId);
  if (!network || own.length === 0) return;
  const client = relayers.client(network);
  const lagMs = await client
    .getTimestamp({ priority: 'poll' })
    .then(({ timestamp }) => Math.max(0, ports.now() - timestamp))
    .catch(unanswered);
  const keyOf = async (account: StoredAccount) => {
    const found = await ownAccount(client, account, { priority: 'poll' });
    if (!found) return 'unknown' as const;
    const key = registeredKey(found);
    return key ? hexPoint(key) : ('none' as const);
  };
  let unansweredInARow = lagMs === null ? 1 : 0;
  // One after another: what is asked at once finds no room in the queue, beyond a hundred. An
  // exchange that is away is not asked about each.
  for (const account of own) {
    const registered = unansweredInARow >= 2 ? null : await keyOf(account).catch(unanswered);
    unansweredInARow = registered === null ? unansweredInARow + 1 : 0;
    if (registered !== undefined && lagMs !== undefined)
      await ports.local.set({ [keyCheckOf(account.id)]: { held: account.publicKey.x, registered, lagMs } });
  }
}

/**
 * Does one piece of work at a time. Calls during a run share the next one, because each expects
 * what is found after it was made.
 */
function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let last: Promise<unknown> = Promise.resolve();
  let next: Promise<void> | undefined;
  return () => {
    next ??= last.then(() => {
      next = undefined;
      return work();
    });
    last = next.catch(metElsewhere);
    return next;
  };
}

/** Reads again the tokens of a network; the list follows what is stored of them. */
export async function checkTokens({ config, relayers }: Pick<Wallet, 'config' | 'relayers'>, networkId: string) {
  const network = await config.network(networkId);
  if (network) await relayers.tokenChanges(network);
}

/**
 * Compares each network with its relayer, one comparison of each at a time, so that a slow relayer
 * holds up those of no other. Our pages read the list anew as each ends.
 * @param compare - Compares the network of an id.
 */
export function compareEach(
  { config, ports }: { readonly config: Pick<Config, 'read'>; readonly ports: Pick<Ports, 'toUi'> },
  compare: (networkId: string) => Promise<void>,
): () => Promise<void> {
  const runs = new Map<string, () => Promise<void>>();
  return async () => {
    const { networks } = await config.read();
    const compareOne = async (id: string) => {
      const run = runs.get(id) ?? oneAtATime(() => compare(id));
      runs.set(id, run);
      await run();
      if (networks.length > 1) ports.toUi();
    };
    await Promise.all(networks.map(({ id }) => compareOne(id)));
  };
}

export const lastCheck = async ({ ports }: Pick<Wallet, 'ports'>, account: string) =>
  keyCheck().safeParse(await ports.local.get(keyCheckOf(account))).data;
