import type { z } from 'zod';
import type { exitAmmPool } from '../../../protocol/endpoints/exitAmmPool.ts';
import { feeRequestTypes } from '../../../protocol/endpoints/getOffchainFee.ts';
import { Float24, roundToFloat } from '../../../protocol/floats.ts';
import { ammExitScalar } from '../../../protocol/payloads/ammExit.ts';
import { burnedVolume } from '../../../protocol/resourceReaders.ts';
import { poolExitTypedData } from '../../../protocol/typedData.ts';
import { Refusal } from '../../errors.ts';
import { acceptRequest, heldRequest, type RequestAck } from '../acceptRequest.ts';
import type { Account } from '../accounts.ts';
import { feeToCharge } from '../fees.ts';
import { checkPoolRequest, checkPoolSignature, findPool } from '../pools/poolChecks.ts';
import type { Relayer } from '../relayer.ts';
import { checkDeadline } from '../requestChecks.ts';

type Body = z.output<typeof exitAmmPool.body>;

/**
 * Accepts a pool exit: the LP amount, rounded down to the block's 24-bit float, is frozen, the
 * pool's tokens follow at settlement.
 */
export async function acceptAmmExit(relayer: Relayer, account: Account, body: Body): Promise<RequestAck> {
  const pool = findPool(relayer, body.poolAddress);
  const identity = { chainId: relayer.config.chainId, name: pool.name };
  const hash = ammExitScalar(identity, body);
  const held = await heldRequest(relayer, hash, body);
  if (held) return held.ack;
  await checkPoolSignature(relayer, account, body, hash, poolExitTypedData(identity, body));
  checkPoolRequest(relayer, pool, body.domainSeparator, body.exitTokens.unPooled);
  const { burned } = body.exitTokens;
  if (typeof burned !== 'string' && burned.tokenId !== pool.lp.tokenId)
    throw new Refusal('TOKEN_UNSUPPORTED', `exitTokens.burned: the pool's LP token is ${pool.lp.tokenId}`);
  const amount = roundToFloat(BigInt(burnedVolume(burned)), Float24);
  if (amount === 0n) throw new Refusal('INVALID_ARGUMENT', 'exitTokens.burned is zero');
  checkDeadline(relayer, body.validUntil, 'INVALID_ARGUMENT');
  const feeToken = pool.tokens[1].tokenId;
  const fee = await feeToCharge(relayer, account.owner, feeRequestTypes.AMM_EXIT, {
    tokenId: feeToken,
    amount: BigInt(body.maxFee),
  });
  return acceptRequest(relayer, account, {
    kind: 'ammExit',
    hash,
    body,
    otherAccountId: pool.accountId,
    otherAddress: pool.address,
    tokenId: pool.lp.tokenId,
    amount,
    feeTokenId: feeToken,
    fee,
    storage: [{ tokenId: pool.lp.tokenId, storageId: body.storageId }],
    hold: [{ tokenId: pool.lp.tokenId, amount }],
    validUntil: body.validUntil,
    details: { amounts: body.exitTokens.unPooled.map((token) => token.volume) },
  });
}
