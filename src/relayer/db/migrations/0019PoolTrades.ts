/** Trades of one pool are read and counted by it, whatever other pools its market has had. */
export const poolTrades = `
CREATE INDEX fills_of_one_pool ON fills (pool_address, id) WHERE pool_address IS NOT NULL;
`;
