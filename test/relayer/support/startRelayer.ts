import type { RelayerConfigInput } from '../../../src/relayer/config.ts';
import { createRelayer, type RunningRelayer } from '../../../src/relayer/createRelayer.ts';
import { type Caller, callerOf, type Exchange, TestAccount } from './testAccount.ts';

/** A real relayer on a free port, with time stepped by the test and without the rate limit unless asked for. */
export interface TestRelayer {
  readonly relayer: RunningRelayer;
  readonly place: Exchange;
  readonly call: Caller;
  /** An owner with the faucet's tokens, a registered key and an API key. */
  account(tokens?: { symbol: string; amount: string }[]): Promise<TestAccount>;
  /** Settles, matches and seals. */
  block(): Promise<void>;
  advance(ms: number): Promise<void>;
  close(): Promise<void>;
}

export async function startRelayer(input: RelayerConfigInput = {}): Promise<TestRelayer> {
  const relayer = await createRelayer({
    dev: true,
    devOnPostgres: true,
    port: 0,
    engine: 'stepped',
    logLevel: 'silent',
    requestsPerSecond: 100_000,
    ...input,
  });
  const call = callerOf(relayer.url);
  const { body: info } = await call('GET', '/api/v3/exchange/info');
  const place = { url: relayer.url, exchange: info.exchangeAddress, chainId: info.chainId };
  return {
    relayer,
    place,
    call,
    account: async (tokens) => (await new TestAccount(place).faucet(tokens)).activate(),
    block: async () => {
      await call('POST', '/dev/blocks');
    },
    advance: async (ms) => {
      await call('POST', '/dev/clock', { body: { advanceMs: ms } });
    },
    close: () => relayer.close(),
  };
}
