import { MAX_LIMIT } from '../protocol/fields.ts';

/** Rows of one answer; the most that the interface gives. */
export const PAGE = MAX_LIMIT;
/** Rows that a page shares with the one before. */
const SHARED = 5;
/**
 * Pages of one list. More rows than an account has slots, with room for those that are read again.
 */
const MOST_PAGES = 400;

/** A relayer lists on and on. */
export class EndlessList extends Error {
  override readonly name = 'EndlessList';

  constructor() {
    super("the relayer's list does not end");
  }
}

/** Rows of a list from an offset on, and how many the whole list has. */
interface Page<Row> {
  readonly rows: readonly Row[];
  readonly totalNum: number;
}

/**
 * Reads a list to its end. Rows move up while it is read, because rows before them end: a page that
 * shares none with the ones before may follow a gap, so the page before it is read again. No row
 * that stays in the list is left out, and none comes twice.
 * @param readPage - At most `PAGE` rows; some relayers give fewer at once.
 * @throws {EndlessList} While it is iterated.
 */
export async function* everyRow<Row>(
  readPage: (offset: number) => Promise<Page<Row>>,
  idOf: (row: Row) => string,
): AsyncGenerator<Row, void, undefined> {
  const known = new Set<string>();
  let [offset, step, knownAtEnd, hasRows] = [0, 0, -1, false];
  for (let pages = 0; pages < MOST_PAGES; pages++) {
    const { rows, totalNum } = await readPage(offset);
    const isJoined = offset === 0 || rows.some((row) => known.has(idOf(row)));
    if (!isJoined) {
      if (rows.length === 0) {
        // Rows before this page were read again, and none was new: `totalNum` is too high.
        if (hasRows && known.size === knownAtEnd) return;
        [knownAtEnd, hasRows] = [known.size, false];
      }
      offset = Math.max(0, offset - step);
      continue;
    }
    hasRows ||= rows.length > 0;
    for (const row of rows) {
      if (known.has(idOf(row))) continue;
      known.add(idOf(row));
      yield row;
    }
    if (rows.length === 0 || (rows.length < PAGE && offset + rows.length >= totalNum)) return;
    step = Math.max(1, rows.length - SHARED);
    offset += step;
  }
  throw new EndlessList();
}
