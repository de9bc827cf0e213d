import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GROUP_ORDER, parseSignature, SUBGROUP_ORDER } from '../../src/crypto/index.ts';
import { auditDatabase } from './support/audit.ts';
import { START_TIMEOUT_MS } from './support/databases.ts';
import { startOnPostgres, type TestRelayer } from './support/startRelayer.ts';

const FOLDER = join(import.meta.dirname, '../foreign/loopring-sdk');

interface Step {
  readonly step: string;
  // biome-ignore lint/suspicious/noExplicitAny: bodies and answers of every kind.
  readonly body: any;
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  readonly answer: any;
}

function installSdk(): void {
  if (existsSync(join(FOLDER, 'node_modules/@loopring-web/loopring-sdk/package.json'))) return;
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: FOLDER, stdio: 'ignore' });
}

async function runClient(environment: Record<string, string>): Promise<Map<string, Step>> {
  const child = spawn(process.execPath, ['client.mjs'], {
    cwd: FOLDER,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let errors = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  const steps = output
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Step);
  if (code !== 0) throw new Error(`${errors.slice(-2000)}\nlast steps: ${JSON.stringify(steps.slice(-2))}`);
  return new Map(steps.map((step) => [step.step, step]));
}

/** Changes one thing that each request signs. */
const tampering: Readonly<Record<string, (body: object) => object>> = {
  '/api/v3/order': (body) => ({ ...body, validUntil: 4_000_000_000 }),
  '/api/v3/transfer': (body) => ({ ...body, payeeAddr: ELSEWHERE }),
  '/api/v3/user/withdrawals': (body) => ({ ...body, to: ELSEWHERE }),
  '/api/v3/account': (body) => ({ ...body, validUntil: 4_000_000_000 }),
  '/api/v3/nft/mint': (body) => ({ ...body, amount: '11' }),
  '/api/v3/nft/transfer': (body) => ({ ...body, toAddress: ELSEWHERE }),
  '/api/v3/nft/withdrawal': (body) => ({ ...body, to: ELSEWHERE }),
  '/api/v3/amm/join': (body) => ({ ...body, fee: '999999999999999' }),
  '/api/v3/amm/exit': (body) => ({ ...body, maxFee: '999999999999999' }),
};
const ELSEWHERE = '0x00000000000000000000000000000000000000E1';

interface Passed {
  readonly path: string;
  readonly body: { readonly eddsaSignature?: string };
  /** Code of the same request with one signed thing changed, sent before the real one. */
  readonly tamperedCode: number | undefined;
  /** Whether the relayer recognises the same bytes afterwards. */
  readonly recognised: boolean;
}

/**
 * Stands between the client and the relayer: sees every submission and tries it changed before and
 * again after.
 */
async function startProxy(target: () => string): Promise<{ url: string; passed: Passed[]; close(): void }> {
  const passed: Passed[] = [];
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const path = (request.url ?? '').split('?')[0] ?? '';
    const headers = Object.fromEntries(
      ['x-api-key', 'x-api-sig', 'content-type']
        .filter((name) => request.headers[name] !== undefined)
        .map((name) => [name, String(request.headers[name])]),
    );
    const forward = async (body: string) => {
      const init: RequestInit = { method: request.method ?? 'GET', headers };
      if (body !== '') init.body = body;
      const reply = await fetch(new URL(request.url ?? '/', target()), init);
      return { status: reply.status, text: await reply.text() };
    };
    const tamper = request.method === 'POST' ? tampering[path] : undefined;
    const changed = tamper ? await forward(JSON.stringify(tamper(JSON.parse(text)))) : undefined;
    const reply = await forward(text);
    if (changed) {
      const again = await forward(text);
      passed.push({
        path,
        body: JSON.parse(text),
        tamperedCode: JSON.parse(changed.text).resultInfo?.code,
        recognised: JSON.parse(again.text).isIdempotent === true,
      });
    }
    response.writeHead(reply.status, { 'content-type': 'application/json' }).end(reply.text);
  };
  // A client may give its request up while it is read.
  const server = createServer((request, response) => {
    respond(request, response).catch(() => response.destroy());
  });
  // Above every pause of the client: a server that closes an idle connection first can meet a
  // request on its way.
  server.keepAliveTimeout = 120_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, passed, close: () => server.close().closeAllConnections() };
}

describe('the public SDK as a client', () => {
  let test: TestRelayer;
  let proxy: Awaited<ReturnType<typeof startProxy>>;
  let steps: Map<string, Step>;
  beforeAll(async () => {
    installSdk();
    const l1Key = generatePrivateKey();
    // The SDK computes NFT contracts for the chains that it knows; the factory here is mainnet's.
    proxy = await startProxy(() => test.relayer.url);
    test = await startOnPostgres({
      chainId: 1,
      publicUrls: [proxy.url],
      engine: 'timer',
      engineIntervalMs: 100,
      blockAgeMs: 200,
      deployAfterMs: 200,
    });
    await test.call('POST', '/dev/faucet', { body: { owner: privateKeyToAccount(l1Key).address } });
    steps = await runClient({
      RELAYER_URL: proxy.url,
      CHAIN_ID: '1',
      L1_KEY: l1Key,
      PAYEE: privateKeyToAccount(generatePrivateKey()).address,
    });
  }, 2 * START_TIMEOUT_MS);
  afterAll(async () => {
    proxy.close();
    await test.close();
  });

  const answer = (step: string) => steps.get(step)?.answer;

  it('reads exchange info, account, storage id, balances and fees', () => {
    expect(answer('exchangeInfo')).toMatchObject({ exchangeAddress: test.place.exchange, chainId: 1 });
    expect(answer('account')).toMatchObject({ nonce: 0 });
    expect(answer('storageId')).toEqual({ orderId: 0, offchainId: 1 });
    expect(answer('balances')).toHaveLength(2);
    expect(answer('offchainFee').fees.length).toBeGreaterThan(0);
  });

  it.each([
    'accountUpdate',
    'transfer',
    'withdrawal',
    'nftMint',
    'nftTransfer',
    'nftWithdrawal',
    'ammJoin',
    'ammExit',
    'secondAccountUpdate',
  ])('has its %s accepted', (step) => {
    expect(answer(step)).toMatchObject({ status: 'received', isIdempotent: false, hash: expect.stringMatching(/^0x/) });
  });

  it('asks with an empty parameter, with one that is not known here, and without a key', () => {
    expect(answer('orders').orders.map(({ clientOrderId }: { clientOrderId: string }) => clientOrderId)).toEqual([
      'foreign-1',
    ]);
    expect(answer('nftTransferHistory')).toMatchObject({ totalNum: 1, transfers: [{ amount: '2' }] });
    expect(answer('nftTransactionHistory').transactions).toHaveLength(answer('nftTransactionHistory').totalNum);
    expect(answer('nftTransactionHistory').totalNum).toBeGreaterThanOrEqual(2);
    expect(answer('poolSnapshot')).toMatchObject({ poolName: 'AMM-LRC-ETH', pooled: [{ tokenId: 1 }, { tokenId: 0 }] });
  });

  it.each(['extraFee', 'nftExtraFee'])('is told a fee of extra requests: %s', (step) => {
    expect(answer(step).fees.map(({ fee }: { fee: string }) => BigInt(fee) > 0n)).toContain(true);
  });

  it('submits and cancels an order, and deploys a contract', () => {
    expect(answer('submitOrder')).toMatchObject({ status: 'processing', clientOrderId: 'foreign-1' });
    expect(answer('cancelOrder')).toMatchObject({ status: 'cancelled', hash: answer('submitOrder').hash });
    expect(answer('nftDeploy')).toMatchObject({ status: 'SEND_TX_SUCCESS' });
  });

  it('loses its API key with the key update and gets another', () => {
    expect(answer('apiKey').apiKey).not.toBe(answer('newApiKey').apiKey);
    expect(answer('oldApiKey').code ?? answer('oldApiKey').resultInfo.code).toBe(104002);
    expect(answer('replacedApiKey').apiKey).toHaveLength(64);
  });

  it('has signatures that only the wider rule for S accepts among those that were accepted', () => {
    const wide = proxy.passed
      .map(({ body }) => body.eddsaSignature)
      .filter((signature) => signature !== undefined)
      .map((signature) => parseSignature(signature).S);
    expect(wide.length).toBeGreaterThanOrEqual(7);
    expect(wide.every((s) => s < GROUP_ORDER)).toBe(true);
    // Each is below the subgroup order with a chance of one in eight.
    expect(wide.some((s) => s >= SUBGROUP_ORDER)).toBe(true);
  });

  it('is refused when anything signed is changed on the way, and recognised when it sends the same again', () => {
    expect(new Set(proxy.passed.map(({ path }) => path))).toEqual(new Set(Object.keys(tampering)));
    for (const { path, tamperedCode, recognised } of proxy.passed)
      expect({ path, tamperedCode, recognised }).toEqual({ path, tamperedCode: 104005, recognised: true });
  });

  it('leaves the books in order', async () => {
    expect(await auditDatabase(test.relayer.db)).toEqual([]);
  });
});
