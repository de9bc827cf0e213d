import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Hex } from 'viem';
import { useFastCore } from '../crypto/fast.ts';
import { type RelayerConfig, type RelayerConfigInput, readConfig } from './config.ts';
import { createLog } from './createLog.ts';
import { atMost } from './db/atMost.ts';
import { openSchema } from './db/migrate.ts';
import { openPglite } from './db/pglite.ts';
import { type Db, isDatabaseTrouble, type Sql } from './db/port.ts';
import { openPostgres, readConnections, wrongSetting } from './db/postgres.ts';
import { standbyReads } from './db/standby.ts';
import { apiKeyLookup, databaseSecret } from './engine/apiKeys.ts';
import { loadCatalog } from './engine/catalog.ts';
import { catalogVersion } from './engine/catalogVersion.ts';
import { type Clock, openClock } from './engine/clock.ts';
import { contractCode } from './engine/contractCode.ts';
import { openDeployment } from './engine/deployment.ts';
import { deploymentGas } from './engine/deploymentGas.ts';
import { createEngine, type Engine } from './engine/engine.ts';
import { createFaults } from './engine/faults.ts';
import { takesJoins } from './engine/fees.ts';
import { orderRecorder } from './engine/orders/recordOrders.ts';
import type { Relayer } from './engine/relayer.ts';
import { signatureThreads } from './engine/signatureThreads.ts';
import { snapshotsIn } from './engine/state/snapshotFiles.ts';
import { createSnapshots } from './engine/state/snapshots.ts';
import { createStateKeeper } from './engine/state/stateKeeper.ts';
import { Refusal } from './errors.ts';
import { developmentChain } from './l1/developmentChain.ts';
import { jsonRpcChain } from './l1/jsonRpcChain.ts';
import { type L1Chain, WrongL1Chain } from './l1/port.ts';
import { createTurns } from './mutex.ts';
import { createPushServer, type PushServer } from './push/pushServer.ts';
import { createApp } from './server/app.ts';
import { addGauges } from './server/gauges.ts';
import { createHealth } from './server/health.ts';
import { createMetrics } from './server/metrics.ts';
import { operationsApp } from './server/operations.ts';
import { sharedRates } from './server/sharedRates.ts';
import { createTroubleLog } from './server/troubleLog.ts';
import { type RunningServer, startServer } from './startServer.ts';
import { within } from './within.ts';

/** A relayer that listens. */
export interface RunningRelayer {
  /** Base URL, without trailing slash. */
  readonly url: string;
  readonly port: number;
  readonly config: RelayerConfig;
  /** Moves the engine by hand; the way of tests that step time. */
  readonly engine: Engine;
  readonly db: Db;
  /** Port of metrics and health, when they have one of their own. */
  readonly operationsPort: number | undefined;
  /**
   * Serves on for `drainMs` while not ready, stops listening, lets running requests end, closes the
   * database.
   */
  close(options?: { readonly drainMs?: number }): Promise<void>;
}

/**
 * Starts a relayer.
 * @param input - see `config.ts`; without `dev` some settings are required.
 * @throws {z.ZodError} A setting is not valid. Also whatever opening the database or the port
 *   throws.
 */
export async function createRelayer(input: RelayerConfigInput): Promise<RunningRelayer> {
  const config = readConfig(input);
  const log = createLog(config);
  log.debug({ core: useFastCore() }, 'signatures are checked by this core');
  await refuseSurroundings(config);
  const db = await openDatabase(config, log, openSchema);
  try {
    return await listen(config, log, db);
  } catch (error) {
    await db.close();
    throw error;
  }
}

const RETRY_MS = 1_000;
/** How long the end waits for running requests, and then for those to the operations port. */
const REQUESTS_MS = 5_000;
const METRICS_MS = 1_000;
/**
 * How long a process goes on with what another one has changed: halted pairs, limits, the clock.
 */
const SHARED_STATE_MS = 1_000;
/** Lists of one account that may wait for the one that is read; each takes a place of a request. */
const LISTS_WAITING = 8;

/**
 * Opens the database of a relayer.
 * @param prepare - brings its schema up to date, or refuses it.
 */
export async function openDatabase(
  config: RelayerConfig,
  log: Logger,
  prepare: (db: Db) => Promise<void>,
): Promise<Db> {
  const db =
    config.databaseUrl === undefined
      ? await openPglite(config.dataDir)
      : await openWhenUp(config, config.databaseUrl, log);
  try {
    await prepare(db);
    return db;
  } catch (error) {
    await db.close();
    throw error;
  }
}

/** Opens PostgreSQL; one that is not up yet is waited for, so that both may be started together. */
async function openWhenUp(config: RelayerConfig, databaseUrl: string, log: Logger): Promise<Db> {
  const until = performance.now() + config.databaseWaitMs;
  for (;;)
    try {
      return await openPostgres(databaseUrl, config.databaseConnections, config.databasePooler);
    } catch (error) {
      const wrong = wrongSetting(error);
      if (wrong !== undefined) throw new Error(`DATABASE_URL: ${wrong.message}`, { cause: wrong });
      // Refusals of a running server (password, database name) are final, except that it is
      // starting or full.
      if (!isDatabaseTrouble(error) || performance.now() + RETRY_MS > until) throw error;
      log.warn({ cause: (error as Error).message }, 'the database is not up yet');
      await sleep(RETRY_MS);
    }
}

async function listen(config: RelayerConfig, log: Logger, db: Db): Promise<RunningRelayer> {
  const clock = await openClock(db);
  const l1 = chainOf(config, db, clock);
  await openDeployment(db, config, clock.now());
  let version = await catalogVersion(db);
  let catalog = await loadCatalog(db);
  let begun = 0;
  let newest = 0;
  const readCatalog = async (sql: Sql) => {
    const reading = ++begun;
    const now = await catalogVersion(sql);
    if (now === version) return;
    const read = await loadCatalog(sql);
    // A reading that began earlier and ends later would bring back what was changed.
    if (reading < newest) return;
    [catalog, version, newest] = [read, now, reading];
  };
  const metrics = createMetrics();
  const trouble = createTroubleLog(log);
  const { databaseStandbyUrl, databaseConnections: connections, databasePooler: pooled } = config;
  // From 7 connections on, slow reads leave one to key lookups, readiness and the engine.
  const primary = db.kind === 'postgres' ? atMost(Math.max(1, readConnections(connections) - 1), db) : db;
  const standby =
    databaseStandbyUrl === undefined
      ? undefined
      : standbyReads(
          primary,
          { url: databaseStandbyUrl, connections, pooled },
          (server) => metrics.count('history_reads_total', { server }),
          trouble,
        );
  const histories = standby ?? primary;
  const inTurn = createTurns<number>(LISTS_WAITING);
  const baseUrls: string[] = [...config.publicUrls];
  // From here to the servers nothing may fail: a start that failed would leave a timer behind.
  const apiKeySecret = config.apiKeySecret ?? (await databaseSecret(db));
  let engine: Engine | undefined;
  let push: PushServer | undefined;
  const relayer: Relayer = {
    config,
    db,
    histories,
    historiesOf: async (accountId, read) => {
      const list = inTurn(accountId, () => read(histories));
      if (list) return list;
      throw new Refusal('UNKNOWN_ERROR', `${LISTS_WAITING} lists of the account wait already; wait a second`, 429);
    },
    clock,
    log,
    metrics,
    baseUrls,
    l1,
    codeOf: contractCode({ l1, clock }),
    deploymentGasOf: deploymentGas({ db, l1, clock }),
    sharedRates: db.kind === 'postgres' ? sharedRates(db) : undefined,
    get catalog() {
      return catalog;
    },
    readCatalog,
    faults: createFaults(),
    trouble,
    signatures: signatureThreads(config.signatureThreads, metrics, log),
    state: createStateKeeper({ config, db, clock, log, metrics }),
    snapshots: config.snapshotDir === undefined ? undefined : createSnapshots(db, config.snapshotDir, log),
    accountOfApiKey: apiKeyLookup(db),
    recordOrder: (order) => recordOrder(order),
    apiKeySecret,
    wake: () => {
      engine?.wake();
      push?.accepted();
    },
    committed: () => push?.wake(),
  };
  for (const pool of catalog.pools)
    if (pool.enabled && !takesJoins(relayer, pool))
      log.warn({ pool: pool.name }, 'nobody can join this pool: its second token pays no fees');
  const recordOrder = orderRecorder(relayer);
  let isReading = false;
  const readShared = async () => {
    if (isReading) return;
    isReading = true;
    try {
      await clock.reload();
      await readCatalog(db);
    } catch {
      // A database in trouble is told of by the requests that meet it.
    } finally {
      isReading = false;
    }
  };
  engine = createEngine(relayer);
  const endGauges = addGauges(relayer, engine);
  const health = createHealth(relayer, engine);
  const pushes = createPushServer(relayer);
  push = pushes;
  let server: RunningServer | undefined;
  let operations: RunningServer | undefined;
  try {
    server = await startServer(createApp(relayer, engine, health).fetch, config);
    pushes.attach(server.http);
    if (config.operationsPort !== undefined)
      operations = await startServer(operationsApp(relayer, health).fetch, {
        host: config.operationsHost,
        port: config.operationsPort,
      });
  } catch (error) {
    endGauges();
    relayer.sharedRates?.stop();
    await pushes.stop();
    await server?.close(0);
    throw error;
  }
  // A reading that is slow is the only one: while a database hangs they would pile up.
  const shared = setInterval(() => void readShared(), SHARED_STATE_MS);
  shared.unref();
  const { port } = server;
  const host = config.host.includes(':') ? `[${config.host}]` : config.host;
  const url = `http://${host}:${port}`;
  // A signature for a relayer on the signer's own machine must not open a public one on the same
  // port.
  if (baseUrls.length === 0) baseUrls.push(url, `http://localhost:${port}`);
  engine.start();
  const running = engine;
  let closed: Promise<void> | undefined;
  return {
    url,
    port,
    config,
    engine,
    db,
    operationsPort: operations?.port,
    close: ({ drainMs = 0 } = {}) => {
      closed ??= (async () => {
        health.drain();
        if (drainMs > 0) pushes.drain();
        await sleep(drainMs);
        clearInterval(shared);
        relayer.sharedRates?.stop();
        const stopped = running.stop();
        await pushes.stop();
        await server.close(REQUESTS_MS);
        // A node that hangs would hold the engine's end up for its timeout, once for each thing
        // that waits for it.
        l1.close();
        await stopped;
        await Promise.all([relayer.signatures.close(), relayer.state.close(), relayer.snapshots?.close()]);
        await standby?.close();
        await db.close();
        // Last, so that metrics are there to the end.
        await operations?.close(METRICS_MS);
        endGauges();
      })();
      return closed;
    },
  };
}

function chainOf(config: RelayerConfig, db: Db, clock: Clock): L1Chain {
  return config.l1Url === undefined
    ? developmentChain({
        db,
        now: clock.now,
        deployAfterMs: config.deployAfterMs,
        nftImplementation: config.nftImplementation,
      })
    : nodeOf(config, config.l1Url, () => Date.now() - clock.skew());
}

const nodeOf = (config: RelayerConfig, url: string, now: () => number): L1Chain =>
  jsonRpcChain({
    url,
    chainId: config.chainId,
    headMaxAgeMs: config.l1HeadMaxAgeMs,
    now,
    exchangeAddress: config.exchangeAddress,
    deployerKey: config.l1DeployerKey as Hex | undefined,
  });

/** How long a start waits for the L1 node to name its chain. */
const L1_START_MS = 3_000;

/**
 * Refuses what a start can know before it opens the database. A node that does not answer in time
 * does not hold the start up: its chain is compared before its first answer counts.
 * @throws {Error} The folder of snapshots cannot be read, or the L1 node is of another chain.
 */
export async function refuseSurroundings(config: RelayerConfig): Promise<void> {
  try {
    if (config.snapshotDir !== undefined) snapshotsIn(config.snapshotDir);
  } catch (error) {
    throw new Error(`snapshotDir: ${(error as Error).message}`);
  }
  if (config.l1Url === undefined) return;
  const l1 = nodeOf(config, config.l1Url, Date.now);
  const compared = l1.expectChain().catch((error) => {
    if (error instanceof WrongL1Chain) throw error;
  });
  await within(compared, L1_START_MS).finally(() => l1.close());
}
