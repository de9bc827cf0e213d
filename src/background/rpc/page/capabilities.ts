import { address } from '../../../protocol/index.ts';
import { once } from '../../../protocol/once.ts';
import { z } from '../../../protocol/zod.ts';
import { permissionName } from '../../sites/permissionsOf.ts';
import type { Site } from '../../sites/site.ts';
import { hexChainId } from './hexChainId.ts';
import { type Needs, noParams, pageMethod } from './pageMethod.ts';
import type { PageRooms } from './rooms.ts';

/** EIP-5792: nothing, one address, or an address and chain ids. */
const params = once(() => z.union([noParams(), address(), z.tuple([address(), z.array(hexChainId())])]));

/** Whether the layer-1 key of an account that the site sees is in this wallet. */
async function signsTexts({ keys }: PageRooms, site: Site): Promise<boolean> {
  for (const account of await site.accounts()) if (await keys.holdsLayer1Of(account)) return true;
  return false;
}

/** EIP-2255 name of the permission that a method needs; `null` when it needs none. */
const permissionFor = (needs: Needs) => (needs === 'none' || needs === 'connection' ? null : permissionName(needs));

/**
 * Lists by chain (EIP-5792) the `relayer_*` methods and the permission that each needs.
 * @param methods - Names and needs of all page methods; handed in, because this is one of them.
 */
export const walletGetCapabilities = (methods: () => readonly { readonly name: string; readonly needs: Needs }[]) =>
  pageMethod({
    name: 'wallet_getCapabilities',
    params,
    needs: 'none',
    async handle({ site, rooms, params: given }) {
      const [owner, chains] = Array.isArray(given) ? [given[0], given[1]] : [given, undefined];
      if (typeof owner === 'string') await site.accountOf(owner);
      const chainId = await site.chain();
      if (Array.isArray(chains) && !chains.some((asked) => BigInt(asked) === BigInt(chainId))) return {};
      const relayer = methods()
        .filter(({ name }) => name.startsWith('relayer_'))
        .map(({ name, needs }) => ({ name, permission: permissionFor(needs) }));
      const layer1 = methods()
        .filter(({ needs }) => needs === 'sign')
        .map(({ name, needs }) => ({ name, permission: permissionFor(needs) }));
      return {
        [chainId]: {
          relayer: { supported: true, methods: relayer },
          layer1Signatures: { supported: await signsTexts(rooms, site), methods: layer1 },
        },
      };
    },
  });
