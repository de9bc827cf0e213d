import { type ChildProcess, spawn } from 'node:child_process';
import { Agent, request as httpRequest } from 'node:http';
import { createInterface } from 'node:readline';
import { createDatabase } from '../relayer/support/postgresCluster.ts';
import { callerOf, TestAccount } from '../relayer/support/testAccount.ts';
import type { BenchRow, BenchRun } from './support/report.ts';

/**
 * Orders that relayers accept with every check, durably: PostgreSQL with fsync, relayer processes as an operator runs them,
 * the engine matching meanwhile, and one client process that sends orders signed beforehand. All of it shares this machine's
 * cores, so the client and the database take their part of what is measured.
 */
const ACCOUNTS = 40;
const ORDERS_PER_ACCOUNT = 75;
const CONCURRENCY = 32;
const ether = 10n ** 18n;

export const run: BenchRun = async (say) => {
  const rows: BenchRow[] = [];
  const notes: string[] = [];
  for (const processes of [1, 2]) {
    say(
      `${processes} ${processes === 1 ? 'process' : 'processes'} on PostgreSQL: ${ACCOUNTS * ORDERS_PER_ACCOUNT} orders`,
    );
    const result = await measure(processes);
    const label = `${processes} ${processes === 1 ? 'process' : 'processes'}`;
    rows.push(
      { what: `${label}: accepted orders a second`, ours: result.perSecond, unit: '/s' },
      { what: `${label}: answer, median`, ours: result.p50, unit: 'ms' },
      { what: `${label}: answer, 99th percentile`, ours: result.p99, unit: 'ms' },
      { what: `${label}: processor time an order`, ours: result.cpuMsPerOrder, unit: 'ms' },
      { what: `${label}: of it signature checks`, ours: result.signatureMsPerOrder, unit: 'ms' },
      { what: `${label}: orders that a second of processor time carries`, ours: 1000 / result.cpuMsPerOrder, unit: '' },
    );
    notes.push(
      `${label}: signature checks take ${Math.round((100 * result.signatureMsPerOrder) / result.cpuMsPerOrder)} % of the relayers' processor time, engine included.`,
    );
  }
  notes.push(
    `fsync on; ${CONCURRENCY} requests at a time from one client; client, relayers and database share the machine.`,
  );
  return { rows, notes };
};

interface Measured {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly cpuMsPerOrder: number;
  readonly signatureMsPerOrder: number;
}

async function measure(processes: number): Promise<Measured> {
  const database = await createDatabase({ durable: true });
  const relayers = await Promise.all(Array.from({ length: processes }, () => startProcess(database.url)));
  try {
    const [first] = relayers;
    if (!first) throw new Error('no relayer was started');
    const orders = await prepareOrders(first.url);
    const targets = relayers.map(({ url }) => new URL(url));
    const before = await Promise.all(relayers.map(({ url }) => readMetrics(url)));
    const latencies: number[] = [];
    const agent = new Agent({ keepAlive: true, maxSockets: CONCURRENCY });
    const started = performance.now();
    let next = 0;
    const lane = async () => {
      for (let index = next++; index < orders.length; index = next++) {
        const order = orders[index];
        const target = targets[index % targets.length];
        if (!order || !target) return;
        const sent = performance.now();
        const { status, text } = await post(agent, target, order);
        latencies.push(performance.now() - sent);
        if (status !== 200) throw new Error(`an order was refused: ${text}`);
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, lane));
    const seconds = (performance.now() - started) / 1000;
    const after = await Promise.all(relayers.map(({ url }) => readMetrics(url)));
    agent.destroy();
    latencies.sort((a, b) => a - b);
    const at = (quantile: number) => latencies[Math.floor(quantile * (latencies.length - 1))] ?? 0;
    const grown = (name: 'cpu' | 'signatures') =>
      after.reduce((sum, now, index) => sum + now[name] - (before[index]?.[name] ?? 0), 0);
    return {
      perSecond: orders.length / seconds,
      p50: at(0.5),
      p99: at(0.99),
      cpuMsPerOrder: (1000 * grown('cpu')) / orders.length,
      signatureMsPerOrder: (1000 * grown('signatures')) / orders.length,
    };
  } finally {
    await Promise.all(relayers.map(stop));
    await database.drop();
  }
}

interface ReadyOrder {
  readonly body: string;
  readonly apiKey: string;
}

/** Sells and buys around one price, so that the engine has something to match. */
async function prepareOrders(url: string): Promise<ReadyOrder[]> {
  const { body: info } = await callerOf(url)('GET', '/api/v3/exchange/info');
  const place = { url, exchange: info.exchangeAddress, chainId: info.chainId };
  const accounts: TestAccount[] = [];
  for (let n = 0; n < ACCOUNTS; n++) accounts.push(await (await new TestAccount(place).faucet()).activate());
  const orders: ReadyOrder[] = [];
  for (let n = 0; n < ORDERS_PER_ACCOUNT; n++)
    for (const [index, account] of accounts.entries()) {
      const lrc = 20n * ether;
      const eth = ether / 500n + BigInt((index * 7 + n) % 40) * 10n ** 12n;
      const sells = (index + n) % 2 === 0;
      const order = await account.order(sells ? [1, lrc] : [0, eth], sells ? [0, eth] : [1, lrc], {
        storageId: 2 * n,
        validUntil: Math.floor(Date.now() / 1000) + 86_400,
      });
      orders.push({ body: JSON.stringify(order), apiKey: account.apiKey });
    }
  return orders;
}

function post(agent: Agent, target: URL, { body, apiKey }: ReadyOrder): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(
      {
        agent,
        host: target.hostname,
        port: target.port,
        method: 'POST',
        path: '/api/v3/order',
        headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), 'x-api-key': apiKey },
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk) => {
          text += chunk;
        });
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

async function readMetrics(url: string): Promise<{ cpu: number; signatures: number }> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const value = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? 0);
  return {
    cpu: value('relayer_process_cpu_seconds'),
    signatures: value('relayer_signature_check_seconds_sum\\{kind="eddsa"\\}'),
  };
}

interface Running {
  readonly url: string;
  readonly child: ChildProcess;
}

async function startProcess(databaseUrl: string): Promise<Running> {
  const child = spawn(
    process.execPath,
    [
      '--import',
      'tsx',
      'src/relayer/main.ts',
      '--dev',
      '--port',
      '0',
      '--log-level',
      'warn',
      '--requests-per-second',
      '1000000',
    ],
    { env: { ...process.env, DATABASE_URL: databaseUrl }, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
      const { listening } = JSON.parse(line) as { listening?: string };
      if (listening) resolve(listening);
    });
    child.once('exit', () => reject(new Error('the relayer ended before it listened')));
  });
  return { url, child };
}

function stop({ child }: Running): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
  });
}
