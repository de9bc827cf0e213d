import { plainList } from '../operatorList.ts';

export const log = plainList(
  'the audit log: who did what and when, refusals and repeats included',
  `SELECT id AS number, at, operator, action, subject, request, outcome, message
   FROM operator_log WHERE id > $1 ORDER BY id LIMIT $2`,
);
