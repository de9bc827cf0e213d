import type { SubmissionRecord } from '../../journal/index.ts';
import { reviewOf } from '../../operations/askedAgain.ts';
import { isOperation, operationNamed } from '../../operations/index.ts';
import { UiFailure } from '../errors/uiFailure.ts';
import type { Wallet } from '../wallet.ts';
import type { Receipt } from './receipt.ts';

/** For whom: the person gets everything, a site neither what the person was shown nor a signature of a request header. */
export type Reader = 'person' | 'site';

/**
 * The receipt of a submission, from the journal alone.
 * @throws {UiFailure} `not-found`: its account was removed from this wallet.
 */
export async function makeReceipt(
  { config, ports }: Pick<Wallet, 'config' | 'ports'>,
  record: SubmissionRecord,
  reader: Reader,
): Promise<Receipt> {
  const { networks, accounts } = await config.read();
  const network = networks.find(({ id }) => id === record.networkId);
  const account = accounts.find(
    ({ networkId, accountId }) => networkId === record.networkId && accountId === record.accountId,
  );
  if (!network || !account) throw new UiFailure('not-found', 'error_notFound');
  const { wire, shown, reviewedAt } = record;
  const { signature: _header, ...unsignedWire } = wire ?? { endpoint: '' };
  const operation = isOperation(record.operation) ? operationNamed(record.operation) : undefined;
  const complete = operation !== undefined && shown !== undefined && reviewedAt !== undefined;
  return {
    format: 'countersign-receipt',
    version: 1,
    exportedAt: ports.now(),
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
    ...(reader === 'person' && complete
      ? {
          shown,
          review: reviewOf(operation, { body: record.draft, shown }, reviewedAt),
          reviewedAt,
        }
      : { shown: signingFacts(operation?.signs ?? [], shown) }),
    digest: record.reviewDigest,
    storageId: record.slot?.storageId ?? null,
    hash: record.hash ?? null,
    request: wire ? (reader === 'person' ? wire : unsignedWire) : null,
    status: record.state,
    ...(record.ack === undefined ? {} : { answer: record.ack }),
    ...(record.error === undefined ? {} : { error: record.error }),
    history: record.history,
  };
}

/** What a signature was made from besides the draft; without it the hash could not be computed again. */
function signingFacts(names: readonly string[], shown: unknown): Record<string, never> {
  const facts = (shown ?? {}) as Record<string, never>;
  return Object.fromEntries(names.flatMap((name) => (name in facts ? [[name, facts[name]]] : []))) as never;
}
