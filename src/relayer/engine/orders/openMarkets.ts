/**
 * True for rows of `orders` whose market is not halted. Asked of the table in each step of the engine, so that a halt holds
 * from its commit on, whatever a process remembers of its markets.
 */
export const IN_OPEN_MARKET = 'market IN (SELECT market FROM markets WHERE enabled)';
