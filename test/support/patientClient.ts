import { createRelayerClient, type RelayerClient } from '../../src/client/index.ts';

/**
 * A client of a test's own relayer, which may be slow on a busy machine: what a wallet gives up
 * after six seconds is waited for.
 */
export const patientClient = (baseUrl: string): RelayerClient => createRelayerClient({ baseUrl, timeoutMs: 120_000 });
