import { lookForPostgres } from '../../../scripts/prepare.mjs';
import type { RelayerConfigInput } from '../../../src/relayer/config.ts';
import { createRelayer, type RunningRelayer } from '../../../src/relayer/createRelayer.ts';
import { createDatabase } from './postgresCluster.ts';
import { type Caller, callerOf, type Exchange, TestAccount } from './testAccount.ts';

/**
 * A real relayer on a free port, with time stepped by the test and without the rate limit unless
 * asked for.
 */
export interface TestRelayer {
  readonly relayer: RunningRelayer;
  readonly place: Exchange;
  readonly call: Caller;
  /** An owner with the faucet's tokens, a registered key and an API key. */
  account(tokens?: { symbol: string; amount: string }[]): Promise<TestAccount>;
  /** Settles, matches and seals. @throws When the engine fails. */
  block(): Promise<void>;
  advance(ms: number): Promise<void>;
  /**
   * The value of a line of the metrics page, such as `requests_in_progress` or
   * `signature_check_seconds_count{kind="eddsa"}`; 0 without one.
   */
  metric(line: string): Promise<number>;
  close(): Promise<void>;
}

/**
 * A relayer for development that tests of its clients talk to, with a database of its own on the
 * PostgreSQL of the run: in each process the embedded database takes 2 s of processor time before
 * it answers quickly. It serves where no PostgreSQL is installed.
 */
export async function developmentRelayer(input: RelayerConfigInput = {}): Promise<RunningRelayer> {
  const settings = { dev: true, devOnPostgres: true, port: 0, logLevel: 'silent', ...input } as const;
  if (lookForPostgres() === undefined) return createRelayer(settings);
  const { url, drop } = await createDatabase();
  const relayer = await createRelayer({ ...settings, databaseUrl: url });
  return {
    ...relayer,
    close: async (options) => {
      await relayer.close(options);
      await drop();
    },
  };
}

/**
 * A relayer on the database that the input names, else on one of its own on the PostgreSQL of the
 * run, which takes less processor time than the embedded database; that one serves where no
 * PostgreSQL is installed.
 */
export const startRelayer = (input: RelayerConfigInput = {}): Promise<TestRelayer> =>
  input.databaseUrl === undefined && input.dataDir === undefined && lookForPostgres() !== undefined
    ? startOnPostgres(input)
    : startEmbedded(input);

/** The same with a PostgreSQL in any case. */
export async function startOnPostgres(input: RelayerConfigInput = {}): Promise<TestRelayer> {
  const database = await createDatabase();
  const test = await startEmbedded({ ...input, databaseUrl: database.url });
  return {
    ...test,
    close: async () => {
      await test.close();
      await database.drop();
    },
  };
}

/** The same with the embedded database, unless the input names another. */
export async function startEmbedded(input: RelayerConfigInput = {}): Promise<TestRelayer> {
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
  const operationsUrl =
    relayer.operationsPort === undefined ? relayer.url : `http://127.0.0.1:${relayer.operationsPort}`;
  const { status, body: info } = await call('GET', '/api/v3/exchange/info');
  if (status !== 200) throw new Error(`exchange/info answered ${status}: ${JSON.stringify(info)}`);
  const place = { url: relayer.url, exchange: info.exchangeAddress, chainId: info.chainId };
  const step = async (path: string, body?: object) => {
    const reply = await call('POST', `/dev/${path}`, body && { body });
    if (reply.status !== 200) throw new Error(`/dev/${path} answered ${reply.status}: ${JSON.stringify(reply.body)}`);
  };
  return {
    relayer,
    place,
    call,
    account: async (tokens) => (await new TestAccount(place).faucet(tokens)).activate(),
    block: () => step('blocks'),
    advance: (ms) => step('clock', { advanceMs: ms }),
    metric: async (line) => {
      const { body } = await callerOf(operationsUrl)('GET', '/metrics');
      const prefix = `relayer_${line} `;
      const found = (body as string).split('\n').find((text) => text.startsWith(prefix));
      return Number(found?.slice(prefix.length) ?? 0);
    },
    close: () => relayer.close(),
  };
}
