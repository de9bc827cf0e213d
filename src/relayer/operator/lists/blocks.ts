import type { OperatorList } from '../operatorList.ts';

export const blocks: OperatorList = {
  summary: 'sealed blocks whose submission was not reported',
  rows: ({ db }, { after, limit }) =>
    db.query(
      `SELECT block_id AS number, status, size AS transactions, created_at AS "createdAt"
       FROM blocks WHERE submitted_at IS NULL AND status <> 'open' AND block_id > $1 ORDER BY block_id LIMIT $2`,
      [after, limit],
    ),
};
