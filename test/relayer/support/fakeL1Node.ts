import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type Hex,
  keccak256,
  numberToHex,
  parseTransaction,
  recoverTransactionAddress,
  type TransactionSerialized,
} from 'viem';

/**
 * A JSON-RPC node over HTTP whose answers to `eth_sendRawTransaction` the test slows down, loses or
 * withholds.
 */
export interface FakeL1Node {
  readonly url: string;
  /** Every transaction that reached the node, as often as it did. */
  readonly received: Hex[];
  /** Methods and their first parameter, as they were asked. */
  readonly asked: string[];
  /** Answer to `eth_chainId`. */
  chainId: Hex;
  /** ms before a transaction is answered. */
  sendDelayMs: number;
  /** What happens to the next transactions after they were received. */
  fate: 'taken' | 'answerLost' | 'neverArrives';
  /** Blocks on top of the one that holds code, receipts and used nonces. */
  confirmations: number;
  /** Addresses with code. */
  readonly code: Map<string, Hex>;
  /** Transactions that wait to be carried out, by hash. */
  readonly pool: Map<string, Hex>;
  /** Receipts by transaction hash. */
  readonly receipts: Map<string, 'success' | 'reverted'>;
  /** Transactions that the deployer's account sent and that were carried out. */
  minedNonce: number;
  /** With which words every transaction is refused; empty for none. */
  refusesSending: string;
  /** Makes every estimate revert, as a factory that refuses. */
  refusesEstimates: boolean;
  /** wei */
  gasPrice: bigint;
  /** Whether blocks name a base fee, as EIP-1559 has it. */
  hasBaseFee: boolean;
  /** Seconds since the newest block. */
  headAge: number;
  /** Gas that every estimate answers. */
  estimate: bigint;
  /** The last `eth_call`. */
  lastCall: { readonly gas?: Hex };
  /** Methods that fail by trouble of the node itself. */
  readonly failing: Set<string>;
  /** What every `eth_call` answers; it fails while this is absent. */
  callResult: Hex | undefined;
  /** How every `eth_call` fails. */
  callError: { readonly code: number; readonly message: string; readonly data?: Hex };
  close(): void;
}

/** Number of the newest block. */
const HEAD = 1_000;

interface Call {
  readonly id: number;
  readonly method: string;
  readonly params?: readonly [Hex?, string?];
}

export async function startFakeL1Node(): Promise<FakeL1Node> {
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const { id, method, params = [] } = JSON.parse(await text(request)) as Call;
    const answer = (result: unknown) => response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
    const refuse = (code: number, message: string) =>
      response.end(JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } }));
    response.setHeader('content-type', 'application/json');
    const [first = '0x', second] = params;
    /** Whether the block that a question names, `latest` or by its number, has everything. */
    const sees = () => !second?.startsWith('0x') || Number(second) >= HEAD - node.confirmations;
    node.asked.push(`${method} ${first}`);
    if (node.failing.has(method)) return refuse(-32000, 'header not found');
    switch (method) {
      case 'eth_chainId':
        return answer(node.chainId);
      case 'eth_gasPrice':
      case 'eth_maxPriorityFeePerGas':
        return answer(numberToHex(node.gasPrice));
      case 'eth_estimateGas':
        return node.refusesEstimates ? refuse(3, 'execution reverted') : answer(numberToHex(node.estimate));
      case 'eth_call':
        node.lastCall = first as unknown as FakeL1Node['lastCall'];
        if (node.callResult !== undefined) return answer(node.callResult);
        return response.end(JSON.stringify({ jsonrpc: '2.0', id, error: node.callError }));
      case 'eth_getCode':
        return answer((sees() && node.code.get(first.toLowerCase())) || '0x');
      case 'eth_blockNumber':
        return answer(numberToHex(HEAD));
      case 'eth_getBlockByNumber':
        return answer({
          ...{ number: numberToHex(HEAD), transactions: [] },
          timestamp: numberToHex(Math.floor(Date.now() / 1000) - node.headAge),
          ...(node.hasBaseFee ? { baseFeePerGas: numberToHex(node.gasPrice) } : {}),
        });
      case 'eth_getTransactionCount': {
        const pending = second === 'pending' ? node.pool.size : 0;
        return answer(numberToHex((sees() ? node.minedNonce : 0) + pending));
      }
      case 'eth_getTransactionByHash':
        return answer(
          node.pool.has(first) ? { hash: first, nonce: '0x0', type: '0x2', value: '0x0', gas: '0x1' } : null,
        );
      case 'eth_getTransactionReceipt': {
        const status = node.receipts.get(first);
        return answer(
          status
            ? {
                ...{ transactionHash: first, status: status === 'success' ? '0x1' : '0x0', logs: [] },
                blockNumber: numberToHex(HEAD - node.confirmations),
              }
            : null,
        );
      }
      case 'eth_sendRawTransaction': {
        if (node.refusesSending) return refuse(-32000, node.refusesSending);
        node.received.push(first);
        await new Promise((resolve) => setTimeout(resolve, node.sendDelayMs));
        const hash = keccak256(first);
        if (node.fate !== 'neverArrives') {
          if (node.pool.has(hash)) return refuse(-32000, 'already known');
          node.pool.set(hash, first);
        }
        return node.fate === 'taken' ? answer(hash) : request.socket.destroy();
      }
      default:
        return refuse(-32601, `no method ${method}`);
    }
  };
  // A client may give its request up while it is read.
  const server = createServer((request, response) => {
    respond(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const node: FakeL1Node = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received: [],
    asked: [],
    chainId: '0x7a69',
    sendDelayMs: 0,
    fate: 'taken',
    confirmations: 100,
    code: new Map(),
    receipts: new Map(),
    pool: new Map(),
    minedNonce: 0,
    refusesEstimates: false,
    gasPrice: 1_000_000_000n,
    hasBaseFee: true,
    headAge: 12,
    estimate: 60_000n,
    lastCall: {},
    failing: new Set(),
    callResult: undefined,
    callError: { code: 3, message: 'execution reverted' },
    refusesSending: '',
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return node;
}

/** Who sent a transaction, and with which nonce. */
export async function sentBy(raw: Hex): Promise<{ from: Hex; nonce: number }> {
  const { nonce = 0 } = parseTransaction(raw);
  return { from: await recoverTransactionAddress({ serializedTransaction: raw as TransactionSerialized }), nonce };
}

async function text(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
