import { z } from 'zod';
import { deferred } from '../../../protocol/deferred.ts';
import { address } from '../../../protocol/index.ts';
import { unauthorized } from '../../errors/rpcError.ts';
import { chainOf, visibleAccounts } from '../../sites/visibleAccounts.ts';
import type { Wallet } from '../../wallet.ts';
import { pageMethod } from './pageMethod.ts';
import { holdsKeyOf } from './signatures.ts';

const chain = deferred(() => z.string().regex(/^0x[0-9a-f]{1,16}$/i, 'is not a chain id as hex'));

/** EIP-5792: nothing, one address, or an address and chain ids. */
const params = deferred(() =>
  z.union([
    z.undefined(),
    z.null(),
    z.strictObject({}),
    z.array(z.unknown()).max(0),
    address,
    z.tuple([address, z.array(chain)]),
  ]),
);

/** Whether the layer-1 key of an account that the site sees is in this wallet. */
async function signsTexts(wallet: Wallet, origin: string): Promise<boolean> {
  for (const account of await visibleAccounts(wallet, origin)) if (await holdsKeyOf(wallet, account)) return true;
  return false;
}

/**
 * What can be asked of this wallet, by chain (EIP-5792): the `relayer_*` methods and the permission that each needs.
 * @param methods - Names and needs of all page methods; handed in, because this is one of them.
 */
export const walletGetCapabilities = (methods: () => readonly { readonly name: string; readonly needs: string }[]) =>
  pageMethod({
    name: 'wallet_getCapabilities',
    params,
    needs: 'none',
    async handle(wallet, { origin }, _requestId, given) {
      const [owner, chains] = Array.isArray(given) ? [given[0], given[1]] : [given, undefined];
      if (typeof owner === 'string') {
        const seen = await visibleAccounts(wallet, origin);
        if (!seen.some((account) => account.owner.toLowerCase() === owner.toLowerCase()))
          throw unauthorized('otherAccount', `This site does not see ${owner}.`);
      }
      const chainId = await chainOf(wallet, origin);
      if (Array.isArray(chains) && !chains.some((asked) => BigInt(asked) === BigInt(chainId))) return {};
      const relayer = methods()
        .filter(({ name }) => name.startsWith('relayer_'))
        .map(({ name, needs }) => ({ name, permission: needs === 'none' ? null : `relayer_${needs}` }));
      const layer1 = methods()
        .filter(({ needs }) => needs === 'sign')
        .map(({ name, needs }) => ({ name, permission: `relayer_${needs}` }));
      return {
        [chainId]: {
          relayer: { supported: true, methods: relayer },
          layer1Signatures: { supported: await signsTexts(wallet, origin), methods: layer1 },
        },
      };
    },
  });
