import { beforeEach, expect, test } from 'vitest';
import { accountRecords } from '../../src/background/keys/keyRecords.ts';
import { forgetNetwork } from '../../src/background/rpc/ui/networkRemoval.ts';
import { checkRemovable, endRights, endSubmissions, removeListed } from '../../src/background/rpc/ui/removal.ts';
import { signerHandlers } from '../../src/background/rpc/ui/signers.ts';
import { createConfig } from '../../src/background/settings/config.ts';
import { OWNED } from '../../src/background/settings/storedKeys.ts';
import type { SubmissionRecord } from '../../src/journal/index.ts';
import { keysOf } from '../../src/storage/ownedKeys.ts';
import { createFaultyArea } from '../support/faultyArea.ts';
import { createPromiseLock } from '../support/promiseLock.ts';
import { account, createApprovalStage, NOW_MS, network, OTHER, SITE } from './approvalStage.ts';

let stage: ReturnType<typeof createApprovalStage>;
/** What was asked about at the relayer before the account goes. */
let lookedUp: string[];
/** What the relayer says of its clock, milliseconds; 0 counts as no clock. */
let relayerClock: number;
beforeEach(() => {
  stage = createApprovalStage();
  [lookedUp, relayerClock] = [[], 0];
});

const end = () =>
  endSubmissions(
    {
      journal: stage.journal,
      ports: { now: () => stage.clock.ms },
      relayers: { client: () => ({ getTimestamp: async () => ({ timestamp: relayerClock }) }) },
      stagedKeys: { list: async () => [] },
      config: { network: async () => network },
      submissions: {
        checkOpen: async (isMeant: (record: SubmissionRecord) => boolean) => {
          lookedUp = (await stage.journal.pending()).filter(isMeant).map(({ id }) => id);
        },
      },
    } as never,
    account,
    true,
  );

const HOUR_MS = 3_600_000;
const states = async () =>
  Object.fromEntries((await stage.journal.everything()).records.map(({ id, state }) => [id, state]));

/** Of another account at the same exchange, and of the same number at another one. */
const ofOthers = async () => [
  (await stage.sign({ accountId: account.accountId + 1, requestId: 'second' })).id,
  (await stage.sign({ networkId: 'elsewhere', requestId: 'elsewhere' })).id,
];

test('what other accounts signed neither keeps an account nor ends with it', async () => {
  const others = await ofOthers();
  await end();
  const own = (await stage.sign()).id;
  await expect(end()).rejects.toMatchObject({ code: 'work-pending', values: { count: '1' } });
  stage.clock.ms += HOUR_MS;
  relayerClock = stage.clock.ms;
  await end();
  expect(lookedUp).toEqual([own]);
  expect(await states()).toEqual({ [others[0] ?? '']: 'signed', [others[1] ?? '']: 'signed', [own]: 'expired' });
});

test('what was never signed is abandoned, and what was signed has expired', async () => {
  const draft = { networkId: network.id, accountId: account.accountId, origin: SITE, operation: 'transfer' };
  const reserved = await stage.journal.reserve({
    ...{ ...draft, requestId: 'r', draft: {}, reviewDigest: '0xd1', validUntil: NOW_MS / 1000 },
  });
  const signed = await stage.sign();
  stage.clock.ms += HOUR_MS;
  await end();
  expect(await states()).toEqual({ [reserved.id]: 'abandoned', [signed.id]: 'expired' });
});

const STAGED = 'pending-eddsa:0x1';

/** A configuration as it is stored; `steps` hears of its locks, and what it writes and removes. */
async function storedConfig(lists: object, steps: unknown[] = []) {
  const { area } = createFaultyArea();
  const local = {
    ...area,
    async set(values: Record<string, unknown>) {
      steps.push(['set', Object.keys(values)]);
      await area.set(values);
    },
    async remove(keys: string[]) {
      steps.push(['remove', [...keys]]);
      await area.remove(keys);
    },
  };
  const alone = createPromiseLock();
  const config = createConfig(local, createFaultyArea().area, (name, work) =>
    alone(name, async () => {
      steps.push(['lock', name]);
      return work().finally(() => steps.push(['released', name]));
    }),
  );
  await config.update((data) => ({ ...data, ...lists }));
  steps.length = 0;
  return config;
}

test.each(['accounts', 'claimed'] as const)(
  'an account of the %s goes with the keys that wait for it, and the name that they are found by goes last',
  async (list) => {
    const steps: unknown[] = [];
    const other = { ...account, id: 'net:7' };
    const config = await storedConfig({ [list]: [account, other] }, steps);
    await removeListed(
      {
        stagedKeys: { recordsOf: async () => [STAGED] },
        vault: { apply: async ({ remove }: { remove: string[] }) => steps.push(['vault', remove]) },
        config,
      } as never,
      account.id,
    );
    expect(steps).toEqual([
      ['vault', [...accountRecords(account.id), STAGED]],
      ['lock', OWNED],
      ['lock', 'config'],
      ['remove', keysOf('account', account.id)],
      ['set', ['config']],
      ['released', 'config'],
      ['released', OWNED],
    ]);
    expect((await config.read())[list]).toEqual([other]);
  },
);

test('keys that wait for an account do not count as what the vault holds besides it', async () => {
  const own = [...accountRecords(account.id), STAGED].map((id) => ({ id }));
  const check = (secrets: object[]) =>
    checkRemovable(
      {
        stagedKeys: { recordsOf: async () => [STAGED] },
        vault: { isUnlocked: async () => true, listSecrets: async () => secrets },
      } as never,
      account.id,
    );
  await expect(check(own)).rejects.toMatchObject({ code: 'empty-overwrite' });
  await check([...own, { id: 'l1:other' }]);
  await check([]);
});

test('a signer is not removed when all else that the vault holds are keys that wait for its accounts', async () => {
  const released: unknown[] = [];
  const remove = signerHandlers.removeSigner(
    {
      config: { read: async () => ({ claimed: [{ ...account, signer: 'one' }] }) },
      l1Signer: { recordsOf: async () => ['l1:one'], remove: async () => released.push('signer') },
      stagedKeys: { recordsOf: async (of: string) => (of === account.id ? [STAGED] : []) },
      vault: {
        checkPassword: async () => {},
        isUnlocked: async () => true,
        listSecrets: async () => [{ id: 'l1:one' }, { id: STAGED }],
      },
      keyUpdate: { releaseClaims: async () => released.push('claims') },
    } as never,
    { signer: 'one', password: 'correct' } as never,
  );
  await expect(remove).rejects.toMatchObject({ code: 'empty-overwrite' });
  expect(released).toEqual([]);
});

test.each(['accounts', 'claimed'])(
  'a network stays for one of its %s that came while the relayer was asked',
  async (list) => {
    const other = { ...network, id: 'other' };
    const steps: unknown[] = [];
    const config = await storedConfig({ networks: [network, other], [list]: [account] }, steps);
    const forgotten: string[] = [];
    const forget = (networkId: string) =>
      forgetNetwork(
        {
          keyUpdate: { releaseClaims: async () => 0, discardAbandoned: async () => {} },
          config,
          relayers: { forget: (of: string) => forgotten.push(of) },
          contacts: { removeAll: async (of: string) => forgotten.push(of) },
        } as never,
        networkId,
      );
    await expect(forget(network.id)).rejects.toMatchObject({ code: 'network-in-use', values: { count: '1' } });
    expect([forgotten, (await config.read()).networks]).toEqual([[], [network, other]]);
    steps.length = 0;
    await forget(other.id);
    expect([forgotten, (await config.read()).networks]).toEqual([[other.id, other.id], [network]]);
    // What is pinned of the exchange stays for the network that leads to it too.
    expect(steps).toContainEqual(['remove', keysOf('network', other.id)]);
  },
);

test('an account is taken from its sites, with all that is asked and the standing approvals for it, and no other is', async () => {
  const ended: unknown[] = [];
  const standing = [
    { id: 'own', origin: SITE, account: account.id },
    { id: 'other', origin: SITE, account: 'net:7' },
  ];
  await endRights(
    {
      grants: {
        list: async () => [
          { origin: SITE, grants: [{ account: 'net:7' }, { account: account.id }] },
          { origin: OTHER, grants: [{ account: 'net:7' }] },
        ],
        revokeAccount: async (...of: unknown[]) => ended.push(['revoked', ...of]),
      },
      rights: { changed: async (origin: string) => ended.push(['told', origin]) },
      approvals: {
        unsettled: async () => [{ id: 'q1', account: account.id }, { id: 'q2', account: 'net:7' }, { id: 'q3' }],
      },
      closing: { close: async (id: string) => ended.push(['closed', id]) },
      standing: {
        end: async (isMeant: (one: object) => boolean, reason: string) => {
          ended.push([reason, ...standing.filter(isMeant).map(({ id }) => id)]);
          return [];
        },
      },
      ports: {},
    } as never,
    account.id,
  );
  expect(ended).toEqual([
    ['revoked', SITE, account.id],
    ['told', SITE],
    ['closed', 'q1'],
    ['account', 'own'],
  ]);
});
