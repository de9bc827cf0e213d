import type { z } from 'zod';
import type { Sql } from '../db/port.ts';
import type { Relayer } from '../engine/relayer.ts';

/**
 * Something that the operator reports or decides: `POST /operator/<name>`. It happens in one
 * transaction with its line in the audit log.
 */
export interface OperatorAction<Schema extends z.ZodObject> {
  /** One sentence, for the command's help. */
  readonly summary: string;
  readonly body: Schema;
  /** Subject of the action, as the audit log names it. */
  readonly subject: (body: z.output<Schema>) => string;
  /**
   * @returns `repeated` when this was done before, so that nothing was changed now, and what the
   *   answer says beside it.
   * @throws {OperatorRefusal} It cannot be done; nothing was changed.
   */
  readonly perform: (
    relayer: Relayer,
    tx: Sql,
    body: z.output<Schema>,
  ) => Promise<{ readonly repeated: boolean; readonly [fact: string]: unknown }>;
}

export type AnyOperatorAction = OperatorAction<z.ZodObject>;

export function operatorAction<Schema extends z.ZodObject>(action: OperatorAction<Schema>): AnyOperatorAction {
  return action as unknown as AnyOperatorAction;
}
