import type { Hex } from 'viem';
import type { z } from 'zod';
import type { deployTokenAddress } from '../../../protocol/endpoints/deployTokenAddress.ts';
import { feeRequestTypes } from '../../../protocol/endpoints/getOffchainFee.ts';
import { Float24, roundToFloat } from '../../../protocol/floats.ts';
import { transferHash } from '../../../protocol/payloads/transfer.ts';
import { transferTypedData } from '../../../protocol/typedData.ts';
import { Refusal } from '../../errors.ts';
import { acceptRequest, heldRequest } from '../acceptRequest.ts';
import { type Account, findAccountByOwner } from '../accounts.ts';
import { checkBothSignatures } from '../checkApprovals.ts';
import { deploymentUnits, feeToCharge } from '../fees.ts';
import { deploymentHash } from '../l1Deployments.ts';
import { findNft, type NftRow } from '../nft/nftRows.ts';
import type { Relayer } from '../relayer.ts';
import { checkDeadline } from '../requestChecks.ts';
import { askL1 } from '../signatures.ts';

type Body = z.output<typeof deployTokenAddress.body>;

/**
 * Accepts the deployment of an NFT contract. The embedded transfer to the broker is settled with
 * the acceptance; only then does the deployment go to layer 1, once. When layer 1 cannot be reached
 * the payment stands, and the engine or a repeat of the same request sends the same transaction
 * again.
 */
export async function acceptNftDeployment(
  relayer: Relayer,
  account: Account,
  body: Body,
): Promise<{ txHash: Hex; isIdempotent: boolean }> {
  const { transfer } = body;
  const hash = transferHash(transfer);
  // Read before the request is looked for: the very request may be what pays the deployment.
  const nft = await findNft(relayer.db, body.nftData);
  const held = await heldRequest(relayer, hash, body);
  if (held) return { txHash: await deploymentHash(relayer, body.tokenAddress), isIdempotent: true };
  if (!relayer.l1.canDeploy)
    throw new Refusal('INVALID_ARGUMENT', 'this relayer does not deploy contracts: it has no deployer key');
  await checkBothSignatures(relayer, account, transfer, {
    owner: transfer.payerAddr,
    ownerField: 'transfer.payerAddr',
    message: hash,
    typedData: transferTypedData(relayer.config.chainId, transfer),
    headerSignature: undefined,
  });
  checkDeadline(relayer, transfer.validUntil, 'INVALID_ARGUMENT');
  const gas = await checkContract(relayer, body, nft);
  if (transfer.payeeAddr.toLowerCase() !== relayer.config.brokerAddress.toLowerCase())
    throw new Refusal('RECEIVER_INVALID', `transfer.payeeAddr: the broker is ${relayer.config.brokerAddress}`);
  const paid = roundToFloat(BigInt(transfer.token.volume), Float24);
  const ceiling = { tokenId: transfer.token.tokenId, amount: paid };
  await feeToCharge(relayer, account.owner, feeRequestTypes.NFT_DEPLOY, ceiling, deploymentUnits(gas));
  const broker = await findAccountByOwner(relayer.db, transfer.payeeAddr);
  const ack = await acceptRequest(relayer, account, {
    kind: 'nftDeploy',
    hash,
    body,
    otherAccountId: broker?.accountId ?? 0,
    otherAddress: transfer.payeeAddr,
    tokenId: transfer.token.tokenId,
    amount: paid,
    feeTokenId: transfer.token.tokenId,
    fee: 0n,
    storage: [{ tokenId: transfer.token.tokenId, storageId: transfer.storageId }],
    hold: [{ tokenId: transfer.token.tokenId, amount: paid }],
    validUntil: transfer.validUntil,
    memo: transfer.memo || `NFT-DEPLOY-CONTRACT->${body.tokenAddress}`,
    details: { tokenAddress: body.tokenAddress },
    settledAtOnce: true,
    within: async (tx) => {
      // Others may have paid it since it was checked.
      const started = await tx.query(
        `UPDATE nft_contracts SET status = 'DEPLOYING', updated_at = $2 WHERE address = $1 AND status = 'NOT_DEPLOYED'
         RETURNING address`,
        [body.tokenAddress.toLowerCase(), relayer.clock.now()],
      );
      if (started.length === 0) throw paidAlready();
    },
  });
  return {
    txHash: await deploymentHash(relayer, body.tokenAddress),
    isIdempotent: ack.isIdempotent,
  };
}

const paidAlready = () => new Refusal('INVALID_ARGUMENT', 'tokenAddress: its deployment was paid already');

/** @returns The gas that the deployment takes. */
async function checkContract(relayer: Relayer, body: Body, nft: NftRow | undefined): Promise<bigint> {
  if (nft?.token_address !== body.tokenAddress.toLowerCase())
    throw new Refusal('INVALID_ARGUMENT', 'nftData: no NFT of this contract');
  if ((await askL1(relayer, () => relayer.l1.getCode(nft.token_address))) !== '0x')
    throw new Refusal('INVALID_ARGUMENT', 'tokenAddress: the contract is deployed already');
  if (nft.status !== 'NOT_DEPLOYED') throw paidAlready();
  const { token_address: address, factory, owner, base_uri: baseUri } = nft;
  const contract = { address, factory: factory as Hex, owner: owner as Hex, baseUri };
  const gas = await askL1(relayer, () => relayer.l1.deploymentGas(contract));
  if (gas === undefined) throw new Refusal('INVALID_ARGUMENT', 'tokenAddress: the factory refuses this deployment');
  return gas;
}
