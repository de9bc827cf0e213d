import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { AnyOperation } from '../../../operations/index.ts';
import { IntentError } from '../../../operations/operation.ts';
import { messageText, signMessage } from '../../../operations/signMessage.ts';
import { signTypedData, typedDataOf } from '../../../operations/signTypedData.ts';
import { address } from '../../../protocol/index.ts';
import { z } from '../../../protocol/zod.ts';
import { RpcError } from '../../errors/rpcError.ts';
import { type PageCall, pageMethod } from './pageMethod.ts';

/** Says no before anybody is asked; the operation checks the same again when it makes its draft. */
function orRefuse<T>(check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (error instanceof IntentError) throw new RpcError('invalidParams', error.message, { field: error.field });
    throw error;
  }
}

type SignCall = PageCall<unknown, 'sign'>;

/** @param intent - The operation's own, but for the account. */
async function askToSign({ right, rooms, ask }: SignCall, operation: AnyOperation, intent: () => Promise<object>) {
  const { account } = right;
  if (!(await rooms.keys.holdsLayer1Of(account)))
    throw new RpcError(
      'unsupported',
      'The layer-1 key of this account is not in this wallet; ask the one that holds it.',
    );
  const asked = { account: account.owner, ...(await intent()) };
  return ask({ kind: 'operation', operation: operation.name, account: account.id, intent: asked });
}

/** Bytes as hex, or a text; Ethereum wallets read whole hex as bytes. */
const messageHex = (given: string) =>
  /^0x(?:[0-9a-fA-F]{2})*$/.test(given) ? given : `0x${bytesToHex(utf8ToBytes(given))}`;

/** EIP-191 by the layer-1 key of an account that the site sees: `[message, address]`. */
export const personalSign = pageMethod({
  name: 'personal_sign',
  params: () => z.tuple([z.string(), address()], z.unknown(), { error: 'is not [message, address]' }),
  needs: 'sign',
  asks: true,
  owner: ([, owner]) => owner,
  handle: (call) =>
    askToSign(call, signMessage, async () => {
      const message = messageHex(call.params[0]);
      const exchanges = await call.rooms.exchanges.addresses();
      orRefuse(() => messageText(message, exchanges));
      return { message };
    }),
});

/**
 * EIP-712 by the layer-1 key of an account that the site sees: `[address, document]`, the document
 * as JSON text or object.
 */
export const signTypedDataV4 = pageMethod({
  name: 'eth_signTypedData_v4',
  params: () =>
    z.tuple([address(), z.union([z.string(), z.looseObject({})])], { error: 'is not [address, typed data]' }),
  needs: 'sign',
  asks: true,
  owner: ([owner]) => owner,
  handle: (call) =>
    askToSign(call, signTypedData, async () => {
      const [, given] = call.params;
      const typedData = typeof given === 'string' ? given : JSON.stringify(given);
      const exchanges = await call.rooms.exchanges.addresses();
      orRefuse(() => typedDataOf(typedData, call.right.network.chainId, exchanges));
      return { typedData };
    }),
});
