/** Rate limits that all processes share; unlogged, because they are worthless after a restart. */
export const clientRates = `
CREATE UNLOGGED TABLE client_rates (
  client text PRIMARY KEY,
  busy_until timestamptz NOT NULL
) WITH (fillfactor = 50);
`;
