import type { z } from 'zod';
import { feeRequestTypes } from '../../../protocol/endpoints/getOffchainFee.ts';
import type { joinAmmPool } from '../../../protocol/endpoints/joinAmmPool.ts';
import { ammJoinScalar } from '../../../protocol/payloads/ammJoin.ts';
import { poolJoinTypedData } from '../../../protocol/typedData.ts';
import { Refusal } from '../../errors.ts';
import { acceptRequest, heldRequest, type RequestAck } from '../acceptRequest.ts';
import type { Account } from '../accounts.ts';
import { feeToCharge } from '../fees.ts';
import { checkPoolRequest, checkPoolSignature, findPool } from '../pools/poolChecks.ts';
import type { Relayer } from '../relayer.ts';
import { checkDeadline } from '../requestChecks.ts';

type Body = z.output<typeof joinAmmPool.body>;

/**
 * Accepts a pool join: both amounts and the fee are frozen; what the ratio does not need is freed
 * at settlement.
 */
export async function acceptAmmJoin(relayer: Relayer, account: Account, body: Body): Promise<RequestAck> {
  const pool = findPool(relayer, body.poolAddress);
  const identity = { chainId: relayer.config.chainId, name: pool.name };
  const hash = ammJoinScalar(identity, body);
  const held = await heldRequest(relayer, hash, body);
  if (held) return held.ack;
  await checkPoolSignature(relayer, account, body, hash, poolJoinTypedData(identity, body));
  const { pooled, minimumLp } = body.joinTokens;
  checkPoolRequest(relayer, pool, body.domainSeparator, pooled);
  if (!pool.enabled) throw new Refusal('RECEIVER_INVALID', 'poolAddress: the pool is closed; it can only be left');
  if (minimumLp.tokenId !== pool.lp.tokenId)
    throw new Refusal('TOKEN_UNSUPPORTED', `joinTokens.minimumLp: the pool's LP token is ${pool.lp.tokenId}`);
  const amounts = pooled.map((token) => BigInt(token.volume));
  if (amounts.some((amount) => amount === 0n))
    throw new Refusal('INVALID_ARGUMENT', 'joinTokens.pooled: an amount is zero');
  checkDeadline(relayer, body.validUntil, 'INVALID_ARGUMENT');
  const feeToken = pool.tokens[1].tokenId;
  const fee = await feeToCharge(relayer, account.owner, feeRequestTypes.AMM_JOIN, {
    tokenId: feeToken,
    amount: BigInt(body.fee),
  });
  return acceptRequest(relayer, account, {
    kind: 'ammJoin',
    hash,
    body,
    otherAccountId: pool.accountId,
    otherAddress: pool.address,
    tokenId: pool.lp.tokenId,
    amount: BigInt(minimumLp.volume),
    feeTokenId: feeToken,
    fee,
    storage: pooled.map((token, index) => ({ tokenId: token.tokenId, storageId: body.storageIds[index] ?? 0 })),
    hold: [
      ...pooled.map((token, index) => ({ tokenId: token.tokenId, amount: amounts[index] ?? 0n })),
      { tokenId: feeToken, amount: fee },
    ],
    validUntil: body.validUntil,
    details: { amounts: pooled.map((token) => token.volume), storageIds: body.storageIds },
  });
}
