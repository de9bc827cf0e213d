import { plainList } from '../operatorList.ts';

export const suspendedAccounts = plainList(
  'accounts that are suspended',
  `SELECT account_id AS number, owner FROM accounts WHERE suspended AND account_id > $1 ORDER BY account_id LIMIT $2`,
);
