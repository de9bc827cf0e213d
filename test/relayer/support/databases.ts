import type { RelayerConfigInput } from '../../../src/relayer/config.ts';
import { createDatabase } from './postgresCluster.ts';
import { startRelayer, type TestRelayer } from './startRelayer.ts';

/**
 * Both databases of the relayer, for `describe.each`: the same tests speak HTTP to a relayer on
 * each.
 */
export const databases = [
  { name: 'PGlite', start: startRelayer },
  { name: 'PostgreSQL', start: startOnPostgres },
] as const;

/** Databases are made and migrated before a hook ends; a cold machine takes its time. */
export const START_TIMEOUT_MS = 420_000;

export async function startOnPostgres(input: RelayerConfigInput = {}): Promise<TestRelayer> {
  const database = await createDatabase({ migrated: true });
  const test = await startRelayer({ ...input, databaseUrl: database.url });
  return {
    ...test,
    close: async () => {
      await test.close();
      await database.drop();
    },
  };
}
