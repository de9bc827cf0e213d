import { type Journal, mayStillHappen, type SubmissionRecord, statusOf } from '../../journal/index.ts';
import type { AskedAgain } from '../../operations/askedAgain.ts';
import { canonicalJson } from '../../operations/canonicalJson.ts';
import { recordedRecipient } from '../../operations/index.ts';
import type { Draft } from '../../operations/operation.ts';
import type { StoredAccount } from '../settings/storedConfig.ts';
import { hasExpired } from './submissionRecord.ts';

/**
 * What a transfer or withdrawal moves, and where to; the contract that is deployed, whatever its
 * deployment costs and whoever is paid for it; `undefined` for everything else.
 */
function moveOf(request: Parameters<typeof recordedRecipient>[0]): string | undefined {
  const to = recordedRecipient(request);
  const { token, tokenAddress } = request.draft as { readonly token?: unknown; readonly tokenAddress?: unknown };
  const moved = tokenAddress ?? (token && [to, token]);
  return to && moved ? canonicalJson(moved).toLowerCase() : undefined;
}

/** One that `signedAlready` may look for. */
export const isMove = (record: SubmissionRecord): boolean => moveOf(record) !== undefined;

/**
 * The same move in earlier requests of the account, signed and with an outcome that can still be a
 * second one: a rejection makes no copy void, and one without an answer may have been carried out
 * before its end.
 * @param now - Unix milliseconds.
 */
export async function signedAlready(
  journal: Pick<Journal, 'list'>,
  { networkId, accountId }: StoredAccount,
  operation: string,
  { body }: Draft<unknown, unknown>,
  now: number,
): Promise<AskedAgain['signedBefore']> {
  const move = moveOf({ operation, draft: body });
  if (move === undefined) return undefined;
  const isDeployment = 'tokenAddress' in (body as object);
  const records = await journal.list({
    exchangeOf: networkId,
    accountId,
    operations: [operation],
    // A deployment that was paid is open until there is code.
    states: ['signed', 'sent', 'refused', 'failed', 'expired', ...(isDeployment ? ['acknowledged' as const] : [])],
  });
  const valid = records.filter(
    (record) =>
      (['unknown', 'acknowledged'].includes(statusOf(record)) ||
        (mayStillHappen(record) && !hasExpired(record, now))) &&
      moveOf(record) === move,
  );
  if (valid.length === 0) return undefined;
  const ends = valid.map(({ validUntil }) => validUntil ?? Number.POSITIVE_INFINITY);
  const last = Math.max(...ends);
  return { copies: valid.length, validUntil: Number.isFinite(last) ? last : null };
}
