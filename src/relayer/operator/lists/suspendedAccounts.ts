import type { OperatorList } from '../operatorList.ts';

export const suspendedAccounts: OperatorList = {
  summary: 'accounts that are suspended',
  rows: ({ db }, { after, limit }) =>
    db.query(
      `SELECT account_id AS number, owner FROM accounts WHERE suspended AND account_id > $1 ORDER BY account_id LIMIT $2`,
      [after, limit],
    ),
};
