import { readdirSync, readFileSync } from 'node:fs';
import { setMany, type UseStore } from 'idb-keyval';
import { describe, expect, test } from 'vitest';
import { readPins } from '../../src/background/relayers/tokenPins.ts';
import { exchangeId } from '../../src/background/settings/exchangeId.ts';
import { type StoredValue, storedValues } from '../../src/storage/storedValues.ts';
import { storedValueOf } from '../support/storedValueOf.ts';
import { createWalletHarness } from '../support/wallet.ts';

type Entries = readonly [string | readonly (string | number)[], unknown][];

/** What `keepProfile.ts` keeps. */
interface Profile {
  /** Unix milliseconds. */
  readonly at: number;
  readonly password: string;
  readonly local: Readonly<Record<string, unknown>>;
  readonly copy: Readonly<Record<string, unknown>>;
  readonly vault: Entries;
  readonly journal: Entries;
  readonly requests: Entries;
}

const read = (path: string) => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));
const filesOf = (folder: string): string[] =>
  readdirSync(new URL(folder, import.meta.url)).map((name) => folder + name);
const profiles: readonly [string, Profile][] = filesOf('./profiles/').map((path) => [path, read(path)]);

describe('kept samples of what is stored', () => {
  type Sample = readonly [StoredValue['store'], unknown, unknown];
  const samplesIn = (store: StoredValue['store'], entries: Entries): Sample[] =>
    entries.map(([key, value]) => [store, key, value]);
  const images = filesOf('../vault/versions/').map(read);
  const samples: Sample[] = [
    ...profiles.flatMap(([, profile]) => [
      ...samplesIn('local', Object.entries(profile.local)),
      ...samplesIn('copy', Object.entries(profile.copy)),
      ...(['vault', 'journal', 'requests'] as const).flatMap((store) => samplesIn(store, profile[store])),
    ]),
    ...samplesIn('local', Object.entries(read('../background/storedForms/1.json'))),
    ...samplesIn('requests', read('../background/storedForms/requests-1.json')),
    ...samplesIn('journal', read('../journal/storedForms/1.json')),
    ...samplesIn('journal', read('../journal/storedForms/3.json')),
    ...images.flatMap((image): Sample[] => [
      ['vault', 'vault:a', image],
      ['copy', 'vault:a', image],
    ]),
  ];

  /**
   * The version that a value names: of the first one in a list, and of an image inside its
   * envelope.
   */
  function versionOf(value: unknown): unknown {
    const { text, version } = ((Array.isArray(value) ? value[0] : value) ?? {}) as { text?: string; version?: number };
    return text === undefined ? version : JSON.parse(text).version;
  }

  const versions = new Map<StoredValue, Set<unknown>>();
  for (const [store, key, value] of samples) {
    const row = storedValueOf(store, String(Array.isArray(key) ? key[0] : key));
    if (row) versions.set(row, (versions.get(row) ?? new Set()).add(versionOf(value)));
  }

  test('are there of every key, and of every version of it', () => {
    const missing = storedValues.flatMap((row) => {
      // The browser empties it when it updates the extension; pages read the fields they know.
      if (row.store === 'session' || row.store === 'page') return [];
      const own = versions.get(row);
      const wanted = row.version === null ? [] : Array.from({ length: row.version }, (_, index) => index + 1);
      const lacking = own === undefined ? ['any'] : wanted.filter((version) => !own.has(version));
      return lacking.map((version) => `${row.store} ${row.key}, version ${version}`);
    });
    expect(missing).toEqual([
      // Kept as it was found, and read by nothing.
      'local config:unread, version any',
      // The word `true` alone.
      'local wiping, version any',
      // A sentence of the review, a day after its approval was decided.
      'requests sentence:, version any',
    ]);
  });
});

describe.each(profiles)('the wallet reads %s', (_path, profile) => {
  test('whole, and fails at nothing', async () => {
    const wallet = createWalletHarness({
      now: () => profile.at,
      // Nothing answers here, and what waits for an answer fails at nothing.
      fetch: () => new Promise(() => {}),
    });
    await wallet.ports.local.set(profile.local);
    await wallet.ports.copy.set(profile.copy);
    const fill = (store: UseStore, entries: Entries) => setMany(entries as [IDBValidKey, unknown][], store);
    await fill(wallet.ports.vaultStore, profile.vault);
    await fill(wallet.ports.journalStore, profile.journal);
    await fill(wallet.ports.requestStore, profile.requests);
    wallet.restart();
    await wallet.ui('unlock', { password: profile.password });

    const { config, contacts, standing, sites } = profile.local as Record<string, readonly { id?: string }[]> & {
      config: { accounts: readonly { id: string; label: string }[]; networks: readonly { id: string }[] };
    };
    const state = await wallet.ui('getState', {});
    expect(state.accounts.map(({ id, label }) => ({ id, label }))).toEqual(
      config.accounts.map(({ id, label }) => ({ id, label })),
    );
    expect(state.networks).toHaveLength(config.networks.length);
    const account = config.accounts[0]?.id ?? '';
    expect(await wallet.ui('listContacts', { networkId: state.networks[0]?.id ?? '' })).toHaveLength(
      contacts?.length ?? 0,
    );
    expect(await wallet.ui('listSites', {})).toHaveLength(sites?.length ?? 0);
    const { wallet: parts } = wallet.background();
    expect((await parts.standing.list()).map(({ id }) => id)).toEqual(standing?.map(({ id }) => id));
    expect((await wallet.ui('recoverSecrets', { password: profile.password })).length).toBeGreaterThan(1);

    const idsOf = (entries: Entries, kind: string) =>
      entries.flatMap(([key, value]) =>
        (Array.isArray(key) ? key[0] === kind : String(key).startsWith(kind)) ? [(value as { id: string }).id] : [],
      );
    // What was pinned counts for the exchange, under whatever URL its relayer is reached.
    const local = wallet.kept().local;
    for (const network of state.networks) {
      const [earlier, now] = [profile.local[`pins:${network.id}`], local[`pins:${exchangeId(network)}`]];
      expect(readPins(now)).toEqual(readPins(earlier ?? now));
      expect(readPins(now).size).toBeGreaterThan(0);
    }

    const submissions = idsOf(profile.journal, 'submission');
    expect((await parts.journal.list()).map(({ id }) => id).sort()).toEqual(submissions.sort());
    expect(await parts.journal.watched()).toHaveLength(idsOf(profile.journal, 'watch').length);
    for (const id of idsOf(profile.requests, 'ended:').concat(idsOf(profile.requests, 'approval:')))
      expect(await parts.approvals.get(id)).toMatchObject({ id });

    // Shown from what is stored.
    for (const method of ['getHistory', 'getOrders', 'getNfts', 'getPools', 'getPrices'] as const)
      expect(await wallet.ui(method, { account, refresh: false }), method).toMatchObject({ at: expect.any(Number) });
    expect((await wallet.ui('getHome', { refresh: false })).balances.length).toBeGreaterThan(0);
    expect(await wallet.ui('getBalanceProofs', { account })).toMatchObject({ offered: 'yes' });

    // What a configuration has and its reader does not take is kept apart at the next change.
    await wallet.ui('setSettings', { lockAfterMinutes: 30 });
    expect(wallet.kept().local).not.toHaveProperty('config:unread');
    expect(await wallet.ui('getFailures', {})).toEqual([]);
  });
});
