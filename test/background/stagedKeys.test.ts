import { expect, test, vi } from 'vitest';
import { apiKeyRecord, eddsaRecord } from '../../src/background/keys/keyRecords.ts';
import { createStagedKeys, hexPoint, isSameKey } from '../../src/background/keys/stagedKeys.ts';
import { getPublicKey } from '../../src/crypto/index.ts';
import { listenForReports } from '../../src/report/report.ts';
import { randomSecretKey } from '../relayer/support/testAccount.ts';
import { createHarness, password } from '../vault/harness.ts';

const ACCOUNT = 'network:10007';
const OTHER = 'network:10008';

async function stage() {
  const vault = createHarness().start();
  await vault.create(password);
  return { vault, stagedKeys: createStagedKeys(vault) };
}
type Stage = Awaited<ReturnType<typeof stage>>;

const idsOf = async ({ vault }: Stage) => (await vault.listSecrets()).map(({ id }) => id).sort();
const put = ({ vault }: Stage, id: string, account: string, bytes: Uint8Array) =>
  vault.putSecret({ id, account, kind: 'pending-eddsa-key' }, bytes);
const keyOf = (secretKey: Uint8Array) => hexPoint(getPublicKey(Uint8Array.from(secretKey)));
const copyOf = (bytes: Uint8Array) => Uint8Array.from(bytes);

test('keys under the names of earlier versions are found, used and promoted', async () => {
  const wallet = await stage();
  const { vault, stagedKeys } = wallet;
  const [first, second, third] = [randomSecretKey(), randomSecretKey(), randomSecretKey()];
  const update = `pending:${ACCOUNT}:${keyOf(second).x}`;
  await put(wallet, `new-key:random:${ACCOUNT}`, ACCOUNT, first);
  await put(wallet, update, ACCOUNT, second);
  await put(wallet, `new-key:imported:${OTHER}`, OTHER, third);

  // While locked nothing can be renamed, and nothing is lost.
  await vault.lock();
  expect(await stagedKeys.list()).toMatchObject([{ x: keyOf(second).x, kind: undefined }]);
  expect((await stagedKeys.recordsOf(ACCOUNT)).sort()).toEqual([`new-key:random:${ACCOUNT}`, update]);
  await vault.unlock(password);

  // Side by side, as several callers ask.
  const opened = vi.spyOn(vault, 'withSecret');
  await Promise.all([stagedKeys.list(), stagedKeys.list(ACCOUNT), stagedKeys.find(OTHER, keyOf(third).x)]);
  expect(opened).toHaveBeenCalledTimes(2);
  const found = await stagedKeys.list();
  expect(found).toHaveLength(3);
  expect(found.map(({ since: _, ...key }) => key)).toEqual(
    expect.arrayContaining([
      { id: `pending:${ACCOUNT}:${keyOf(first).x}:random`, account: ACCOUNT, x: keyOf(first).x, kind: 'random' },
      { id: update, account: ACCOUNT, x: keyOf(second).x, kind: undefined },
      { id: `pending:${OTHER}:${keyOf(third).x}:imported`, account: OTHER, x: keyOf(third).x, kind: 'imported' },
    ]),
  );
  for (const [account, secretKey] of [
    [ACCOUNT, first],
    [ACCOUNT, second],
    [OTHER, third],
  ] as const) {
    expect(await stagedKeys.holds(account, keyOf(secretKey))).toBe(true);
    expect(await stagedKeys.use(account, keyOf(secretKey).x, copyOf)).toEqual(copyOf(secretKey));
  }
  await stagedKeys.promote(ACCOUNT, keyOf(second));
  await stagedKeys.remove(ACCOUNT, keyOf(second).x);
  expect(await idsOf(wallet)).toEqual([
    `eddsa:${ACCOUNT}`,
    `pending:${ACCOUNT}:${keyOf(first).x}:random`,
    `pending:${OTHER}:${keyOf(third).x}:imported`,
  ]);

  // One that comes later, from a backup, is renamed as well.
  const fourth = randomSecretKey();
  await put(wallet, `new-key:derived:${OTHER}`, OTHER, fourth);
  expect(await stagedKeys.find(OTHER, keyOf(fourth).x)).toMatchObject({ kind: 'derived' });
});

test('a damaged key of an earlier version hides no other one, and is told of', async () => {
  const wallet = await stage();
  const { vault } = wallet;
  const [good, damaged] = [randomSecretKey(), randomSecretKey()];
  await put(wallet, `new-key:random:${ACCOUNT}`, ACCOUNT, damaged);
  await put(wallet, `new-key:imported:${OTHER}`, OTHER, good);
  const told: string[] = [];
  // What was reported before anybody listened is told as well.
  listenForReports(({ where }) => where.startsWith('keys:') && told.push(where));
  const stagedKeys = createStagedKeys({
    ...vault,
    withSecret: (id, work) =>
      id === `new-key:random:${ACCOUNT}` ? Promise.reject(new Error('damaged')) : vault.withSecret(id, work),
  });
  expect(await stagedKeys.list()).toMatchObject([{ account: OTHER, kind: 'imported' }]);
  expect(await idsOf(wallet)).toContain(`new-key:random:${ACCOUNT}`);
  expect(told).toEqual(['keys: earlier staged keys']);
});

test('a second key is staged beside the first, and the same key once', async () => {
  const wallet = await stage();
  const { stagedKeys } = wallet;
  const [first, second] = [randomSecretKey(), randomSecretKey()];
  expect(await stagedKeys.put(ACCOUNT, 'derived', first)).toEqual(keyOf(first));
  await stagedKeys.put(ACCOUNT, 'derived', second);
  await stagedKeys.put(ACCOUNT, 'derived', second);
  await stagedKeys.put(ACCOUNT, 'imported', first);
  expect((await idsOf(wallet)).sort()).toEqual(
    [`pending:${ACCOUNT}:${keyOf(first).x}:imported`, `pending:${ACCOUNT}:${keyOf(second).x}:derived`].sort(),
  );
  expect((await stagedKeys.recordsOf(ACCOUNT)).sort()).toEqual(await idsOf(wallet));
  expect(await stagedKeys.recordsOf(OTHER)).toEqual([]);
});

test('the only secret of a vault stays until there is another one', async () => {
  const { vault, stagedKeys } = await stage();
  const only = await stagedKeys.put(ACCOUNT, 'random', randomSecretKey());
  await stagedKeys.remove(ACCOUNT, only.x);
  expect(await stagedKeys.list(ACCOUNT)).toMatchObject([{ x: only.x }]);
  const other = await stagedKeys.put(OTHER, 'random', randomSecretKey());
  await stagedKeys.remove(ACCOUNT, only.x);
  expect(await stagedKeys.list()).toMatchObject([{ x: other.x }]);
  await vault.lock();
  await expect(stagedKeys.remove(OTHER, other.x)).rejects.toMatchObject({ code: 'locked' });
});

test('a failure other than that of the vault is not passed over when a key is removed', async () => {
  const { vault } = await stage();
  const stagedKeys = createStagedKeys({ ...vault, apply: () => Promise.reject({ code: 'empty-overwrite' }) });
  await expect(stagedKeys.remove(ACCOUNT, '0x1')).rejects.toEqual({ code: 'empty-overwrite' });
});

test('there is none without a vault, and other secrets are none', async () => {
  const vault = createHarness().start();
  const stagedKeys = createStagedKeys(vault);
  expect(await stagedKeys.list()).toEqual([]);
  expect(await stagedKeys.recordsOf(ACCOUNT)).toEqual([]);
  await vault.create(password);
  await vault.putSecret(
    { id: `pending:${ACCOUNT}:0x1:random`, account: ACCOUNT, kind: 'eddsa-key' },
    randomSecretKey(),
  );
  await vault.putSecret({ id: 'unknown', account: ACCOUNT, kind: 'pending-eddsa-key' }, randomSecretKey());
  expect(await stagedKeys.list()).toEqual([]);
  expect(await stagedKeys.recordsOf(ACCOUNT)).toEqual(['unknown']);
});

test('one that is not there is neither held nor used, and is named', async () => {
  const { stagedKeys } = await stage();
  const key = await stagedKeys.put(ACCOUNT, 'random', randomSecretKey());
  expect(await stagedKeys.holds(OTHER, key)).toBe(false);
  expect(await stagedKeys.holds(ACCOUNT, { ...key, y: '0x1' })).toBe(false);
  await expect(stagedKeys.use(OTHER, key.x, () => {})).rejects.toMatchObject({
    ...{ name: 'VaultError', code: 'not-found', message: `no staged key ${key.x} of account ${OTHER}` },
  });
});

test('in the account’s place it takes the API key of the one before along, and stays staged', async () => {
  const wallet = await stage();
  const { vault, stagedKeys } = wallet;
  const secretKey = randomSecretKey();
  const key = await stagedKeys.put(ACCOUNT, 'random', secretKey);
  for (const account of [ACCOUNT, OTHER])
    await vault.putSecret({ id: apiKeyRecord(account), account, kind: 'api-key' }, new Uint8Array([1]));
  const wrong = stagedKeys.promote(ACCOUNT, { ...key, y: '0x1' });
  await expect(wrong).rejects.toThrow('the staged key does not open to its public key');
  expect(await vault.hasSecret(eddsaRecord(ACCOUNT))).toBe(false);
  await stagedKeys.promote(ACCOUNT, key);
  expect(await vault.withSecret(eddsaRecord(ACCOUNT), copyOf)).toEqual(copyOf(secretKey));
  expect((await vault.listSecrets()).find(({ id }) => id === eddsaRecord(ACCOUNT))).toMatchObject({
    ...{ account: ACCOUNT, kind: 'eddsa-key' },
  });
  expect(await idsOf(wallet)).toEqual(
    [`pending:${ACCOUNT}:${key.x}:random`, eddsaRecord(ACCOUNT), apiKeyRecord(OTHER)].sort(),
  );
});

test('two points are one however their digits are written, and by both of their halves', () => {
  const point = { x: '0x0a', y: '0x0b' };
  expect(isSameKey(point, { x: '0xA', y: '0xB' })).toBe(true);
  expect(isSameKey(point, { x: '0xa', y: '0xc' })).toBe(false);
  expect(isSameKey(point, { x: '0xc', y: '0xb' })).toBe(false);
});
