import type { OperatorList } from '../operatorList.ts';

export const log: OperatorList = {
  summary: 'the audit log: who did what and when, refusals and repeats included',
  rows: ({ db }, { after, limit }) =>
    db.query(
      `SELECT id AS number, at, operator, action, subject, request, outcome, message
       FROM operator_log WHERE id > $1 ORDER BY id LIMIT $2`,
      [after, limit],
    ),
};
