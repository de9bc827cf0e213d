import type { Sql } from '../../db/port.ts';
import type { BlockEntry, OpenBlock } from '../blocks.ts';
import type { Relayer } from '../relayer.ts';
import type { RequestRow } from '../requestRow.ts';

/**
 * Carries a received request out: moves balances, spends its freeze, and says what goes into the
 * block, which has to move the same. Runs in the engine's transaction, or in that of a
 * submission which is settled at once, with the request's account locked.
 * @throws {SettlementFailure} the request fails for good; its freeze is released.
 */
export type Settlement = (
  relayer: Relayer,
  tx: Sql,
  request: RequestRow,
  block: Pick<OpenBlock, 'operatorId'>,
) => Promise<readonly BlockEntry[]>;
