import type { ActivityItem } from '../../../messaging/views.ts';
import { sentenceText } from '../../shared/format.ts';

const columns = ['time', 'operation', 'sentence', 'status', 'origin', 'account', 'hash', 'storageId', 'id'] as const;
type Row = Readonly<Record<(typeof columns)[number], string | number | null>>;

const rowOf = (item: ActivityItem): Row => ({
  time: new Date(item.createdAt).toISOString(),
  operation: item.operation,
  sentence: sentenceText(item.sentence),
  status: item.status,
  origin: item.origin,
  account: item.account,
  hash: item.hash,
  storageId: item.storageId,
  id: item.id,
});

/** One cell of RFC 4180. What a spreadsheet would run as a formula gets an apostrophe in front: texts come from sites. */
function cell(value: string | number | null): string {
  const text = value === null ? '' : String(value);
  const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The list as a spreadsheet reads it: a header, one line an entry, CRLF. */
export function activityCsv(items: readonly ActivityItem[]): string {
  const lines = items.map(rowOf).map((row) => columns.map((column) => cell(row[column])).join(','));
  return `${[columns.join(','), ...lines].join('\r\n')}\r\n`;
}

/** The same for programs. */
export const activityJson = (items: readonly ActivityItem[]): string =>
  `${JSON.stringify(items.map(rowOf), null, 2)}\n`;

/** Hands a text to the browser's downloads. */
export function saveFile(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has taken its copy once the click is handled.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
