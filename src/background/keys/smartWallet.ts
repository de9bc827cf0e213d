import type { NetworkView } from '../../messaging/views.ts';
import { isContractCode } from '../../protocol/index.ts';
import { UiFailure } from '../errors/uiFailure.ts';
import { type Relayers, refusedWith } from '../relayers/relayers.ts';
import type { SmartWallet } from '../settings/smartAccount.ts';

/**
 * Reads the smart wallet behind an owner address that is not the signer's own. A wallet that is not
 * deployed yet is taken only when its owner is the signer. That it is, is the relayer's word: the
 * address cannot be computed here (decision 68), and no signature covers these fields.
 * @param signer - L1 address that would sign for the account.
 * @throws {UiFailure} `signer-mismatch`: the wallet belongs to another signer.
 * @returns `undefined` when the owner is an ordinary address.
 */
export async function smartWalletOf(
  relayers: Relayers,
  network: NetworkView,
  owner: string,
  signer: string,
): Promise<SmartWallet | undefined> {
  if (owner.toLowerCase() === signer.toLowerCase()) return undefined;
  const client = relayers.client(network);
  const { result } = await client.getCode({ body: { address: owner } });
  if (isContractCode(result)) return { kind: 'contract' };
  try {
    const { wallet, walletFactory, walletOwner, walletSalt } = await client.getCounterFactualInfo({
      query: { address: owner },
    });
    if (wallet.toLowerCase() !== owner.toLowerCase() || walletOwner.toLowerCase() !== signer.toLowerCase())
      throw new UiFailure('signer-mismatch', 'error_signerMismatch');
    return { kind: 'counterfactual', walletFactory, walletOwner, walletSalt };
  } catch (error) {
    if (!refusedWith(error, 'ADDRESS_NOT_FOUND', 'ACCOUNT_NOT_FOUND')) throw error;
    return undefined;
  }
}
