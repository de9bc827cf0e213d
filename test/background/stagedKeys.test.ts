import { expect, test } from 'vitest';
import { createStagedKeys, hexPoint } from '../../src/background/keys/stagedKeys.ts';
import { getPublicKey } from '../../src/crypto/index.ts';
import { randomSecretKey } from '../relayer/support/testAccount.ts';
import { createWalletHarness, type WalletHarness } from '../support/wallet.ts';
import { PASSWORD } from './support.ts';

const ACCOUNT = 'network:10007';
const OTHER = 'network:10008';

async function stage() {
  const wallet = createWalletHarness();
  await wallet.ui('createVault', { password: PASSWORD });
  return wallet;
}

const vaultOf = (wallet: WalletHarness) => wallet.background().wallet.vault;
const idsOf = async (wallet: WalletHarness) => (await vaultOf(wallet).listSecrets()).map(({ id }) => id).sort();
const put = (wallet: WalletHarness, id: string, account: string, bytes: Uint8Array) =>
  vaultOf(wallet).putSecret({ id, account, kind: 'pending-eddsa-key' }, bytes);
const keyOf = (secretKey: Uint8Array) => hexPoint(getPublicKey(Uint8Array.from(secretKey)));

test('keys under the names of earlier versions are found, used and promoted', async () => {
  const wallet = await stage();
  const [first, second, third] = [randomSecretKey(), randomSecretKey(), randomSecretKey()];
  const update = `pending:${ACCOUNT}:${keyOf(second).x}`;
  await put(wallet, `new-key:random:${ACCOUNT}`, ACCOUNT, first);
  await put(wallet, update, ACCOUNT, second);
  await put(wallet, `new-key:imported:${OTHER}`, OTHER, third);
  wallet.restart();
  const { stagedKeys } = wallet.background().wallet;

  // While locked nothing can be renamed, and nothing is lost.
  await wallet.ui('lock', {});
  expect(await stagedKeys.list()).toMatchObject([{ x: keyOf(second).x, kind: undefined }]);
  expect((await stagedKeys.recordsOf(ACCOUNT)).sort()).toEqual([`new-key:random:${ACCOUNT}`, update]);
  await wallet.ui('unlock', { password: PASSWORD });

  // Side by side, as several callers ask.
  await Promise.all([stagedKeys.list(), stagedKeys.list(ACCOUNT), stagedKeys.find(OTHER, keyOf(third).x)]);
  const found = await stagedKeys.list();
  expect(found).toHaveLength(3);
  expect(found).toEqual(
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
    expect(await stagedKeys.use(account, keyOf(secretKey).x, (bytes) => Uint8Array.from(bytes))).toEqual(
      Uint8Array.from(secretKey),
    );
  }
  await stagedKeys.promote(ACCOUNT, keyOf(second));
  await stagedKeys.remove(ACCOUNT, keyOf(second).x);
  expect(await idsOf(wallet)).toEqual([
    `eddsa:${ACCOUNT}`,
    `pending:${ACCOUNT}:${keyOf(first).x}:random`,
    `pending:${OTHER}:${keyOf(third).x}:imported`,
  ]);
});

test('a damaged key of an earlier version hides no other one', async () => {
  const wallet = await stage();
  const [good, damaged] = [randomSecretKey(), randomSecretKey()];
  await put(wallet, `new-key:random:${ACCOUNT}`, ACCOUNT, damaged);
  await put(wallet, `new-key:imported:${OTHER}`, OTHER, good);
  const vault = vaultOf(wallet);
  const stagedKeys = createStagedKeys({
    ...vault,
    withSecret: (id, work) =>
      id === `new-key:random:${ACCOUNT}` ? Promise.reject(new Error('damaged')) : vault.withSecret(id, work),
  });
  expect(await stagedKeys.list()).toMatchObject([{ account: OTHER, kind: 'imported' }]);
  expect(await idsOf(wallet)).toContain(`new-key:random:${ACCOUNT}`);
});

test('a second key is staged beside the first, and the same key once', async () => {
  const wallet = await stage();
  const { stagedKeys } = wallet.background().wallet;
  const [first, second] = [randomSecretKey(), randomSecretKey()];
  expect(await stagedKeys.put(ACCOUNT, 'derived', first)).toEqual(keyOf(first));
  await stagedKeys.put(ACCOUNT, 'derived', second);
  await stagedKeys.put(ACCOUNT, 'derived', second);
  await stagedKeys.put(ACCOUNT, 'imported', first);
  expect((await idsOf(wallet)).sort()).toEqual(
    [`pending:${ACCOUNT}:${keyOf(first).x}:imported`, `pending:${ACCOUNT}:${keyOf(second).x}:derived`].sort(),
  );
});

test('the only secret of a vault stays until there is another one', async () => {
  const wallet = await stage();
  const { stagedKeys } = wallet.background().wallet;
  const only = await stagedKeys.put(ACCOUNT, 'random', randomSecretKey());
  await stagedKeys.remove(ACCOUNT, only.x);
  expect(await stagedKeys.list(ACCOUNT)).toMatchObject([{ x: only.x }]);
  const other = await stagedKeys.put(OTHER, 'random', randomSecretKey());
  await stagedKeys.remove(ACCOUNT, only.x);
  expect(await stagedKeys.list()).toMatchObject([{ x: other.x }]);
  await wallet.ui('lock', {});
  await expect(stagedKeys.remove(OTHER, other.x)).rejects.toMatchObject({ code: 'locked' });
});
