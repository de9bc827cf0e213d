import { getAddress } from 'viem/utils';
import { expect, test } from 'vitest';
import { knownAddresses, recentRecipients } from '../../src/background/settings/knownAddresses.ts';
import type { StoredAccount } from '../../src/background/settings/storedConfig.ts';
import type { SubmissionRecord } from '../../src/journal/index.ts';
import { createWalletHarness } from '../support/wallet.ts';

const addressOf = (digit: string) => getAddress(`0x${digit.repeat(40)}`);

test('the address of a smart wallet is the user’s own on its chain alone, an ordinary one everywhere', async () => {
  const { wallet } = createWalletHarness().background();
  const network = (id: string, chainId: number) => ({
    id,
    name: id,
    baseUrl: `http://127.0.0.1/${id}`,
    chainId,
    exchangeAddress: addressOf('e'),
  });
  const account = (label: string, digit: string, smart?: StoredAccount['smart']): StoredAccount => ({
    id: `one:${digit}`,
    networkId: 'one',
    accountId: Number(digit),
    owner: addressOf(digit),
    label,
    publicKey: { x: '0x1', y: '0x2' },
    signer: 's',
    keySeed: '',
    ...(smart && { smart }),
  });
  const counterfactual = { kind: 'counterfactual', walletFactory: '', walletOwner: '', walletSalt: '' } as const;
  await wallet.config.update((data) => ({
    ...data,
    networks: [network('one', 1), network('sameChain', 1), network('otherChain', 2)],
    accounts: [
      account('ordinary', '1'),
      account('contract', '2', { kind: 'contract' }),
      account('later', '3', counterfactual),
    ],
  }));
  const own = async (networkId: string) => (await knownAddresses(wallet, networkId)).map(({ label }) => label);
  expect(await own('one')).toEqual(['ordinary', 'contract', 'later']);
  expect(await own('sameChain')).toEqual(['ordinary', 'contract', 'later']);
  expect(await own('otherChain')).toEqual(['ordinary']);
});

test('a broker that the relayer named is known as such, and not offered for the address book', async () => {
  const { wallet } = createWalletHarness().background();
  const [friend, broker] = [addressOf('a'), addressOf('b')];
  const record = (operation: string, draft: object) =>
    ({ networkId: 'one', accountId: 7, operation, draft, history: [] }) as unknown as SubmissionRecord;
  const records = [record('deployNft', { transfer: { payeeAddr: broker } }), record('transfer', { payeeAddr: friend })];
  const known = { ...wallet, journal: { list: async () => records } };
  expect(await knownAddresses(known, 'one')).toEqual([
    { address: broker, source: 'broker', accountId: 7 },
    { address: friend, source: 'sent', accountId: 7 },
  ]);
  expect(await recentRecipients(known, 'one')).toEqual([{ address: friend }]);
});

test('an address that was only withdrawn to is known as such, and not offered for a transfer', async () => {
  const { wallet } = createWalletHarness().background();
  const [deposit, both] = [addressOf('c'), addressOf('d')];
  const record = (operation: string, draft: object) =>
    ({ networkId: 'one', accountId: 7, operation, draft, history: [] }) as unknown as SubmissionRecord;
  const records = [
    record('withdraw', { to: deposit }),
    record('withdrawNft', { to: both }),
    record('transferNft', { toAddress: both }),
  ];
  const known = { ...wallet, journal: { list: async () => records } };
  expect((await knownAddresses(known, 'one')).map(({ address, source }) => [address, source])).toEqual([
    [deposit, 'withdrawn'],
    [both, 'withdrawn'],
    [both, 'sent'],
  ]);
  expect(await recentRecipients(known, 'one')).toEqual([{ address: deposit }, { address: both }]);
  expect(await recentRecipients(known, 'one', true)).toEqual([{ address: both }]);
});
