import { startEmbedded, startOnPostgres } from './startRelayer.ts';

/**
 * Both databases of the relayer, for `describe.each`: the same tests speak HTTP to a relayer on
 * each.
 */
export const databases = [
  { name: 'PGlite', start: startEmbedded },
  { name: 'PostgreSQL', start: startOnPostgres },
] as const;

/** Databases are made and migrated before a hook ends; a cold machine takes its time. */
export const START_TIMEOUT_MS = 420_000;
