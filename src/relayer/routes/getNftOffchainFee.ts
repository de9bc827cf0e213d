import { feeRequestTypes } from '../../protocol/endpoints/getOffchainFee.ts';
import type { Hex } from '../../protocol/fields.ts';
import type { DeploymentStatus } from '../../protocol/statuses.ts';
import { deploymentUnits, feeTokens, quoteFees } from '../engine/fees.ts';
import type { Relayer } from '../engine/relayer.ts';
import { Refusal } from '../errors.ts';
import type { Route } from '../server/route.ts';
import { within } from '../within.ts';

/** How long a quote waits for the estimate of the chain. */
const PATIENCE_MS = 2_000;

export const getNftOffchainFee: Route<'getNftOffchainFee'> = {
  handle: async ({ relayer, query }) => {
    if (query.requestType === feeRequestTypes.NFT_WITHDRAWAL && query.deployInWithdraw && query.tokenAddress)
      await checkDeployed(relayer, query.tokenAddress);
    const units =
      query.requestType === feeRequestTypes.NFT_DEPLOY && query.tokenAddress
        ? await unitsOf(relayer, query.tokenAddress)
        : undefined;
    return quoteFees(relayer, query.accountId, query.requestType, feeTokens(relayer), units);
  },
};

/**
 * Units for which the deployment of a contract is accepted; `undefined` when the chain does not say
 * so in time.
 */
async function unitsOf(relayer: Relayer, tokenAddress: Hex): Promise<bigint | undefined> {
  const asking = relayer.deploymentGasOf(tokenAddress).catch((error) => {
    relayer.trouble(error);
    return undefined;
  });
  const gas = await within(asking, PATIENCE_MS);
  return gas === undefined ? undefined : deploymentUnits(gas);
}

/**
 * No withdrawal deploys, so none is quoted with a deployment: nobody is to pay for what is then
 * refused.
 */
async function checkDeployed(relayer: Relayer, tokenAddress: string): Promise<void> {
  const [contract] = await relayer.db.query<{ status: DeploymentStatus }>(
    'SELECT status FROM nft_contracts WHERE address = $1',
    [tokenAddress.toLowerCase()],
  );
  if (contract?.status !== 'DEPLOYED')
    throw new Refusal(
      'INVALID_ARGUMENT',
      `deployInWithdraw: a withdrawal deploys no contract here; deploy ${tokenAddress} first (nft/deployTokenAddress)`,
    );
}
