import { isFinal, lastChangeAt, type SubmissionRecord } from '../../journal/index.ts';
import type { AttentionAction, AttentionKind } from '../../messaging/views.ts';
import { changesKey } from '../../operations/index.ts';
import type { Text } from '../../operations/review.ts';
import { DAY_MS } from '../../protocol/time.ts';
import { exchangeId } from '../settings/exchangeId.ts';
import { accountIdOf } from '../settings/storedConfig.ts';
import { hasExpired, isIdTaken } from '../submissions/submissionRecord.ts';
import type { AttentionFound, Wallet } from '../wallet.ts';
import { lastCheck } from './checks.ts';
import { dismissed } from './dismissed.ts';

/** A refusal is worth a repair this long; after that somebody has asked again. */
const REFUSAL_AGE_MS = 3_600_000;
/** A site's or the user's request as the subject of an item; the pages know its sentence. */
const requestSubject = ({ operation }: SubmissionRecord): Text => ({ key: `operation_${operation}` });

/**
 * @param over - Its end has passed by both clocks, or its relayer is away; put aside, it is still
 *   looked up like any other.
 */
function submissionItem(record: SubmissionRecord, over: boolean): AttentionFound {
  const item = (kind: AttentionKind, ...actions: AttentionAction[]) => ({
    id: `submission:${record.id}`,
    kind,
    account: accountIdOf(record),
    subject: requestSubject(record),
    actions,
    record,
  });
  if (record.state === 'reserved') return item('stuck', 'close');
  const aside = over ? (['dismiss'] as const) : [];
  if (record.state === 'signed') return item('unknown', 'check', 'abandon', ...aside);
  if (record.state === 'sent') return item('unknown', 'check', ...aside);
  if (record.state === 'acknowledged') return item('overdue', 'check', ...aside);
  return item('slot-taken', 'resync', 'dismiss');
}

/** Newer submissions of the same cursor that were taken: somebody asked again, and it worked. */
const isOvercome = (
  record: SubmissionRecord,
  all: readonly SubmissionRecord[],
  place: (record: SubmissionRecord) => string,
) =>
  all.some(
    (other) =>
      other.seq > record.seq &&
      place(other) === place(record) &&
      other.slot?.tokenId === record.slot?.tokenId &&
      other.slot?.parity === record.slot?.parity &&
      ['acknowledged', 'processed', 'cancelled', 'expired'].includes(other.state),
  );

/**
 * A user must be able to put aside what has no end, also when its relayer is gone for good or tells
 * no time (`laggingClock`); before a first check nothing is known.
 */
async function isAside(wallet: Pick<Wallet, 'ports'>, record: SubmissionRecord): Promise<boolean> {
  const check = await lastCheck(wallet, accountIdOf(record));
  if (!check) return false;
  const lagMs = check.lagMs ?? 0;
  return hasExpired(record, wallet.ports.now() - (lagMs > DAY_MS ? 0 : lagMs));
}

/** Everything that needs a user, the newest submissions first. */
export async function attention(
  wallet: Pick<Wallet, 'attentionOf' | 'config' | 'journal' | 'ports'>,
): Promise<AttentionFound[]> {
  const { attentionOf, journal, config, ports } = wallet;
  const { accounts: inUse, claimed, networks } = await config.read();
  const accounts = [...inUse, ...claimed];
  const isKnown = ({ networkId, accountId }: SubmissionRecord) =>
    accounts.some((account) => account.networkId === networkId && account.accountId === accountId);
  const { records: stored, damaged } = await journal.everything();
  const all = stored.reverse();
  const exchanges = new Map(networks.map((network) => [network.id, exchangeId(network)]));
  const place = ({ networkId, accountId }: Pick<SubmissionRecord, 'networkId' | 'accountId'>) =>
    `${exchanges.get(networkId)} ${accountId}`;
  const keyUpdates = all.filter(({ operation, state }) => changesKey(operation) && !isFinal(state)).map(place);
  const waiting = new Set((await journal.needsAttention()).map(({ id }) => id));
  const records = all.filter((record) => {
    if (!isKnown(record)) return false;
    if (waiting.has(record.id)) return true;
    const age = ports.now() - lastChangeAt(record);
    return record.slot !== undefined && isIdTaken(record) && age < REFUSAL_AGE_MS && !isOvercome(record, all, place);
  });
  const items: AttentionFound[] = [
    ...(await attentionOf.approvals()),
    ...(await Promise.all(records.map(async (record) => submissionItem(record, await isAside(wallet, record))))),
    ...(
      await Promise.all(
        accounts.map((one) => attentionOf.account(one, claimed.includes(one) || keyUpdates.includes(place(one)))),
      )
    ).flat(),
    ...(await attentionOf.tokens()),
    ...(await attentionOf.proofs()),
    ...damaged.map((id) => ({
      id: `damaged:${id}`,
      kind: 'damaged' as const,
      account: null,
      subject: { key: 'attention_entry', values: { id: { kind: 'text', text: id.slice(0, 8) } as const } },
      actions: ['export', 'dismiss'] as const,
    })),
  ];
  const pages = await ports.withheldPages();
  if (pages.length > 0)
    items.push({
      id: 'hidden',
      kind: 'hidden',
      account: null,
      subject: { key: 'attention_pages' },
      actions: ['allow', 'dismiss'],
      origins: pages,
    });
  const gone = new Set(await dismissed(wallet));
  return [...new Map(items.filter(({ id }) => !gone.has(id)).map((item) => [item.id, item])).values()];
}
