const statuses = { unauthorized: 401, invalid: 400, unknown: 404, contradiction: 409, early: 409 } as const;

/**
 * Why an operator's request is refused: no valid key; a field that is wrong; something that does
 * not exist here; a report that contradicts what was reported or done before; a report that comes
 * before what it depends on.
 */
export type OperatorReason = keyof typeof statuses;

/**
 * The operator interface says no, and nothing was changed. Becomes
 * `{ error: { reason, message } }`.
 */
export class OperatorRefusal extends Error {
  override readonly name = 'OperatorRefusal';
  readonly reason: OperatorReason;

  constructor(reason: OperatorReason, message: string) {
    super(message);
    this.reason = reason;
  }

  get status(): (typeof statuses)[OperatorReason] {
    return statuses[this.reason];
  }
}
