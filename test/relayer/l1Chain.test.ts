import { createServer } from 'node:net';
import type { Logger } from 'pino';
import { encodeErrorResult, type Hex, keccak256, parseAbi } from 'viem';
import { expect, it, onTestFinished } from 'vitest';
import { DEVELOPMENT_EXCHANGE } from '../../src/relayer/config.ts';
import { createRelayer } from '../../src/relayer/createRelayer.ts';
import type { Relayer } from '../../src/relayer/engine/relayer.ts';
import { askL1 } from '../../src/relayer/engine/signatures.ts';
import { jsonRpcChain } from '../../src/relayer/l1/jsonRpcChain.ts';
import { createTroubleLog } from '../../src/relayer/server/troubleLog.ts';
import { START_TIMEOUT_MS } from './support/databases.ts';
import { startFakeL1Node } from './support/fakeL1Node.ts';
import { startRelayer } from './support/startRelayer.ts';

/**
 * Contract wallets, approvals and code are read from the L1 node: a node of another chain would
 * decide who may move money.
 */

const WRONG = 'the L1 node is of chain 1, the exchange of chain 31337';

async function startNode() {
  const node = await startFakeL1Node();
  onTestFinished(() => node.close());
  return node;
}

it(
  'a relayer does not start on the node of another chain',
  async () => {
    const node = await startNode();
    node.chainId = '0x1';
    await expect(createRelayer({ dev: true, port: 0, logLevel: 'silent', l1Url: node.url })).rejects.toThrow(WRONG);
    expect(new Set(node.asked)).toEqual(new Set(['eth_chainId 0x']));
  },
  START_TIMEOUT_MS,
);

it(
  'a relayer starts while its node says nothing',
  async () => {
    const server = createServer((socket) => socket.on('error', () => {}));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as { port: number };
    const test = await startRelayer({ l1Url: `http://127.0.0.1:${port}` });
    onTestFinished(() => test.close());
    expect((await test.call('GET', '/api/v3/timestamp')).status).toBe(200);
  },
  START_TIMEOUT_MS,
);

it('no answer of a node counts before its chain was compared, also after a lost call', async () => {
  const node = await startNode();
  const chain = chainOf(node.url);
  node.chainId = '0x1';
  await expect(chain.getGasPrice()).rejects.toThrow(WRONG);
  expect(node.asked).not.toContain('eth_gasPrice 0x');
  node.chainId = '0x7a69';
  expect(await chain.getGasPrice()).toBe(1_000_000_000n);
  await chain.getCode(DEVELOPMENT_EXCHANGE);
  expect(node.asked.filter((asked) => asked.startsWith('eth_chainId'))).toHaveLength(2);

  // The next node behind the URL is another one.
  node.fate = 'neverArrives';
  node.chainId = '0x1';
  await expect(chain.broadcast('0x02')).rejects.toThrow(WRONG);
  await expect(chain.getCode(DEVELOPMENT_EXCHANGE)).rejects.toThrow(WRONG);
});

const WALLET = '0x00000000000000000000000000000000000000a1';
const chainOf = (url: string, deployerKey?: Hex) =>
  jsonRpcChain({
    ...{ url, chainId: 31_337, headMaxAgeMs: 60_000, now: Date.now },
    exchangeAddress: DEVELOPMENT_EXCHANGE,
    deployerKey,
  });

it('a node that stopped at an old block decides nothing: its wallets may have other owners by now', async () => {
  const node = await startNode();
  node.headAge = 90;
  const chain = chainOf(node.url);
  node.callError = { code: 3, message: 'execution reverted' };
  const asking = [
    () => chain.getCode(WALLET),
    () => chain.isValidSignature(WALLET, keccak256('0x'), '0x02'),
    () => chain.getGasPrice(),
  ];
  for (const ask of asking)
    await expect(ask()).rejects.toThrow(/newest block of the L1 node is \d+ ms old; see l1Head/);
  expect(new Set(node.asked)).toEqual(new Set(['eth_chainId 0x', 'eth_getBlockByNumber latest']));
  node.headAge = 30;
  expect(await chain.getCode(WALLET)).toBe('0x');
});

it('a deployment on a chain without a base fee is refused before it is paid, as it could never be sent', async () => {
  const node = await startNode();
  const chain = chainOf(node.url, `0x${'1'.padStart(64, '0')}`);
  const contract = { address: WALLET, factory: WALLET, owner: WALLET, baseUri: '' } as const;
  expect(await chain.deploymentGas(contract)).toBe(node.estimate);
  node.hasBaseFee = false;
  await expect(chain.deploymentGas(contract)).rejects.toThrow('EIP-1559');
});

it('code of a wallet that fails, in the words of any node, is its no; trouble of the node is no answer', async () => {
  const node = await startNode();
  const chain = chainOf(node.url);
  const ask = () => chain.isValidSignature(WALLET, `0x${'12'.repeat(32)}`, '0x12');
  for (const [code, message] of [
    [3, 'execution reverted: LENGTH'],
    [-32000, 'execution reverted'],
    [-32000, 'out of gas'],
    [-32000, 'invalid opcode: INVALID'],
    [-32000, 'stack underflow (0 <=> 1)'],
    [-32000, 'stack limit reached 1024 (1023)'],
    [-32000, 'invalid jump destination'],
    [-32000, 'write protection'],
    [-32015, 'VM execution error.'],
    [-32603, 'EVM error OutOfGas'],
  ] as const) {
    node.callError = { code, message };
    expect(await ask(), message).toBe(false);
  }
  // What the contract may take of the node's time: 500,000.
  expect(node.lastCall).toMatchObject({ gas: '0x7a120' });
  for (const [code, message] of [
    [-32000, 'header not found'],
    [-32000, 'missing trie node 0xef12 (path )'],
    [-32000, 'execution aborted (timeout = 5s)'],
    [-32005, 'daily request count exceeded, request rate limited'],
    [-32603, 'Internal error'],
  ] as const) {
    node.callError = { code, message };
    await expect(ask(), message).rejects.toThrow(message);
  }
});

it('the four bytes of EIP-1271, alone in one word, are a wallet’s yes, and nothing else is', async () => {
  const node = await startNode();
  const chain = chainOf(node.url);
  const ask = () => chain.isValidSignature(WALLET, `0x${'12'.repeat(32)}`, '0x12');
  const yes = `0x1626ba7e${'0'.repeat(56)}` as const;
  node.callResult = yes;
  expect(await ask()).toBe(true);
  for (const answer of [
    '0x',
    '0x1626ba7e',
    `${yes}${'0'.repeat(64)}`,
    `0x1626ba7e${'0'.repeat(55)}1`,
    `0x${'0'.repeat(56)}1626ba7e`,
    `0xffffffff${'0'.repeat(56)}`,
  ] as const) {
    node.callResult = answer;
    expect(await ask(), answer).toBe(false);
  }
});

it('a node in trouble says neither that a transaction can never come nor that a factory refuses', async () => {
  const node = await startNode();
  const chain = chainOf(node.url, `0x${'1'.padStart(64, '0')}`);
  const transaction = { address: WALLET, txHash: keccak256('0x'), nonce: 0 } as const;
  node.minedNonce = 1;
  expect(await chain.fateOf(transaction)).toBe('superseded');
  for (const method of ['eth_getTransactionReceipt', 'eth_getTransactionByHash']) {
    node.failing.add(method);
    await expect(chain.fateOf(transaction), method).rejects.toThrow('header not found');
    node.failing.delete(method);
  }
  node.failing.add('eth_estimateGas');
  const contract = { address: WALLET, factory: WALLET, owner: WALLET, baseUri: '' } as const;
  await expect(chain.deploymentGas(contract)).rejects.toThrow('header not found');
});

it('a wallet contract cannot make the relayer fetch what it names (CCIP read)', async () => {
  const node = await startNode();
  let fetched = 0;
  const other = createServer((socket) => {
    fetched++;
    socket.on('error', () => {}).destroy();
  });
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void other.close());
  const { port } = other.address() as { port: number };
  node.callError = {
    code: 3,
    message: 'execution reverted',
    data: encodeErrorResult({
      abi: parseAbi(['error OffchainLookup(address sender, string[] urls, bytes call, bytes4 reply, bytes extra)']),
      args: [WALLET, [`http://127.0.0.1:${port}/{sender}`], '0x', '0x12345678', '0x'],
    }),
  };
  expect(await chainOf(node.url).isValidSignature(WALLET, `0x${'12'.repeat(32)}`, '0x12')).toBe(false);
  expect(fetched).toBe(0);
});

it('a node that cannot be asked is logged with its cause and without its address, which may hold a key', async () => {
  const node = await startNode();
  node.close();
  const lines: { cause: string }[] = [];
  const log = { error: (line: { cause: string }) => lines.push(line) } as unknown as Logger;
  const relayer = { trouble: createTroubleLog(log) } as unknown as Relayer;
  const ask = () => askL1(relayer, () => chainOf(`${node.url}/secret`).getCode(WALLET));
  await expect(Promise.all([ask(), ask()])).rejects.toThrow('the L1 chain could not be asked');
  await expect(ask()).rejects.toThrow('the L1 chain could not be asked');
  expect(lines[0]?.cause).toContain('HTTP request failed');
  expect(JSON.stringify(lines)).not.toContain('secret');
});
