import { once } from '../../../protocol/once.ts';
import { z } from '../../../protocol/zod.ts';
import { RpcError } from '../../errors/rpcError.ts';
import { pageMethod } from './pageMethod.ts';

const params = once(() =>
  z.looseObject({
    /** Base URLs of the exchange's server; the first counts. */
    rpcUrls: z.tuple([z.url({ protocol: /^https?$/ }).check(z.maxLength(300))], z.string()),
  }),
);

/** EIP-3085: `null` where the exchange is set up; else it is kept for the set-up to offer, and the call ends with 4902. */
export const walletAddEthereumChain = pageMethod({
  name: 'wallet_addEthereumChain',
  params,
  needs: 'none',
  async handle({ site, rooms, params: { rpcUrls } }) {
    const baseUrl = rpcUrls[0].replace(/\/+$/, '');
    if (await rooms.exchanges.has(baseUrl)) return null;
    await rooms.exchanges.propose(site.origin, baseUrl);
    throw new RpcError('unknownChain', 'This exchange is not set up. The wallet offers it when the user adds one.');
  },
});
