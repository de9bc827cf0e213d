import type { Sql } from '../db/port.ts';
import type { FeesConfig } from '../market.ts';

/** Key of the fees in the settings of a database. */
export const FEES_SETTING = 'fees';

/** The part of the market file that says who pays what, in one form for the same meaning. */
export function feesText({ tiers, accounts, collections }: FeesConfig): string {
  const sorted = <Value>(entries: Readonly<Record<string, Value>>) =>
    Object.fromEntries(
      Object.entries(entries)
        .map(([name, value]) => [name.toLowerCase(), value] as const)
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    );
  return JSON.stringify({ tiers: sorted(tiers), accounts: sorted(accounts), collections: sorted(collections) });
}

export async function loadFees(sql: Sql): Promise<FeesConfig> {
  const [row] = await sql.query<{ value: string }>('SELECT value FROM settings WHERE key = $1', [FEES_SETTING]);
  return row ? (JSON.parse(row.value) as FeesConfig) : { tiers: {}, accounts: {}, collections: {} };
}
