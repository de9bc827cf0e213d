import { sentenceText } from '../../shared/format.ts';
import { exactDecimal } from '../../shared/numbers.ts';
import { type ActivityLine, isIncoming } from './activityLine.ts';

const columns = [
  'time',
  'operation',
  'sentence',
  'status',
  'origin',
  'account',
  'hash',
  'storageId',
  'id',
  'block',
  'received',
  'paid',
  'token',
  'fee',
  'feeToken',
] as const;
type Row = Readonly<Record<(typeof columns)[number], string | number | null>>;

function rowOf(line: ActivityLine): Row {
  const event = line.event ?? line.move;
  // What is not settled, or failed, moved nothing: the columns can be summed for a token. The sums
  // lack what has no event with its amounts: the other token of a trade, of which the exchange
  // gives a rounded price only, joins and exits of pools, what was paid for NFTs, and fees of key
  // updates.
  const settled = line.status === 'processed' ? event : undefined;
  const isWhole = settled?.amount.token || settled?.nftData !== undefined;
  const amount = settled && isWhole ? exactDecimal(settled.amount.volume, settled.amount.token?.decimals ?? 0) : null;
  const fee = settled?.fee ?? null;
  const incoming = event !== undefined && isIncoming(event);
  return {
    time: new Date(line.createdAt).toISOString(),
    operation: line.operation,
    sentence: sentenceText(line.sentence),
    status: line.status,
    origin: line.origin,
    account: line.account,
    hash: line.hash,
    storageId: line.storageId,
    id: line.id,
    block: line.block,
    received: incoming ? amount : null,
    paid: incoming ? null : amount,
    token: event ? (event.amount.token?.symbol ?? event.nftData ?? null) : null,
    fee: fee && exactDecimal(fee.volume, fee.token.decimals),
    feeToken: fee === null ? null : fee.token.symbol,
  };
}

/**
 * One cell of RFC 4180. What a spreadsheet would run as a formula gets an apostrophe in front:
 * texts come from sites.
 */
function cell(value: string | number | null): string {
  const text = value === null ? '' : String(value);
  const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The list as a spreadsheet reads it: a header, one line an entry, CRLF. */
export function activityCsv(lines: readonly ActivityLine[]): string {
  const rows = lines.map(rowOf).map((row) => columns.map((column) => cell(row[column])).join(','));
  return `${[columns.join(','), ...rows].join('\r\n')}\r\n`;
}

/** The same for programs. */
export const activityJson = (lines: readonly ActivityLine[]): string =>
  `${JSON.stringify(lines.map(rowOf), null, 2)}\n`;
