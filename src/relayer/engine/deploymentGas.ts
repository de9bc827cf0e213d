import type { Hex } from 'viem';
import type { Relayer } from './relayer.ts';
import { rememberedReads } from './rememberedReads.ts';

const LASTS_MS = 10_000;

/**
 * Gas that layer 1 estimates for the deployment of a contract, as quotes may read it; `undefined`
 * for what cannot be deployed. Acceptance never uses it: it asks the chain.
 */
export const deploymentGas = ({
  db,
  l1,
  clock,
}: Pick<Relayer, 'db' | 'l1' | 'clock'>): ((address: Hex) => Promise<bigint | undefined>) =>
  rememberedReads(
    clock,
    async (address) => {
      const [contract] = await db.query<{ address: Hex; factory: Hex; owner: Hex; base_uri: string }>(
        `SELECT address, factory, owner, base_uri FROM nft_contracts WHERE address = $1 AND status = 'NOT_DEPLOYED'`,
        [address.toLowerCase()],
      );
      if (!contract || !l1.canDeploy) return undefined;
      const { base_uri: baseUri, ...rest } = contract;
      return l1.deploymentGas({ ...rest, baseUri });
    },
    () => LASTS_MS,
  );
