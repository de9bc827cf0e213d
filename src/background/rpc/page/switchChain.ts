import { once } from '../../../protocol/once.ts';
import { z } from '../../../protocol/zod.ts';
import { RpcError } from '../../errors/rpcError.ts';
import { hexChainId } from './hexChainId.ts';
import { pageMethod } from './pageMethod.ts';

const params = once(() => z.strictObject({ chainId: hexChainId() }));

/**
 * EIP-3326: asks the user to show the site accounts on another configured network; `null` when it
 * is there.
 */
export const walletSwitchEthereumChain = pageMethod({
  name: 'wallet_switchEthereumChain',
  params,
  needs: 'connection',
  async handle({ site, right, params: { chainId }, ask }) {
    if ((await site.network())?.chainId === Number(chainId)) return null;
    const target = await site.networkOfChain(Number(chainId));
    if (!target) throw new RpcError('unknownChain', `This wallet has no account on the chain ${chainId}.`);
    const kinds = await site.kindsOf(right.accounts[0].id);
    return ask({ kind: 'connect', kinds, switchTo: target.id });
  },
});
