import type { z } from 'zod';
import { feeRequestTypes } from '../../../protocol/endpoints/getOffchainFee.ts';
import type { updateAccount } from '../../../protocol/endpoints/updateAccount.ts';
import { formatHash } from '../../../protocol/formatHash.ts';
import { accountUpdateHash, accountUpdateIdentifier } from '../../../protocol/payloads/accountUpdate.ts';
import { accountUpdateTypedData } from '../../../protocol/typedData.ts';
import { Refusal } from '../../errors.ts';
import { acceptRequest, heldRequest, type RequestAck } from '../acceptRequest.ts';
import { type Account, findAccount, isFirstUpdatePaid, isPoolAccount } from '../accounts.ts';
import { feeToCharge } from '../fees.ts';
import type { Relayer } from '../relayer.ts';
import { checkDeadline, checkExchange } from '../requestChecks.ts';
import type { AccountUpdateDetails } from '../settle/settleAccountUpdate.ts';
import { checkEddsa, checkOwnerApproval } from '../signatures.ts';

type Body = z.output<typeof updateAccount.body>;

/**
 * Accepts a new account key for an account, approved by its L1 owner. Where the operator allows it
 * the old key may approve alone, by `eddsaSignature`; whoever stole that key can then keep the
 * account. Until the engine has settled it the account is frozen.
 */
export async function acceptAccountUpdate(
  relayer: Relayer,
  body: Body,
  headerSignature: string | undefined,
): Promise<RequestAck> {
  const hash = accountUpdateIdentifier(body);
  const held = await heldRequest(relayer, hash, body);
  if (held) return held.ack;
  const account = await findAccount(relayer.db, body.accountId);
  if (!account)
    throw new Refusal('RECEIVER_INVALID', `accountId ${body.accountId} does not exist, so no key can be given to it`);
  if (account.owner !== body.owner.toLowerCase())
    throw new Refusal('SENDER_INVALID', `owner: account ${body.accountId} belongs to another address`);
  if (await isPoolAccount(relayer.db, body.accountId))
    throw new Refusal('SENDER_INVALID', `accountId ${body.accountId} holds the reserves of a pool, which has no key`);
  checkExchange(relayer, body.exchange);
  checkDeadline(relayer, body.validUntil, 'INVALID_ARGUMENT');
  if (body.nonce !== account.nonce)
    throw new Refusal('NONCE_INVALID', `nonce ${body.nonce}: the account's nonce is ${account.nonce}`);
  // After them, because it may ask the layer-1 node, and no API key is needed to get here.
  const byOldKey = await checkApproval(relayer, account, body, headerSignature);
  const fee = await feeOf(relayer, account, body);
  return acceptRequest(relayer, account, {
    kind: 'accountUpdate',
    hash,
    body,
    tokenId: body.maxFee.tokenId,
    amount: 0n,
    feeTokenId: body.maxFee.tokenId,
    fee,
    storage: [],
    hold: [{ tokenId: body.maxFee.tokenId, amount: fee }],
    nonce: body.nonce,
    validUntil: body.validUntil,
    details: {
      x: formatHash(BigInt(body.publicKey.x)),
      y: formatHash(BigInt(body.publicKey.y)),
      keySeed: body.keySeed ?? '',
      byOldKey,
    } satisfies AccountUpdateDetails,
    // Each sealed block raises the operator's nonce: none may come between acceptance and
    // settlement.
    settledAtOnce: account.accountId === relayer.catalog.operatorAccountId,
    within: async (tx) => {
      await tx.query('UPDATE accounts SET frozen = true WHERE account_id = $1', [account.accountId]);
    },
  });
}

/** @returns Whether the old key approved it alone. */
async function checkApproval(
  relayer: Relayer,
  account: Account,
  body: Body,
  headerSignature: string | undefined,
): Promise<boolean> {
  const ecdsa = headerSignature || body.ecdsaSignature || body.hashApproved;
  if (relayer.config.keyUpdatesByOldKey && !ecdsa && body.eddsaSignature) {
    await checkEddsa(relayer, accountUpdateHash(body), body.eddsaSignature, account.publicKey, 'account update');
    return true;
  }
  const typedData = accountUpdateTypedData(relayer.config.chainId, body);
  await checkOwnerApproval(relayer, account.owner, typedData, body, headerSignature);
  return false;
}

/** The first update of an account may have been paid by whoever sent it its first funds. */
async function feeOf(relayer: Relayer, account: Account, body: Body): Promise<bigint> {
  const token = relayer.catalog.token(body.maxFee.tokenId);
  if (!token?.enabled) throw new Refusal('FEE_TOKEN_UNSUPPORTED', `maxFee: token ${body.maxFee.tokenId} is not listed`);
  if (token.type === 'LP') throw new Refusal('FEE_TOKEN_INCONSISTENT', 'maxFee: a pool share is no fee token');
  const amount = BigInt(body.maxFee.volume);
  if (isFirstUpdatePaid(account)) return 0n;
  return feeToCharge(relayer, account.owner, feeRequestTypes.ACCOUNT_UPDATE, { tokenId: body.maxFee.tokenId, amount });
}
