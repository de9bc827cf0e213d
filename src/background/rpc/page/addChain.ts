import { once } from '../../../protocol/once.ts';
import { z } from '../../../protocol/zod.ts';
import { RpcError } from '../../errors/rpcError.ts';
import { hexChainId } from './hexChainId.ts';
import { pageMethod } from './pageMethod.ts';

const params = once(() =>
  z.looseObject({
    chainId: hexChainId(),
    /** Base URLs of the exchange's server; the first counts. */
    rpcUrls: z.tuple([z.url({ protocol: /^https?$/ }).check(z.maxLength(300))], z.string()),
  }),
);

/**
 * EIP-3085: `null` where the exchange is set up on this chain; else it is kept for the setup to
 * offer, and the call ends with 4902.
 */
export const walletAddEthereumChain = pageMethod({
  name: 'wallet_addEthereumChain',
  params,
  needs: 'none',
  async handle({ rooms, params: { rpcUrls, chainId } }) {
    const { origin, pathname } = new URL(rpcUrls[0]);
    const baseUrl = `${origin}${pathname}`.replace(/\/+$/, '');
    if (await rooms.exchanges.has(baseUrl, Number(chainId))) return null;
    await rooms.exchanges.propose(baseUrl);
    throw new RpcError('unknownChain', 'This exchange is not set up. The wallet offers it when the user adds one.');
  },
});
