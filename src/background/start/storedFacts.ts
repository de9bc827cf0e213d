import type { AccountView, NetworkView, Settings, SiteView } from '../../messaging/views.ts';
import { holdsVault } from '../../vault/imagePlaces.ts';
import { databaseArea } from '../../vault/keyValueArea.ts';
import { createSession } from '../../vault/session.ts';
import type { ConfigData } from '../config.ts';
import { initialConfig } from '../initialConfig.ts';
import { openQuestions } from '../openQuestions.ts';
import type { Ports } from '../ports.ts';
import { CONFIG_KEY, SITES_KEY, WIPING } from '../storedKeys.ts';
import type { Visible } from '../visibleAccounts.ts';
import type { StateSources } from '../walletState.ts';

type FieldType = 'string' | 'number' | 'boolean';
type Types<T> = Readonly<Record<keyof T, FieldType>>;

// A field that is added to these views has to be added here, or the types do not fit.
const networkTypes: Types<NetworkView> = {
  id: 'string',
  name: 'string',
  baseUrl: 'string',
  chainId: 'number',
  exchangeAddress: 'string',
};
const accountTypes: Types<Omit<AccountView, 'smart' | 'publicKey'>> = {
  id: 'string',
  networkId: 'string',
  accountId: 'number',
  owner: 'string',
  label: 'string',
};
const settingsTypes: Types<Settings> = {
  lockAfterMinutes: 'number',
  theme: 'string',
  contrast: 'string',
  language: 'string',
  ipfsGateway: 'string',
  notifications: 'boolean',
};

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

const hasFields = (value: unknown, types: Readonly<Record<string, FieldType>>): value is Record<string, unknown> =>
  isObject(value) && Object.entries(types).every(([name, type]) => typeof value[name] === type);

const isAll = (value: unknown, one: (item: unknown) => boolean): boolean => Array.isArray(value) && value.every(one);

const isPoint = (value: unknown): boolean => hasFields(value, { x: 'string', y: 'string' });

/** Written by this version, or complete all the same: nothing in it waits for a default. */
const isConfig = (value: unknown): value is ConfigData =>
  isObject(value) &&
  value.version === 1 &&
  isAll(value.networks, (network) => hasFields(network, networkTypes)) &&
  isAll(
    value.accounts,
    (account) =>
      hasFields(account, accountTypes) &&
      isPoint(account.publicKey) &&
      (account.smart === undefined || hasFields(account.smart, { kind: 'string' })),
  ) &&
  Array.isArray(value.claimed) &&
  (value.selectedAccount === null || typeof value.selectedAccount === 'string') &&
  hasFields(value.settings, settingsTypes);

const isSite = (value: unknown): boolean =>
  hasFields(value, { origin: 'string', blocked: 'boolean' }) &&
  isAll(
    value.grants,
    (grant) =>
      hasFields(grant, { account: 'string' }) && isAll(grant.kinds, (kind: unknown) => typeof kind === 'string'),
  );

const isSites = (value: unknown): value is SiteView[] => isAll(value, isSite);

/** Something stored is not as this version writes it; the schemas of the whole background decide what it is. */
export class NotPlain extends Error {
  override readonly name = 'NotPlain';
}

export type StoredFacts = Visible & StateSources;

/** Who asks while it is being read waits for that read. */
function readOnceAtATime<T>(read: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  return () => {
    running ??= read().finally(() => {
      running = undefined;
    });
    return running;
  };
}

/**
 * The stored facts that the first answers of a cold worker are made of, read without schemas. Nothing is written.
 * Every read throws `NotPlain` rather than guess.
 */
export function createStoredFacts(ports: Ports): StoredFacts {
  const { local, session, vaultStore, requestStore } = ports;
  const readConfig = async (): Promise<ConfigData> => {
    const [stored, wiping] = await Promise.all([local.get(CONFIG_KEY), local.get(WIPING)]);
    if (wiping) throw new NotPlain('a wipe goes on');
    if (stored === undefined) return initialConfig;
    if (!isConfig(stored)) throw new NotPlain('config');
    return stored;
  };
  return {
    config: { read: readConfig },
    grants: {
      async of(origin) {
        const stored = (await local.get(SITES_KEY)) ?? [];
        if (!isSites(stored)) throw new NotPlain('sites');
        return stored.find((site) => site.origin === origin);
      },
    },
    vault: {
      exists: () => holdsVault(databaseArea(vaultStore), local),
      isUnlocked: readOnceAtATime(
        async () => (await createSession(session, ports.now, ports.randomBytes).deadline()) !== undefined,
      ),
    },
    approvals: { open: readOnceAtATime(() => openQuestions(requestStore)) },
  };
}
