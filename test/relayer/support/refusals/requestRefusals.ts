import { FIELD_PRIME } from '../../../../src/crypto/index.ts';
import { LRC_ETH_POOL, randomSecretKey, TestAccount } from '../testAccount.ts';
import { ether, LRC } from '../tokens.ts';
import type { World } from '../validCalls.ts';
import { failNext, type RefusalCase, SMALL_FEE } from './refusalCase.ts';

export const requestRefusals = {
  submitWithdrawal: withdrawalCases(),
  submitTransfer: [
    ...transferCases(),
    [
      100001,
      'an activation is paid for an owner who has a key',
      async ({ alice, bob }) =>
        alice.post('/api/v3/transfer', await alice.transfer(bob.owner, [LRC, ether], { payPayeeUpdateAccount: true })),
    ],
    [
      102032,
      'the receiver is a pool',
      async ({ alice }) => alice.post('/api/v3/transfer', await alice.transfer(LRC_ETH_POOL.address, [LRC, ether])),
    ],
  ],
  updateAccount: updateCases(),
} satisfies Record<string, readonly RefusalCase[]>;

function withdrawalCases(): RefusalCase[] {
  const path = '/api/v3/user/withdrawals';
  const withdrawal =
    (change: Record<string, unknown>, after: Record<string, unknown> = {}) =>
    async ({ alice }: World) =>
      alice.post(path, { ...(await alice.withdrawal([LRC, ether], change)), ...after });
  return [
    [100001, 'the amount is zero', withdrawal({ token: { tokenId: LRC, volume: '0' } })],
    [100001, 'the deadline passed', withdrawal({ validUntil: 1_700_000_000 })],
    [102001, 'the exchange is another', withdrawal({ exchange: `0x${'12'.repeat(20)}` })],
    [102002, 'the token is not listed', withdrawal({ token: { tokenId: 77, volume: '1' } })],
    [102002, 'the token is a pool share', withdrawal({ token: { tokenId: LRC_ETH_POOL.lp, volume: '1' } })],
    [102011, 'the balance is too small', withdrawal({ token: { tokenId: LRC, volume: String(10n ** 28n) } })],
    [
      102014,
      'the amount cannot be frozen',
      async (world) => {
        await failNext(world.test, 'freeze');
        return withdrawal({})(world);
      },
    ],
    [
      102021,
      'the storage id carries another request',
      async (world) => {
        const body = await world.alice.withdrawal([LRC, ether]);
        await world.alice.post(path, body);
        return withdrawal({ storageId: body.storageId, token: { tokenId: LRC, volume: '5' } })(world);
      },
    ],
    [
      102021,
      'an unsigned field of a held request changed',
      async (world) => {
        const body = await world.alice.withdrawal([LRC, ether]);
        await world.alice.post(path, body);
        return world.alice.post(path, { ...body, extraData: '0x' } as typeof body);
      },
    ],
    [102022, 'the owner is another', async (world) => withdrawal({ owner: world.bob.owner })(world)],
    [102023, 'the receiver is nobody', withdrawal({}, { to: `0x${'00'.repeat(20)}` })],
    [102024, 'the fee token pays no fees', withdrawal({ maxFee: { tokenId: 5, volume: '100000' } })],
    [102025, 'a fast withdrawal is paid in another token', withdrawal({ fastWithdrawalMode: true })],
    [102030, 'the storage id is even', withdrawal({ storageId: 8 })],
    [
      102030,
      'a larger storage id holds the slot',
      async (world) => {
        await withdrawal({ storageId: 16_384 + 8_001 })(world);
        return withdrawal({ storageId: 8_001 })(world);
      },
    ],
    [104004, 'the EdDSA signature is missing', withdrawal({}, { eddsaSignature: undefined })],
    [
      104005,
      'the EdDSA signature is another',
      async (world) => withdrawal({}, { eddsaSignature: world.bob.eddsa(5n) })(world),
    ],
    [104005, 'the approved hash is not approved', withdrawal({}, { hashApproved: `0x${'12'.repeat(32)}` })],
    [114002, 'the fee ceiling is too low', withdrawal({ maxFee: { tokenId: 0, volume: SMALL_FEE } })],
  ];
}

function transferCases(): RefusalCase[] {
  const path = '/api/v3/transfer';
  const transfer =
    (change: Record<string, unknown>, after: Record<string, unknown> = {}) =>
    async ({ alice, bob }: World) =>
      alice.post(path, { ...(await alice.transfer(bob.owner, [LRC, ether], change)), ...after });
  return [
    [100001, 'the amount is zero', transfer({ token: { tokenId: LRC, volume: '0' } })],
    [100001, 'the deadline passed', transfer({ validUntil: 1_700_000_000 })],
    [102001, 'the exchange is another', transfer({ exchange: `0x${'12'.repeat(20)}` })],
    [102002, 'the token is not listed', transfer({ token: { tokenId: 77, volume: '1' } })],
    [102011, 'the balance is too small', transfer({ token: { tokenId: LRC, volume: String(10n ** 28n) } })],
    [102022, 'the sender is another', async (world) => transfer({ payerAddr: world.bob.owner })(world)],
    [102023, 'the receiver’s id and address differ', transfer({ payeeId: 1 })],
    [102023, 'the receiver is the sender', async (world) => transfer({ payeeAddr: world.alice.owner })(world)],
    [102024, 'the fee token pays no fees', transfer({ maxFee: { tokenId: 5, volume: '100000' } })],
    [102030, 'the storage id is even', transfer({ storageId: 8 })],
    [104005, 'the receiver changed after signing', transfer({}, { payeeAddr: `0x${'56'.repeat(20)}` })],
    [114002, 'the fee ceiling is too low', transfer({ maxFee: { tokenId: 0, volume: SMALL_FEE } })],
  ];
}

function updateCases(): RefusalCase[] {
  const update =
    (change: Record<string, unknown>) =>
    async ({ test }: World) => {
      const carol = await test.account();
      return carol.call('POST', '/api/v3/account', await carol.keyUpdate(randomSecretKey(), change));
    };
  const withKey =
    (x: string, y: string) =>
    async ({ alice }: World) =>
      alice.call('POST', '/api/v3/account', {
        body: { ...(await alice.updateBody(randomSecretKey())), publicKey: { x, y } },
        headers: { 'x-api-sig': await alice.l1.signMessage({ message: '' }) },
      });
  return [
    [100001, 'the public key is the identity', withKey('0x0', '0x1')],
    [100001, 'the public key is no point of the curve', withKey('0x1', '0x1')],
    [100001, 'the public key is no point of the subgroup', withKey('0x0', `0x${(FIELD_PRIME - 1n).toString(16)}`)],
    [100001, 'the public key is outside of the field', withKey(`0x${FIELD_PRIME.toString(16)}`, '0x1')],
    [100001, 'the deadline passed', update({ validUntil: 1_700_000_000 })],
    [102001, 'the exchange is another', update({ exchange: `0x${'12'.repeat(20)}` })],
    [
      102011,
      'the balance is too small',
      async ({ test }) => {
        const carol = await new TestAccount(test.place).faucet([{ symbol: 'LRC', amount: '5' }]);
        return carol.call('POST', '/api/v3/account', await carol.keyUpdate(randomSecretKey()));
      },
    ],
    [102021, 'the nonce is another', update({ nonce: 7 })],
    [102022, 'the owner is another', async (world) => update({ owner: world.bob.owner })(world)],
    [102023, 'the account does not exist', update({ accountId: 999_999 })],
    [102024, 'the fee token pays no fees', update({ maxFee: { tokenId: 5, volume: '100000' } })],
    [102025, 'the fee token is a pool share', update({ maxFee: { tokenId: 100, volume: '100000' } })],
    [114002, 'the fee ceiling is too low', update({ maxFee: { tokenId: 0, volume: SMALL_FEE } })],
  ];
}
