import pg from 'pg';
import { type Db, INT8_OID, NUMERIC_OID, type Sql, type SqlValue, toWire, withRetry } from './port.ts';

/** Texts of statements seen so far, each with the name under which a connection prepares it once. */
const statementNames = new Map<string, string>();

function statementName(text: string): string {
  let name = statementNames.get(text);
  if (name === undefined) {
    name = `s${statementNames.size + 1}`;
    statementNames.set(text, name);
  }
  return name;
}

const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === INT8_OID) return (text: string) => Number(text);
    if (oid === NUMERIC_OID) return (text: string) => BigInt(text);
    return pg.types.getTypeParser(oid, format as 'text');
  },
};

/**
 * A PostgreSQL server. Several relayer processes may share one database.
 * @param databaseUrl - `postgres://…`
 * @param maxConnections - connections of this process; the server's `max_connections` bounds the sum.
 */
export async function openPostgres(databaseUrl: string, maxConnections = 10): Promise<Db> {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: maxConnections,
    types: types as pg.CustomTypesConfig,
    statement_timeout: 15_000,
    idle_in_transaction_session_timeout: 30_000,
    connectionTimeoutMillis: 10_000,
    application_name: 'countersign-relayer',
  });
  // A connection that breaks while idle is dropped by the pool; without a listener Node would end the process.
  pool.on('error', () => {});
  const over = (runner: Pick<pg.PoolClient, 'query'>): Sql => ({
    query: async <Row>(text: string, values: readonly SqlValue[] = []) =>
      (await runner.query({ name: statementName(text), text, values: values.map(toWire) })).rows as Row[],
  });
  await pool.query('SELECT 1');
  return {
    kind: 'postgres',
    query: over(pool as unknown as pg.PoolClient).query,
    transaction: (work) =>
      withRetry(async () => {
        const client = await pool.connect();
        let broken: Error | undefined;
        try {
          await client.query('BEGIN');
          const result = await work(over(client));
          await client.query('COMMIT');
          return result;
        } catch (error) {
          await client.query('ROLLBACK').catch((failure: Error) => {
            broken = failure;
          });
          throw error;
        } finally {
          client.release(broken);
        }
      }),
    script: async (text) => {
      await pool.query(text);
    },
    close: () => pool.end(),
  };
}
