import { expect, test } from 'vitest';
import { dev } from '../support/dev.ts';
import { relayerOfFile } from './relayerOfFile.ts';
import {
  approveRequest,
  balanceOf,
  finalStatus,
  movableClock,
  openOther,
  question,
  resultOf,
  SITE,
  setUp,
} from './support.ts';

const relayer = await relayerOfFile();

const LRC = 1;
const AMOUNT = 123_000_000_000_000_000_000n;

async function stage(changes = {}) {
  const clock = movableClock();
  const made = await setUp(relayer, { now: clock.now, ...changes }, ['transfers']);
  const friend = await openOther(relayer);
  const intent = { token: { tokenId: LRC, volume: String(AMOUNT) }, payeeAddr: friend.owner, feeTokenId: 0 };
  return { ...made, clock, friend, intent };
}

test('an approved transfer arrives: the balances of both sides change and the list says so', async () => {
  const { wallet, client, account, friend, clock, intent } = await stage();
  const before = await balanceOf(client, account, LRC);
  const result = resultOf(await approveRequest(wallet, 'relayer_transfer', intent));
  expect(result).toEqual({
    hash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    status: expect.stringMatching(/^(acknowledged|processed)$/),
    relayerStatus: expect.stringMatching(/^(received|processing|processed)$/),
    isIdempotent: false,
    requestId: expect.any(String),
    storageId: expect.any(Number),
  });
  expect((result.storageId ?? 0) % 2).toBe(1);
  expect(await finalStatus(wallet, clock)).toBe('processed');
  expect(await balanceOf(client, friend, LRC)).toBe(AMOUNT);
  expect(await balanceOf(client, account, LRC)).toBe(before - AMOUNT);
  const statuses = wallet.pushed.flatMap(({ message }) =>
    'event' in message && message.event === 'message'
      ? [(message.data as { data: { status: string } }).data.status]
      : [],
  );
  expect(statuses.at(-1)).toBe('processed');
});

test('an address that was paid once is known the next time', async () => {
  const { wallet, clock, intent } = await stage();
  const rules = async () => {
    const view = await question(wallet);
    return { view, rules: view.review?.warnings.map(({ rule }) => rule) };
  };
  const first = wallet.page(SITE, 'relayer_transfer', [intent]);
  const asked = await rules();
  expect(asked.rules).toEqual(['recipient-new']);
  const click = { id: asked.view.id, digest: asked.view.digest ?? '', account: asked.view.account?.id ?? null };
  await wallet.ui('approve', click);
  resultOf(await first);
  await finalStatus(wallet, clock);
  wallet.page(SITE, 'relayer_transfer', [{ ...intent, memo: 'again' }]);
  expect((await rules()).rules).toEqual([]);
});

test('an address that was paid is offered for the address book; its name stands in the next approval request', async () => {
  const { wallet, network, friend, clock, intent } = await stage();
  const recent = () => wallet.ui('listRecentRecipients', { networkId: network.id });
  expect(await recent()).toEqual([]);
  resultOf(await approveRequest(wallet, 'relayer_transfer', intent));
  await finalStatus(wallet, clock);
  const [offered, ...others] = await recent();
  expect([offered?.address, others]).toEqual([friend.owner, []]);
  await wallet.ui('addContact', { networkId: network.id, address: friend.owner, name: 'Ana' });
  expect(await recent()).toEqual([]);
  wallet.page(SITE, 'relayer_transfer', [{ ...intent, memo: 'again' }]);
  const to = (await question(wallet)).review?.rows.find(({ label }) => label.key === 'review_recipient');
  expect(to?.note).toEqual({ key: 'review_recipientBook', values: { name: { kind: 'text', text: 'Ana' } } });
});

test('an address that begins and ends like one of the address book is called a look-alike, with its name', async () => {
  const { wallet, network, friend, intent } = await stage();
  const twin = `${friend.owner.slice(0, 6)}${'0'.repeat(32)}${friend.owner.slice(-4)}`.toLowerCase();
  await wallet.ui('addContact', { networkId: network.id, address: twin, name: 'Ana' });
  wallet.page(SITE, 'relayer_transfer', [intent]);
  const { review } = await question(wallet);
  expect(review?.warnings.map(({ rule }) => rule)).toEqual(['recipient-lookalike', 'recipient-new']);
  expect(review?.rows.find(({ label }) => label.key === 'review_looksLike')).toMatchObject({
    note: { key: 'review_recipientBook', values: { name: { text: 'Ana' } } },
  });
});

test('an address of the book that begins and ends like an own account is called a look-alike', async () => {
  const { wallet, network, account, intent } = await stage();
  const twin = `${account.owner.slice(0, 6)}${'0'.repeat(32)}${account.owner.slice(-4)}`.toLowerCase();
  await wallet.ui('addContact', { networkId: network.id, address: twin, name: 'Savings' });
  wallet.page(SITE, 'relayer_transfer', [{ ...intent, payeeAddr: twin }]);
  const { review } = await question(wallet);
  expect(review?.warnings.map(({ rule }) => rule)).toEqual(['recipient-lookalike', 'recipient-without-account']);
});

test('a transfer to a contract without an account is called dangerous before it is signed', async () => {
  const { wallet, intent } = await stage();
  const address = `0x${'d'.repeat(40)}`;
  await dev(relayer, 'l1', { code: { address, code: '0x6001' } });
  wallet.page(SITE, 'relayer_transfer', [{ ...intent, payeeAddr: address }]);
  const { review } = await question(wallet);
  expect(review?.warnings.map(({ rule }) => rule)).toEqual([
    'recipient-new',
    'recipient-without-account',
    'withdraw-to-contract',
  ]);
});

test('a refusal of the relayer reaches the page with its code, and nothing moves', async () => {
  const { wallet, client, friend, intent } = await stage();
  const tooMuch = { ...intent, token: { tokenId: LRC, volume: String(10n ** 27n) } };
  expect(await approveRequest(wallet, 'relayer_transfer', tooMuch)).toMatchObject({
    error: { code: -32003, data: { code: 102011, name: 'BALANCE_INSUFFICIENT' } },
  });
  expect(await balanceOf(client, friend, LRC)).toBe(0n);
});

test('a field that cannot be is refused before anybody is asked, and a site without the permission asks for that first', async () => {
  const { wallet, accountView, account, intent } = await stage();
  expect(await wallet.page(SITE, 'relayer_transfer', [{ ...intent, payeeAddr: account.owner }])).toEqual({
    error: { code: -32602, message: 'payeeAddr: is the account that pays', data: { field: 'payeeAddr' } },
  });
  await wallet.background().wallet.grants.revoke(SITE);
  await wallet.background().wallet.grants.grant(SITE, [accountView], ['read', 'orders']);
  expect(wallet.shown).toEqual([]);
  wallet.page(SITE, 'relayer_transfer', [intent]);
  expect((await question(wallet)).connect?.kinds).toEqual(['transfers']);
});

test('an L1 signer that is not the owner’s sends nothing', async () => {
  const { wallet, intent } = await stage();
  const { signer } = await wallet.ui('generateSigner', {});
  await wallet.background().wallet.config.update((data) => ({
    ...data,
    accounts: data.accounts.map((account) => ({ ...account, signer })),
  }));
  expect(await approveRequest(wallet, 'relayer_transfer', intent)).toMatchObject({
    error: { code: -32603, data: { status: 'not-signed' } },
  });
  expect(await wallet.background().wallet.journal.list()).toMatchObject([{ state: 'abandoned' }]);
});
