import { afterAll } from 'vitest';
import type { RelayerConfigInput } from '../../src/relayer/config.ts';
import type { RunningRelayer } from '../../src/relayer/createRelayer.ts';
import { startRelayer } from './support.ts';

/** Starts a relayer for all tests of a file, and closes it after the last one. */
export async function relayerOfFile(settings?: RelayerConfigInput): Promise<RunningRelayer> {
  const relayer = await startRelayer(settings);
  afterAll(() => relayer.close());
  return relayer;
}
