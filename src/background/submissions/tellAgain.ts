import type { Journal, SubmissionRecord } from '../../journal/index.ts';
import { once } from '../../protocol/once.ts';
import { HOUR_MS } from '../../protocol/time.ts';
import { z } from '../../protocol/zod.ts';
import { entry } from '../../storage/entry.ts';
import type { Ports } from '../ports.ts';

const form = once(() => z.number());

/**
 * Time of the last start, in `storage.session`: pages that the browser opens anew have heard
 * nothing, and ask.
 */
const lastStart = (ports: Pick<Ports, 'session'>) => entry(ports, 'session', 'last-start', form);

/** A clock that is set back by this much is past the last start again before it is noticed. */
const MARGIN_MS = 60_000;

/**
 * At each start: tells pages once more how submissions stand that have changed since the start
 * before. A worker that stops right after a change has told nobody, and nothing looks at an end
 * again.
 */
export async function tellAgain(
  {
    journal,
    ports,
  }: { readonly journal: Pick<Journal, 'isBegun' | 'list'>; readonly ports: Pick<Ports, 'now' | 'session'> },
  tell: (record: SubmissionRecord) => Promise<void>,
): Promise<void> {
  // Nothing is stored before there is a wallet.
  if (!(await journal.isBegun())) return;
  const last = await lastStart(ports).read();
  const now = ports.now();
  // A clock that was set back since may have dated a change before the last start.
  const changedSince = (last ?? 0) > now ? now - HOUR_MS : (last ?? 0) - MARGIN_MS;
  const changed = last === undefined ? [] : await journal.list({ changedSince });
  // The last copy of a request says what became of it.
  for (const record of changed.reverse()) await tell(record);
  // Stored last, so that what is interrupted is repeated at the next start.
  await lastStart(ports).write(now);
}
