import { plainList } from '../operatorList.ts';

export const blocks = plainList(
  'sealed blocks whose submission was not reported',
  `SELECT block_id AS number, status, size AS transactions, created_at AS "createdAt"
   FROM blocks WHERE submitted_at IS NULL AND status <> 'open' AND block_id > $1 ORDER BY block_id LIMIT $2`,
);
