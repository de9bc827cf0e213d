import { z } from 'zod';
import { RelayerClientError } from '../../client/index.ts';
import { address, isRelayerErrorCode, relayerErrors, tokenId } from '../../protocol/index.ts';
import { RpcError } from '../rpcError.ts';
import { grantedAccount, type PageMethod, pageMethod } from './pageMethod.ts';

const account = address.optional();

/** A refused or failed read as the page sees it. */
function readError(error: unknown): unknown {
  if (!(error instanceof RelayerClientError)) return error;
  const code = error.relayerCode;
  if (error.kind === 'refused' && code !== undefined) {
    const name = isRelayerErrorCode(code) ? relayerErrors[code].name : 'UNLISTED';
    return new RpcError('refused', `The relayer refused: ${name}.`, { code, name });
  }
  return new RpcError('disconnected', 'The relayer did not answer in a form that can be used.', { kind: error.kind });
}

type Call = Parameters<PageMethod['handle']>[0];

/** The API key lives in the vault, so a read needs the wallet unlocked. */
async function whenUnlocked<T>({ vault }: Call, read: () => Promise<T>): Promise<T> {
  if (!(await vault.isUnlocked())) throw new RpcError('unauthorized', 'The wallet is locked.');
  try {
    return await read();
  } catch (error) {
    throw readError(error);
  }
}

/** Balances of an account; the API key stays inside. */
export const relayerGetBalances = pageMethod({
  name: 'relayer_getBalances',
  params: z.strictObject({ account, tokens: z.array(tokenId).max(100).optional() }).optional(),
  needs: 'read',
  async handle(wallet, { origin }, _requestId, asked) {
    const owner = await grantedAccount(wallet, origin, 'read', asked?.account);
    return whenUnlocked(wallet, async () => {
      const network = await wallet.config.network(owner.networkId);
      if (!network) throw new RpcError('internal', 'The network of this account is gone.');
      const tokens = asked?.tokens?.join(',');
      const query = { accountId: owner.accountId, ...(tokens ? { tokens } : {}) };
      return wallet.accountKeys.withApiKey(owner, network, (apiKey) =>
        wallet.relayers.client(network).getBalances({ query, apiKey }),
      );
    });
  },
});

/** The next storage ids that the relayer would give out; the wallet's own cursors may be ahead. */
export const relayerGetStorageId = pageMethod({
  name: 'relayer_getStorageId',
  params: z.strictObject({ account, sellTokenId: tokenId, maxNext: z.boolean().optional() }),
  needs: 'read',
  async handle(wallet, { origin }, _requestId, asked) {
    const owner = await grantedAccount(wallet, origin, 'read', asked.account);
    return whenUnlocked(wallet, async () => {
      const network = await wallet.config.network(owner.networkId);
      if (!network) throw new RpcError('internal', 'The network of this account is gone.');
      const { account: _, maxNext, sellTokenId } = asked;
      const query = { accountId: owner.accountId, sellTokenId, ...(maxNext === undefined ? {} : { maxNext }) };
      return wallet.accountKeys.withApiKey(owner, network, (apiKey) =>
        wallet.relayers.client(network).getStorageId({ query, apiKey }),
      );
    });
  },
});
