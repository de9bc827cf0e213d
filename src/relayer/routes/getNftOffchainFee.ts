import { feeRequestTypes } from '../../protocol/endpoints/getOffchainFee.ts';
import type { DeploymentStatus } from '../../protocol/statuses.ts';
import { findAccount } from '../engine/accounts.ts';
import { feeTokens, quoteFee } from '../engine/fees.ts';
import { tierOf } from '../engine/feeTiers.ts';
import { currentGasPrice } from '../engine/gasPrice.ts';
import type { Relayer } from '../engine/relayer.ts';
import { Refusal } from '../errors.ts';
import type { Route } from '../server/route.ts';

export const getNftOffchainFee: Route<'getNftOffchainFee'> = {
  handle: async ({ relayer, query }) => {
    const owner = (await findAccount(relayer.db, query.accountId))?.owner ?? '';
    if (query.requestType === feeRequestTypes.NFT_WITHDRAWAL && query.deployInWithdraw && query.tokenAddress)
      await checkDeployed(relayer, query.tokenAddress);
    return {
      gasPrice: (await currentGasPrice(relayer)).wei.toString(),
      fees: await Promise.all(
        feeTokens(relayer).map(async (token) => ({
          token: token.symbol,
          fee: (await quoteFee(relayer, query.requestType, token, owner)).toString(),
          discount: tierOf(relayer, owner).requestShare / 100,
        })),
      ),
    };
  },
};

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
