import type { NetworkView } from '../../messaging/views.ts';
import { reported, reportedAs } from '../../report/report.ts';
import { frozen, type KeyValueArea } from '../../storage/area.ts';
import { isRecord, readableFields, readableOf } from '../../storage/lenient.ts';
import { keysOf } from '../../storage/ownedKeys.ts';
import { exchangeId } from './exchangeId.ts';
import {
  account,
  type ConfigData,
  configSchema,
  network,
  type StoredAccount,
  type StoredSigner,
  settings,
  signer,
} from './storedConfig.ts';
import { CONFIG_KEY, OWNED } from './storedKeys.ts';

export interface AccountOnNetwork {
  readonly account: StoredAccount;
  readonly network: NetworkView;
}

const defaultSettings: ConfigData['settings'] = {
  lockAfterMinutes: 15,
  theme: 'system',
  contrast: 'system',
  language: 'system',
  ipfsGateway: '',
  notifications: false,
  currency: 'USD',
};

/** Settings that can be read, the others by default. */
export const readableSettings = (stored: unknown): ConfigData['settings'] =>
  readableFields(settings().shape, stored, defaultSettings);

/**
 * Parses a stored configuration field by field; unreadable fields get their defaults. The selected
 * account is a listed one: the first, when the stored one is not; `null` only when none is listed.
 */
export function readableConfig(stored: unknown): ConfigData {
  const given = isRecord(stored) ? stored : {};
  const accounts = readableOf(account(), given.accounts);
  const selected = accounts.find(({ id }) => id === given.selectedAccount) ?? accounts[0];
  return {
    version: 1,
    networks: readableOf(network(), given.networks),
    signers: readableOf(signer(), given.signers),
    accounts,
    claimed: readableOf(account(), given.claimed),
    selectedAccount: selected?.id ?? null,
    ...(typeof given.restoredAt === 'number' && { restoredAt: given.restoredAt }),
    ...(given.isUndated === true && { isUndated: true }),
    settings: readableSettings(given.settings),
  };
}

/**
 * Keeps the fields that the first reader could not parse, for a newer version or a repair by hand.
 */
const UNREAD_KEY = 'config:unread';

const ownedKeys = ({ networks, accounts, claimed }: ConfigData): string[] => [
  ...networks.flatMap((network) => [...keysOf('network', network.id), ...keysOf('exchange', exchangeId(network))]),
  ...[...accounts, ...claimed].flatMap(({ id }) => keysOf('account', id)),
];

/**
 * Settings and accounts of the user; public facts only. Persisted in `local` and, because the
 * secrets of the vault cannot be used without it, a second time in `copy`.
 */
export function createConfig(
  local: KeyValueArea,
  copy: KeyValueArea,
  lock: <T>(name: string, work: () => Promise<T>) => Promise<T>,
) {
  /** As it was last found, and read from it: an area that remembers gives the same object again. */
  let whole: unknown;
  let last: { readonly found: unknown; readonly data: ConfigData } | undefined;

  /**
   * As it is stored, in whichever store has it whole; where neither has, in the first that has any.
   * @param toChange - Fails while the first store does not answer: the copy may be behind, and
   *   would be written over it.
   */
  async function stored(toChange = false): Promise<unknown> {
    let failure: { readonly error: unknown } | undefined;
    let damaged: unknown;
    for (const area of [local, copy]) {
      try {
        const found = await area.get(CONFIG_KEY);
        if (!isRecord(found)) continue;
        if (found !== whole && !configSchema().safeParse(found).success) damaged ??= found;
        else {
          whole = found;
          return found;
        }
      } catch (error) {
        if (toChange && area === local) throw error;
        failure ??= { error };
      }
    }
    // Perhaps the store that does not answer has it: nothing may be written in its place.
    if (failure && damaged === undefined) throw failure.error;
    return damaged;
  }
  async function read(): Promise<ConfigData> {
    const found = await stored();
    if (!last || last.found !== found) last = { found, data: frozen(readableConfig(found)) };
    return last.data;
  }

  async function write(next: ConfigData, before?: unknown): Promise<void> {
    const isWhole = before === undefined || configSchema().safeParse(before).success;
    await local.set({ [CONFIG_KEY]: next, ...(isWhole ? {} : { [UNREAD_KEY]: before }) });
    // The first one counts; the next change brings a copy that failed up to it.
    await copy.set({ [CONFIG_KEY]: next }).catch(reported('settings: second copy'));
  }

  const update = (change: (data: ConfigData) => ConfigData | Promise<ConfigData>) =>
    lock('config', async () => {
      const before = await stored(true);
      const next = await change(readableConfig(before));
      await write(next, before);
      return next;
    });

  /** An account, in use or claimed, and its network. */
  async function place(id: string): Promise<{ account: StoredAccount | undefined; network: NetworkView | undefined }> {
    const { accounts, claimed, networks } = await read();
    const account = [...accounts, ...claimed].find((candidate) => candidate.id === id);
    return { account, network: networks.find((network) => network.id === account?.networkId) };
  }

  return {
    read,
    /** Whether the stored configuration can be read whole; false also when none is stored. */
    isWhole: async (): Promise<boolean> => configSchema().safeParse(await stored()).success,
    /** Read, change, write, alone. */
    update,
    /** As `update`, after dropping what is kept of networks and accounts that the new one lacks. */
    cutTo: (change: (data: ConfigData) => ConfigData | Promise<ConfigData>) =>
      lock(OWNED, () =>
        update(async (data) => {
          const next = await change(data);
          const kept = ownedKeys(next);
          await local.remove(ownedKeys(data).filter((key) => !kept.includes(key)));
          return next;
        }),
      ),
    /** Takes what `read` gave in another browser. */
    replace: (data: ConfigData) => lock('config', () => write(data)),
    async network(id: string): Promise<NetworkView | undefined> {
      return (await read()).networks.find((candidate) => candidate.id === id);
    },
    async signer(id: string): Promise<StoredSigner | undefined> {
      return (await read()).signers.find((candidate) => candidate.id === id);
    },
    async account(id: string): Promise<StoredAccount | undefined> {
      return (await place(id)).account;
    },
    place,
  };
}

export type Config = ReturnType<typeof createConfig>;

/** How long an unlock lasts, milliseconds. */
export const lockAfterMs = async ({ config }: { readonly config: Config }): Promise<number> =>
  (await config.read().catch(reportedAs('settings: read', readableConfig(undefined)))).settings.lockAfterMinutes *
  60_000;
