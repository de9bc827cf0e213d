import { getAddress } from 'viem/utils';
import { expect, test } from 'vitest';
import { createWalletHarness } from '../support/wallet.ts';

const ADDRESS = getAddress(`0x${'ab'.repeat(20)}`);
const OTHER = `0x${'1'.repeat(40)}`;
const CLOCK = 1_800_000_000_000;

async function stage() {
  const wallet = createWalletHarness({ now: () => CLOCK });
  const network = { id: 'one', name: 'One', baseUrl: 'http://127.0.0.1:1', chainId: 1, exchangeAddress: OTHER };
  await wallet.background().wallet.config.update((data) => ({
    ...data,
    networks: [network, { ...network, id: 'two', baseUrl: 'http://127.0.0.1:2' }],
  }));
  const add = (address: string, name: string, networkId = 'one') =>
    wallet.uiAnswer('addContact', { networkId, address, name });
  const list = (networkId = 'one') => wallet.ui('listContacts', { networkId });
  return { wallet, add, list };
}

test('keeps the address with its checksum and the name without surrounding spaces, also after a restart', async () => {
  const { wallet, add, list } = await stage();
  await add(ADDRESS.toLowerCase(), '  Ana  ');
  wallet.restart();
  expect(await list()).toEqual([{ address: ADDRESS, name: 'Ana', createdAt: CLOCK }]);
});

test('each network has a book of its own, sorted by name', async () => {
  const { add, list } = await stage();
  await add(ADDRESS, 'Zoe');
  await add(OTHER, 'ana');
  await add(ADDRESS, 'Zoe', 'two');
  expect((await list()).map(({ name }) => name)).toEqual(['ana', 'Zoe']);
  expect((await list('two')).map(({ name }) => name)).toEqual(['Zoe']);
});

test.each([
  ['a checksum that does not fit', `0x${'aB'.repeat(20)}`, 'Ana', 'address'],
  ['the zero address', `0x${'0'.repeat(40)}`, 'Ana', 'address'],
  ['too few digits', '0x1234', 'Ana', 'address'],
  ['an empty name', OTHER, '   ', 'name'],
  ['a name of 41 characters', OTHER, 'x'.repeat(41), 'name'],
  ['a name that turns the reading direction', OTHER, 'Ana\u202e', 'name'],
  ['a name with an invisible character', OTHER, 'An\u200ba', 'name'],
  ['a name of two lines', OTHER, 'Ana\nBen', 'name'],
])('refuses %s and keeps nothing', async (_what, address, name, field) => {
  const { add, list } = await stage();
  expect(await add(address, name)).toMatchObject({
    ok: false,
    error: { code: 'invalid-input', values: { field } },
  });
  expect(await list()).toEqual([]);
});

test('refuses an address or a name twice in one network, whatever their case', async () => {
  const { add, list } = await stage();
  await add(ADDRESS, 'Ana');
  for (const [address, name] of [
    [ADDRESS.toLowerCase(), 'Ben'],
    [OTHER, 'ANA'],
    [OTHER, 'Ａna'],
  ] as const)
    expect(await add(address, name)).toMatchObject({ ok: false, error: { code: 'contact-exists' } });
  expect(await list()).toHaveLength(1);
});

test('two additions at the same moment make one entry', async () => {
  const { add, list } = await stage();
  const answers = await Promise.all([add(ADDRESS, 'Ana'), add(ADDRESS, 'Ben')]);
  expect(answers.map(({ ok }) => ok).sort()).toEqual([false, true]);
  expect(await list()).toHaveLength(1);
});

test('renames an entry, not to the name of another, and removes it', async () => {
  const { wallet, add, list } = await stage();
  await add(ADDRESS, 'Ana');
  await add(OTHER, 'Ben');
  const rename = (name: string, address = ADDRESS) =>
    wallet.uiAnswer('renameContact', { networkId: 'one', address, name });
  expect(await rename('ben')).toMatchObject({ ok: false, error: { code: 'contact-exists' } });
  expect(await rename('ANA')).toEqual({ ok: true, result: null });
  expect(await rename('Zoe', `0x${'2'.repeat(40)}`)).toMatchObject({ ok: false, error: { code: 'not-found' } });
  await wallet.ui('removeContact', { networkId: 'one', address: OTHER });
  expect((await list()).map(({ name }) => name)).toEqual(['ANA']);
});

test('the address that another could be taken for is found among those that a review knows', async () => {
  const { wallet, add } = await stage();
  const lookalike = (address: string) => wallet.ui('getLookalike', { networkId: 'one', address });
  const twinOf = (address: string) => `${address.slice(0, 6)}${'0'.repeat(32)}${address.slice(-4)}`;
  const owner = getAddress(`0x${'cd'.repeat(20)}`);
  await wallet.background().wallet.config.update((data) => ({
    ...data,
    accounts: [
      {
        ...{ id: 'two:7', networkId: 'two', accountId: 7, owner, label: 'Elsewhere', signer: 's', keySeed: '' },
        publicKey: { x: '0x1', y: '0x2' },
      },
    ],
  }));
  await add(ADDRESS, 'Ana');
  expect(await lookalike(twinOf(ADDRESS))).toMatchObject({ address: ADDRESS, label: 'Ana' });
  expect(await lookalike(twinOf(owner))).toMatchObject({ address: owner, label: 'Elsewhere' });
  expect(await lookalike(ADDRESS)).toBeNull();
});

test('is refused for a network that the wallet does not have', async () => {
  const { add } = await stage();
  expect(await add(ADDRESS, 'Ana', 'three')).toMatchObject({ ok: false, error: { code: 'not-found' } });
});
