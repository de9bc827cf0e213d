/**
 * Indexes for what every round of the engine asks, so that an idle engine costs the same after a
 * year as on its first day, and for the orders of a fill, so that old orders can be archived.
 */
export const statusIndexes = `
CREATE INDEX blocks_pending ON blocks (status_at) WHERE status = 'pending';
CREATE INDEX blocks_confirmed ON blocks (status_at) WHERE status = 'confirmed';
CREATE INDEX fills_taker_hash ON fills (taker_hash);
CREATE INDEX fills_maker_hash ON fills (maker_hash) WHERE maker_hash IS NOT NULL;
`;
