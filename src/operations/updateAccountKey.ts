import type { Settlement } from './settlement.ts';

/**
 * Settlement of a key registration: done when the relayer reports the new public key, whatever its acknowledgement says.
 * The request is opened by the wallet's own pages only.
 */
export const accountKeySettlement: Settlement = {
  reportsHash: false,
  heldCodes: [],
  outcomeOf: (ack) => ({ state: 'open', ack }),
  async find({ accountId, body }, reads) {
    const { publicKey } = body as { publicKey: { x: string } };
    const account = await reads.read('getAccount', { query: { accountId } });
    const { x } = account.publicKey;
    return x !== '' && BigInt(x) === BigInt(publicKey.x) ? { state: 'processed', ack: { status: 'processed' } } : null;
  },
};
