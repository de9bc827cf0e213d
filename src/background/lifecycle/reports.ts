import type { Failure } from '../../messaging/views.ts';
import { once } from '../../protocol/once.ts';
import { z } from '../../protocol/zod.ts';
import { expected, type Trace } from '../../report/report.ts';
import { readableOf } from '../../storage/lenient.ts';
import type { Ports } from '../ports.ts';
import { createMutex } from './mutex.ts';

const KEY = 'failures';
/** Different failures kept, the newest. */
const MOST = 200;

const failure = once(() =>
  z.object({
    at: z.number(),
    count: z.number(),
    where: z.string(),
    name: z.string(),
    code: z.nullable(z.string()),
    stack: z.array(z.string()),
  }),
);

const isSame = (one: Trace, other: Trace): boolean =>
  one.where === other.where &&
  one.name === other.name &&
  one.code === other.code &&
  one.stack.join() === other.stack.join();

/**
 * Keeps the wallet's failures in `storage.session`: they outlive the worker and end with the
 * browser.
 */
export function createReports({ now, session }: Pick<Ports, 'now' | 'session'>) {
  const alone = createMutex();
  const read = async (): Promise<Failure[]> => readableOf(failure(), await session.get(KEY));

  async function keep(trace: Trace, at: number): Promise<void> {
    const all = await read();
    const same = all.find((other) => isSame(other, trace));
    const met: Failure = { ...trace, at, count: (same?.count ?? 0) + 1 };
    await session.set({ [KEY]: [met, ...all.filter((other) => other !== same)].slice(0, MOST) });
  }

  return {
    /** Entered one after another; a store that fails keeps none. */
    add(trace: Trace): void {
      const at = now();
      alone(() => keep(trace, at)).catch(expected);
    },
    /** The newest first. */
    list: (): Promise<readonly Failure[]> => alone(read),
  };
}
