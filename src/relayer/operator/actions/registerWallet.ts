import { z } from 'zod';
import { described } from '../../../protocol/described.ts';
import { address } from '../../../protocol/fields.ts';
import { isWalletOf, registerWallet as register } from '../../engine/counterFactualWallets.ts';
import { operatorAction } from '../operatorAction.ts';
import { nonZeroAddress } from '../operatorFields.ts';
import { OperatorRefusal } from '../operatorRefusal.ts';

export const registerWallet = operatorAction({
  summary: 'a smart wallet that is not deployed yet: let its owner use its account',
  body: z.strictObject({
    owner: nonZeroAddress('L1 address of the wallet, whose account is opened when missing'),
    walletOwner: described(address(), 'L1 address that signs for the wallet'),
    walletSalt: described(
      z.string().check(
        z.regex(/^[0-9]{1,78}$/, { error: 'is not a decimal text', abort: true }),
        z.refine((text) => BigInt(text) < 1n << 256n, 'is above 2^256 - 1'),
      ),
      'salt of the wallet in its factory, decimal',
    ),
  }),
  subject: ({ owner }) => `wallet ${owner}`,
  perform: async (relayer, tx, { owner, walletOwner, walletSalt }) => {
    const { walletFactory } = relayer.config;
    const wallet = { walletFactory, walletOwner, walletSalt };
    if (!isWalletOf(relayer, wallet, owner))
      throw new OperatorRefusal(
        'unknown',
        `owner: ${owner} is not the wallet of ${walletFactory} with this walletOwner and walletSalt`,
      );
    return register(relayer, tx, owner, wallet);
  },
});
