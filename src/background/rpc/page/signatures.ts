import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { z } from 'zod';
import { IntentError } from '../../../operations/operation.ts';
import { messageText } from '../../../operations/signMessage.ts';
import { typedDataOf } from '../../../operations/signTypedData.ts';
import { deferred } from '../../../protocol/deferred.ts';
import { address } from '../../../protocol/index.ts';
import { askUser } from '../../approvals/askUser.ts';
import { RpcError } from '../../errors/rpcError.ts';
import type { StoredAccount } from '../../settings/config.ts';
import type { PageCaller } from '../../sites/sender.ts';
import type { Wallet } from '../../wallet.ts';
import { grantedAccount, LATER, pageMethod } from './pageMethod.ts';

/** False when the layer-1 key of the account is elsewhere, or the account is a contract, whose owner's key is another's. */
export async function holdsKeyOf({ config }: Wallet, { signer, owner }: StoredAccount): Promise<boolean> {
  const held = (await config.read()).signers.find(({ id }) => id === signer);
  return held?.kind === 'local' && held.address.toLowerCase() === owner.toLowerCase();
}

/** Says no before anybody is asked; the operation checks the same again when it makes its draft. */
function orRefuse<T>(check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (error instanceof IntentError) throw new RpcError('invalidParams', error.message, { field: error.field });
    throw error;
  }
}

async function ask(
  wallet: Wallet,
  caller: PageCaller,
  requestId: string,
  operation: 'signMessage' | 'signTypedData',
  owner: string,
  intent: (account: StoredAccount) => Promise<object>,
) {
  const account = await grantedAccount(wallet, caller.origin, 'sign', owner);
  if (!(await holdsKeyOf(wallet, account)))
    throw new RpcError(
      'unsupported',
      'The layer-1 key of this account is not in this wallet; ask the one that holds it.',
    );
  const asked = { account: account.owner, ...(await intent(account)) };
  await askUser(wallet, caller, requestId, { kind: 'operation', operation, account: account.id, intent: asked });
  return LATER;
}

const exchangesOf = async ({ config }: Wallet) =>
  (await config.read()).networks.map((network) => network.exchangeAddress);

/** Bytes as hex, or a text; Ethereum wallets read whole hex as bytes. */
const messageHex = (given: string) =>
  /^0x(?:[0-9a-fA-F]{2})*$/.test(given) ? given : `0x${bytesToHex(utf8ToBytes(given))}`;

/** EIP-191 by the layer-1 key of an account that the site sees: `[message, address]`. */
export const personalSign = pageMethod({
  name: 'personal_sign',
  params: deferred(() => z.tuple([z.string(), address], { error: 'is not [message, address]' }).rest(z.unknown())),
  needs: 'sign',
  handle: (wallet, caller, requestId, [given, owner]) =>
    ask(wallet, caller, requestId, 'signMessage', owner, async () => {
      const message = messageHex(given);
      const exchanges = await exchangesOf(wallet);
      orRefuse(() => messageText(message, exchanges));
      return { message };
    }),
});

/** EIP-712 by the layer-1 key of an account that the site sees: `[address, document]`, the document as JSON text or object. */
export const signTypedDataV4 = pageMethod({
  name: 'eth_signTypedData_v4',
  params: deferred(() =>
    z.tuple([address, z.union([z.string(), z.looseObject({})])], { error: 'is not [address, typed data]' }),
  ),
  needs: 'sign',
  handle: (wallet, caller, requestId, [owner, given]) =>
    ask(wallet, caller, requestId, 'signTypedData', owner, async ({ networkId }) => {
      const typedData = typeof given === 'string' ? given : JSON.stringify(given);
      const [exchanges, network] = [await exchangesOf(wallet), await wallet.config.network(networkId)];
      orRefuse(() => typedDataOf(typedData, network?.chainId ?? 0, exchanges));
      return { typedData };
    }),
});
