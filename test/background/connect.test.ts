import { expect, test } from 'vitest';
import { createWalletHarness } from '../support/wallet.ts';
import { PASSWORD, question } from './support.ts';

const SITE = 'https://site.example';
const accounts = [1, 2].map((accountId) => ({
  id: `net:${accountId}`,
  networkId: 'net',
  accountId,
  owner: `0x${String(accountId).repeat(40)}`,
  label: `Account ${accountId}`,
  publicKey: { x: `0x${'1'.repeat(64)}`, y: `0x${'2'.repeat(64)}` },
  signer: 'signer',
  keySeed: '',
}));

/** A wallet with two accounts; connecting needs no relayer. */
async function twoAccounts() {
  const wallet = createWalletHarness();
  await wallet.ui('createVault', { password: PASSWORD });
  await wallet.background().wallet.config.update((data) => ({
    ...data,
    networks: [
      { id: 'net', name: 'Net', baseUrl: 'http://127.0.0.1:1', chainId: 31337, exchangeAddress: `0x${'9'.repeat(40)}` },
    ],
    accounts,
    selectedAccount: 'net:1',
  }));
  return wallet;
}

type Wallet = Awaited<ReturnType<typeof twoAccounts>>;

async function connect(wallet: Wallet, chosen: string[], kinds?: ('read' | 'orders' | 'transfers')[]) {
  const view = await question(wallet);
  await wallet.ui('approve', {
    id: view.id,
    digest: view.digest ?? '',
    account: null,
    accounts: chosen,
    ...(kinds ? { kinds } : {}),
  });
  return view;
}

test('a page sees only the accounts that the user chose', async () => {
  const wallet = await twoAccounts();
  const answer = wallet.page(SITE, 'eth_requestAccounts');
  await connect(wallet, ['net:2']);
  expect(await answer).toEqual({ result: [accounts[1]?.owner] });
  expect(await wallet.page(SITE, 'eth_accounts')).toEqual({ result: [accounts[1]?.owner] });
  expect(await wallet.page('https://other.example', 'eth_accounts')).toEqual({ result: [] });
});

test('kinds that the user unticked are not granted', async () => {
  const wallet = await twoAccounts();
  wallet.page(SITE, 'eth_requestAccounts');
  const view = await connect(wallet, ['net:1'], ['orders']);
  expect(view.connect?.kinds).toEqual(['read', 'orders']);
  expect((await wallet.ui('listSites', {}))[0]?.grants).toEqual([{ account: 'net:1', kinds: ['orders'] }]);
});

test('a later request for one more kind keeps what was granted before', async () => {
  const wallet = await twoAccounts();
  wallet.page(SITE, 'eth_requestAccounts');
  await connect(wallet, ['net:1']);
  wallet.page(SITE, 'wallet_requestPermissions', [{ relayer_transfers: {} }]);
  const view = await connect(wallet, ['net:1']);
  expect(view.connect?.kinds).toEqual(['transfers']);
  expect((await wallet.ui('listSites', {}))[0]?.grants).toEqual([
    { account: 'net:1', kinds: ['read', 'orders', 'transfers'] },
  ]);
});

test('a kind that was not asked for cannot be granted by the click', async () => {
  const wallet = await twoAccounts();
  wallet.page(SITE, 'eth_requestAccounts');
  await connect(wallet, ['net:1'], ['read', 'transfers']);
  expect((await wallet.ui('listSites', {}))[0]?.grants).toEqual([{ account: 'net:1', kinds: ['read'] }]);
});

test('no account chosen is no connection', async () => {
  const wallet = await twoAccounts();
  wallet.page(SITE, 'eth_requestAccounts');
  const view = await question(wallet);
  expect(
    await wallet.uiAnswer('approve', { id: view.id, digest: view.digest ?? '', account: null, accounts: ['net:77'] }),
  ).toMatchObject({ ok: false, error: { code: 'invalid-input' } });
  expect(await wallet.page(SITE, 'eth_accounts')).toEqual({ result: [] });
});

test('a locked wallet connects nobody before the password', async () => {
  const wallet = await twoAccounts();
  await wallet.ui('lock', {});
  wallet.page(SITE, 'eth_requestAccounts');
  const view = await question(wallet, 'locked');
  const digest = (await wallet.background().wallet.approvals.get(view.id))?.digest ?? '';
  expect(await wallet.uiAnswer('approve', { id: view.id, digest, account: null, accounts: ['net:1'] })).toMatchObject({
    ok: false,
    error: { code: 'locked' },
  });
  await wallet.ui('unlock', { password: PASSWORD });
  await connect(wallet, ['net:1']);
  expect(await wallet.page(SITE, 'eth_accounts')).toEqual({ result: [accounts[0]?.owner] });
});

test.each([
  ['wallet_requestPermissions', [{}]],
  ['wallet_requestPermissions', [{ eth_sign: {} }]],
  ['wallet_requestPermissions', []],
  ['eth_requestAccounts', ['x']],
])('%s refuses the parameters %j', async (method, params) => {
  const wallet = await twoAccounts();
  expect(await wallet.page(SITE, method, params)).toMatchObject({ error: { code: -32602 } });
});
