import type { SubmissionRecord } from '../journal/index.ts';
import type { AccountView, NetworkView } from '../messaging/views.ts';
import { reviewOf } from '../operations/askedAgain.ts';
import { isOperation, operationNamed } from '../operations/index.ts';
import type { Inclusion, Receipt } from './receipt.ts';

/**
 * For whom: the user gets everything, a site neither what the user was shown nor a signature of a
 * request header, and no request that has not left the wallet: it could be carried out by whoever
 * has its signature.
 */
export type Reader = 'user' | 'site';

/** The account that signed, and where. */
interface Place {
  readonly network: Pick<NetworkView, 'id' | 'chainId' | 'exchangeAddress' | 'baseUrl'>;
  readonly account: Pick<AccountView, 'id' | 'owner' | 'publicKey'>;
}

/**
 * The receipt of a submission, from the journal and the blocks that were found of it.
 * @param exportedAt - Unix milliseconds.
 */
export function makeReceipt(
  { network, account }: Place,
  record: SubmissionRecord,
  reader: Reader,
  exportedAt: number,
  inclusion?: Inclusion,
): Receipt {
  const { wire, shown, reviewedAt } = record;
  const { signature: _header, ...unsignedWire } = wire ?? { endpoint: '' };
  const left = record.state !== 'signed' && record.state !== 'abandoned';
  const request = wire ? (reader === 'user' ? wire : left ? unsignedWire : null) : null;
  const operation = isOperation(record.operation) ? operationNamed(record.operation) : undefined;
  const complete = operation !== undefined && shown !== undefined && reviewedAt !== undefined;
  return {
    format: 'countersign-receipt',
    version: inclusion === undefined ? 1 : 2,
    exportedAt,
    id: record.id,
    requestId: record.requestId,
    operation: record.operation,
    origin: record.origin,
    rule: record.rule ?? null,
    network: {
      id: network.id,
      chainId: network.chainId,
      exchange: network.exchangeAddress,
      relayer: network.baseUrl,
    },
    account: { id: account.id, owner: account.owner, publicKey: record.publicKey ?? account.publicKey },
    draft: record.draft,
    ...(reader === 'user' && complete
      ? {
          shown,
          review: reviewOf(operation, { body: record.draft, shown }, reviewedAt),
          reviewedAt,
        }
      : { shown: signingFacts(operation?.signs ?? [], shown) }),
    digest: record.reviewDigest,
    storageId: record.slot?.storageId ?? null,
    // Without the request nobody could compute it again.
    hash: request === null ? null : (record.hash ?? null),
    request,
    status: record.state,
    ...(record.ack === undefined ? {} : { answer: record.ack }),
    ...(record.error === undefined ? {} : { error: record.error }),
    history: record.history,
    ...(inclusion === undefined ? {} : { inclusion }),
  };
}

/**
 * Selects the facts that a signature was made from besides the draft; without them the hash could
 * not be computed again.
 */
function signingFacts(names: readonly string[], shown: unknown): Record<string, never> {
  const facts = (shown ?? {}) as Record<string, never>;
  return Object.fromEntries(names.flatMap((name) => (name in facts ? [[name, facts[name]]] : []))) as never;
}
