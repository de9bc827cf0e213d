import { createStandingApprovals, type StandingApproval } from '../../src/background/sites/standingStore.ts';
import { createHarness, draftOf } from '../journal/harness.ts';
import { now as NOW, tokens } from '../operations/facts.ts';
import { createFaultyArea } from '../support/faultyArea.ts';
import { createPromiseLock } from '../support/promiseLock.ts';

export const SITE = 'https://site.example';
export const OTHER = 'https://other.example';
const [ETH, LRC] = tokens as [(typeof tokens)[0], (typeof tokens)[0]];

/**
 * At most 100 LRC in an order and 300 in all, for at least 0.05 ETH each; two signatures a minute,
 * for an hour.
 */
export const terms = {
  operations: ['submitOrder', 'cancelOrder'],
  sellTokenId: 1,
  buyTokenId: 0,
  minPrice: '0.05',
  orderVolume: '100',
  totalVolume: '300',
  rate: { requests: 2, seconds: 60 },
  validUntil: NOW + 3_600,
} satisfies StandingApproval['terms'];

export const standingOf = (id: string, changes: Partial<StandingApproval> = {}) => ({
  id,
  origin: SITE,
  account: 'mine',
  endsWithLock: true,
  terms,
  shown: { sell: LRC, buy: ETH, market: 'LRC-ETH', side: 'SELL' as const },
  ...changes,
});

/** Standing approvals in their store, over the real journal and without a wallet around them. */
export function createStandingStage() {
  const harness = createHarness();
  const journal = harness.start();
  const { clock } = harness;
  const [local, session] = [createFaultyArea(), createFaultyArea()];
  const ports = { local: local.area, lock: createPromiseLock(), now: () => clock.ms, session: session.area };
  const standing = createStandingApprovals(ports, journal);
  return {
    ...{ clock, journal, local, session, standing },
    /** Ids of those in force, newest first. */
    activeIds: async (of?: { origin?: string; account?: string }) =>
      (await standing.active(of)).map(({ approval }) => approval.id),
    /** Id and reason of each in the list. */
    ends: async () => (await standing.list()).map(({ id, ended }) => [id, ended?.reason ?? null]),
    /** Counts a signature. */
    sign: (ruleId: string, sold: bigint) => journal.reserve(draftOf(), { spend: { ruleId, amounts: { sold } } }),
  };
}
