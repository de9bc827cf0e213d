import { z } from 'zod';
import { deferred } from '../../../protocol/deferred.ts';
import { askUser } from '../../approvals/askUser.ts';
import { notConnected, RpcError } from '../../errors/rpcError.ts';
import { networkOf, visibleAccounts } from '../../sites/visibleAccounts.ts';
import { LATER, pageMethod } from './pageMethod.ts';

const params = deferred(() =>
  z.strictObject({ chainId: z.string().regex(/^0x[0-9a-f]{1,16}$/i, 'is not a chain id as hex') }),
);

/** EIP-3326: asks the user to show the site accounts on another configured network; `null` when it is there. */
export const walletSwitchEthereumChain = pageMethod({
  name: 'wallet_switchEthereumChain',
  params,
  needs: 'none',
  async handle(wallet, caller, requestId, { chainId }) {
    const { origin } = caller;
    const [first] = await visibleAccounts(wallet, origin);
    if (!first) throw notConnected();
    if ((await networkOf(wallet, origin))?.chainId === Number(chainId)) return null;
    const { networks, accounts } = await wallet.config.read();
    const grants = (await wallet.grants.of(origin))?.grants ?? [];
    const isGranted = (networkId: string) =>
      accounts.some(
        (account) => account.networkId === networkId && grants.some((grant) => grant.account === account.id),
      );
    const usable = networks.filter(
      (network) => network.chainId === Number(chainId) && accounts.some(({ networkId }) => networkId === network.id),
    );
    // Two relayers can serve one chain; the one that the site has been on before is meant.
    const target = usable.find(({ id }) => isGranted(id)) ?? usable[0];
    if (!target) throw new RpcError('unknownChain', `This wallet has no account on the chain ${chainId}.`);
    const kinds = grants.find(({ account }) => account === first.id)?.kinds ?? [];
    await askUser(wallet, caller, requestId, { kind: 'connect', kinds, switchTo: target.id });
    return LATER;
  },
});
