import { availableParallelism } from 'node:os';
import { bytesToHex, getAddress } from 'viem';
import { z } from 'zod';
import { cloneCreationCode } from '../protocol/create2.ts';
import { MAX_FEE_BIPS, REQUESTS_PER_SECOND } from '../protocol/limits.ts';
import { DAY_MS } from '../protocol/time.ts';
import { areUrls, databaseUrls } from './db/databaseUrls.ts';
import { developmentMarket, marketConfig } from './market.ts';
import { isPlaceholder, operatorKeys } from './operator/operatorKeys.ts';

const address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, 'is not an address')
  .transform((text) => getAddress(text));

/** No contract of any chain: what is signed for it counts nowhere else. */
export const DEVELOPMENT_EXCHANGE = getAddress('0x00000000000000000000000000000000e8c4a96e');

const httpUrl = z.url({ protocol: /^https?$/, hostname: /^[^,]+$/, error: 'is not one http:// or https:// URL' });
const postgresUrl = z
  .string()
  .regex(/^postgres(ql)?:\/\//, { error: 'is not a postgres:// URL', abort: true })
  .refine(areUrls, 'is not a URL; percent-encode the password');
const integer = (least: number, most: number) => z.coerce.number().int().min(least).max(most);
const bips = integer(0, MAX_FEE_BIPS);
const duration = (defaultMs: number) => integer(1, DAY_MS).default(defaultMs);

/** Settings of one relayer process, checked before anything starts. */
export const relayerConfig = z
  .strictObject({
    host: z.string().default('127.0.0.1').describe('address to listen on'),
    port: integer(0, 65_535).default(4510).describe('port; 0 takes a free one'),
    operationsPort: integer(0, 65_535)
      .optional()
      .describe('port for metrics and health; 0 takes a free one; without it, metrics are served with dev alone'),
    operationsHost: z.string().default('127.0.0.1').describe('address of that port'),
    operatorKeys: operatorKeys
      .optional()
      .describe('name:key of each caller of the operator interface on the operations port, comma between (secret)'),
    drainMs: integer(0, 12_000)
      .default(5_000)
      .describe('after SIGTERM: how long requests are still served while /ready says no'),
    publicUrls: z
      .array(httpUrl.transform((url) => new URL(url).href.replace(/\/+$/, '')))
      .default([])
      .describe('base URLs under which clients reach the relayer; request signatures name one of them'),
    dataDir: z.string().min(1).optional().describe('folder of the embedded database; in memory when absent'),
    snapshotDir: z
      .string()
      .min(1)
      .optional()
      .describe('folder that gets the state after each finalized block, as a file; none when absent'),
    databaseUrl: postgresUrl
      .optional()
      .describe('PostgreSQL URL, of several hosts the one that takes writes; replaces the embedded database'),
    databaseStandbyUrl: postgresUrl
      .refine((url) => databaseUrls(url).length === 1, 'names several servers')
      .optional()
      .describe('PostgreSQL URL of one standby of that server, from which histories and market data are read'),
    databaseConnections: integer(2, 200).default(10).describe('connections of this process to each PostgreSQL server'),
    databasePooler: z
      .boolean()
      .default(false)
      .describe('DATABASE_URL leads to a pooler of transactions, such as PgBouncer with pool_mode=transaction'),
    databaseWaitMs: duration(60_000).describe('how long a start waits for a database that is not up yet'),
    dev: z.boolean().default(false).describe('serve /dev routes (faucet, clock, blocks); loopback only'),
    devOnPostgres: z.boolean().default(false).describe('allow --dev on DATABASE_URL, which may hold real accounts'),
    chainId: z.coerce.number().int().min(1).default(31_337).describe('number of the L1 chain'),
    exchangeAddress: address.prefault(DEVELOPMENT_EXCHANGE).describe('exchange contract'),
    depositAddress: address.prefault('0x000000000000000000000000000000000000de90').describe('deposit contract'),
    operatorAddress: address
      .prefault('0x000000000000000000000000000000000000fee1')
      .describe('owner of the account that collects fees'),
    brokerAddress: address
      .prefault('0x000000000000000000000000000000000000b40c')
      .describe('receives the fee of contract deployments'),
    nftFactory: address.prefault('0xc852aC7aAe4b0f0a0Deb9e8A391ebA2047d80026').describe('official NFT factory'),
    nftImplementation: address
      .prefault('0xb25f6d711aebf954fb0265a3b29f7b9beba7e55d')
      .describe('implementation behind the contracts of the official NFT factory'),
    walletFactory: address
      .prefault('0x0000000000000000000000000000000000fac701')
      .describe('factory of counterfactual smart wallets'),
    walletProxyCode: z
      .string()
      .regex(/^0x([0-9a-fA-F]{2})+$/, 'is not 0x and whole bytes')
      .transform((text) => text as `0x${string}`)
      .prefault(bytesToHex(cloneCreationCode('0x00000000000000000000000000000000001111aa')))
      .describe('creation code of the wallets that this factory deploys'),
    l1Url: httpUrl.optional().describe('JSON-RPC endpoint of the L1 chain; the built-in development chain when absent'),
    l1HeadMaxAgeMs: duration(1_800_000).describe('how old the newest block of the L1 node may be'),
    gasPriceMaxAgeMs: duration(7_200_000).describe('how long the last gas price holds while the L1 chain gives none'),
    l1DeployerKey: z
      .string()
      .regex(/^0x[0-9a-fA-F]{64}$/, 'is not a private key')
      .optional()
      .describe('L1 key that pays for contract deployments (secret)'),
    apiKeySecret: z
      .string()
      .min(32, 'has fewer than 32 characters')
      .refine((secret) => !isPlaceholder(secret), 'is the one of the guide, which everybody knows')
      .optional()
      .describe('secret from which API keys are derived; made and kept in the database when absent (secret)'),
    market: marketConfig.prefault(developmentMarket).describe('tokens, markets and pools'),
    makerBips: bips.default(0).describe('fee rate of resting orders, ten-thousandths'),
    takerBips: bips.default(20).describe('fee rate of taking orders, ten-thousandths'),
    nftBips: bips.default(50).describe('fee rate of NFT orders, ten-thousandths'),
    keyUpdatesByOldKey: z
      .boolean()
      .default(false)
      .describe('take key updates that the old account key alone signed, without the owner'),
    requestsPerSecond: integer(1, 1_000_000)
      .default(REQUESTS_PER_SECOND)
      .describe('of one client to one endpoint; four times as many where the document has no limit'),
    maxConcurrentRequests: integer(1, 100_000)
      .default(1_000)
      .describe('requests worked on at a time; more are answered 503'),
    maxPushConnections: integer(0, 100_000).default(5_000).describe('WebSocket connections; more are refused'),
    maxPushConnectionsPerClient: integer(1, 100_000).default(50).describe('of them from one address'),
    // A longer message than the queue would end the connection of a client that reads fast.
    pushQueueBytes: integer(300_000, 100_000_000)
      .default(1_000_000)
      .describe('what waits for a client that reads slowly; with more its connection ends'),
    pushPingMs: duration(30_000).describe('from one ping of a connection to the next'),
    pushSilenceMs: duration(120_000).describe('without a sign of life for so long a connection ends'),
    signatureThreads: integer(0, 64)
      .default(Math.min(4, availableParallelism() - 1))
      .describe('threads that check signatures under load; 0 checks them on the event loop'),
    trustProxy: z.boolean().default(false).describe('take the client address from X-Forwarded-For'),
    trustedProxies: integer(1, 10)
      .default(1)
      .describe('proxies in a row that each append to X-Forwarded-For; the first has seen the client'),
    engine: z
      .enum(['timer', 'stepped', 'off'])
      .default('timer')
      .describe('who moves requests: a timer, /dev/blocks, nobody'),
    engineIntervalMs: duration(250).describe('from one round of the engine to the next'),
    blockSize: integer(1, 10_000).default(64).describe('transactions that seal a block'),
    blockAgeMs: duration(3_000).describe('age that seals a block with at least one transaction'),
    confirmBlocks: z
      .enum(['time', 'report'])
      .default('time')
      .describe('what confirms a pending block: its age too, or only a report of the operator that it is on layer 1'),
    confirmAfterMs: duration(3_000).describe('pending → confirmed, by time'),
    finalizeAfterMs: duration(10_000).describe('confirmed → finalized'),
    deployAfterMs: duration(5_000).describe('built-in chain: time until deployed code is visible'),
    bodyLimitBytes: integer(1024, 10_000_000).default(65_536).describe('longest body of a request'),
    logLevel: z
      .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
      .default('info')
      .describe('least level that is logged'),
  })
  .superRefine((config, context) => {
    const complain = (setting: string, message: string) =>
      context.addIssue({ code: 'custom', path: [setting], message });
    if (config.dev && !isLoopback(config.host))
      complain('dev', `/dev routes hand out money; they are refused on ${config.host} and served on loopback only`);
    if (config.dev && config.databaseUrl !== undefined && !config.devOnPostgres)
      complain('dev', '/dev routes hand out money; on PostgreSQL they need devOnPostgres as well');
    if (config.dataDir !== undefined && config.databaseUrl !== undefined)
      complain('databaseUrl', 'dataDir and databaseUrl exclude each other');
    if (config.databaseStandbyUrl !== undefined && config.databaseUrl === undefined)
      complain('databaseStandbyUrl', 'a standby belongs to a PostgreSQL server; set databaseUrl');
    if (config.operatorKeys !== undefined && config.operationsPort === undefined)
      complain('operatorKeys', 'the operator interface is served on the operations port only; set operationsPort');
    if (config.trustedProxies > 1 && !config.trustProxy)
      complain('trustedProxies', 'without trustProxy no proxy is trusted; set trustProxy');
    if (config.makerBips > config.takerBips)
      complain(
        'makerBips',
        `${config.makerBips} is above takerBips ${config.takerBips}: resting orders would pay more than taking ones`,
      );
    if (!config.dev && config.engine === 'stepped')
      complain('engine', 'the stepped engine is moved by /dev/blocks; needs dev');
  });

/** Settings that an exchange with money in it must name; their defaults are for development. */
const PRODUCTION = [
  'l1Url',
  'market',
  'chainId',
  'exchangeAddress',
  'depositAddress',
  'operatorAddress',
  'brokerAddress',
  'confirmBlocks',
  'publicUrls',
] as const;
/** Needed too by a relayer that pays for deployments. */
const DEPLOYING = ['nftFactory', 'nftImplementation'] as const;

/**
 * Checks the settings of one process.
 * @throws {z.ZodError} Something is not valid, or without `dev` is missing or for development.
 */
export function readConfig(input: RelayerConfigInput): RelayerConfig {
  const config = relayerConfig.parse(input);
  if (config.dev) return config;
  const required = [...PRODUCTION, ...(config.l1DeployerKey === undefined ? [] : DEPLOYING)];
  const missing = required.filter((setting) => input[setting] === undefined).map((setting) => [setting]);
  refuse(missing, 'is required; only --dev has a default for it');
  const seeds = config.market.pools.flatMap(({ seed }, index) => (seed ? [['market', 'pools', index, 'seed']] : []));
  refuse(seeds, 'is put in with --dev only; the first join gives a pool its liquidity');
  return config;
}

function refuse(paths: readonly (string | number)[][], message: string): void {
  if (paths.length > 0)
    throw new z.ZodError(paths.map((path) => ({ code: 'custom', path, message, input: undefined })));
}

export type RelayerConfig = z.output<typeof relayerConfig>;
export type RelayerConfigInput = z.input<typeof relayerConfig>;

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/** All settings, secrets and URL credentials hidden, for one line of the log at the start. */
export function describeConfig(config: RelayerConfig): Record<string, unknown> {
  const { l1DeployerKey, apiKeySecret, operatorKeys, databaseUrl, databaseStandbyUrl, l1Url, market, ...open } = config;
  return {
    ...open,
    database:
      databaseUrl === undefined
        ? (config.dataDir ?? 'in memory')
        : databaseUrls(databaseUrl).map(hidePassword).join(' '),
    standby: databaseStandbyUrl === undefined ? 'none' : hidePassword(databaseStandbyUrl),
    l1: l1Url === undefined ? 'built-in development chain' : new URL(l1Url).origin,
    l1DeployerKey: l1DeployerKey === undefined ? 'none' : 'set',
    apiKeySecret: apiKeySecret === undefined ? 'in the database' : 'set',
    operatorKeys: operatorKeys?.map(({ name }) => name).join(' ') ?? 'none',
    markets: market.markets.map(({ base, quote }) => `${base}-${quote}`).join(' '),
  };
}

function hidePassword(databaseUrl: string): string {
  try {
    const url = new URL(databaseUrl);
    url.password = '';
    url.username = '';
    url.search = '';
    return url.toString();
  } catch {
    return 'set';
  }
}
