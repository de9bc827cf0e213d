import { keys, read } from './database.ts';
import { JournalError } from './errors.ts';
import { spentSchema } from './record.ts';

/** What one submission uses of a standing approval, at worst. */
export interface Spend {
  readonly ruleId: string;
  /** Counter name (such as `sell:LRC` or `count`) to amount in the token's smallest unit, or to a count. */
  readonly amounts: Readonly<Record<string, bigint>>;
  /** Limit of each counter in `amounts`. */
  readonly limits: Readonly<Record<string, bigint>>;
}

/**
 * Adds to the counters of a standing approval inside the caller's write transaction, before anything is signed. Nothing is ever
 * given back: a submission that fails may still have been signed.
 * @throws {JournalError} `limit-exceeded`; `bad-input` for a negative amount or one without a limit.
 */
export async function consume(objects: IDBObjectStore, { ruleId, amounts, limits }: Spend): Promise<void> {
  const before = (await read(objects, keys.spent(ruleId), spentSchema))?.amounts ?? {};
  const after: Record<string, string> = { ...before };
  for (const [name, amount] of Object.entries(amounts)) {
    const limit = limits[name];
    if (limit === undefined || amount < 0n) {
      throw new JournalError('bad-input', `rule ${ruleId}: ${name} needs a limit and an amount of at least 0`);
    }
    const total = BigInt(before[name] ?? '0') + amount;
    if (total > limit) {
      throw new JournalError('limit-exceeded', `rule ${ruleId}: ${name} would reach ${total} of ${limit}`);
    }
    after[name] = total.toString();
  }
  objects.put({ version: 1, amounts: after }, keys.spent(ruleId));
}
