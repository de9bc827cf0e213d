import {
  BaseError,
  createPublicClient,
  type EIP1193RequestFn,
  encodeFunctionData,
  type Hex,
  HttpRequestError,
  http,
  keccak256,
  parseAbi,
  RpcRequestError,
  TimeoutError,
  TransactionNotFoundError,
  TransactionReceiptNotFoundError,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { type L1Chain, WrongL1Chain } from './port.ts';

interface Options {
  readonly url: string;
  readonly chainId: number;
  /**
   * Milliseconds that the node's newest block may be old. A node that has stopped at an older one
   * still answers, by what held then.
   */
  readonly headMaxAgeMs: number;
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly exchangeAddress: Hex;
  /** Pays for deployments; without it nothing can be deployed. */
  readonly deployerKey: Hex | undefined;
}

const exchangeAbi = parseAbi([
  'function isTransactionApproved(address owner, bytes32 transactionHash) view returns (bool)',
]);
const walletAbi = parseAbi(['function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)']);
const factoryAbi = parseAbi(['function createNftContract(address owner, string baseURI) payable returns (address)']);

/** Answer of a contract wallet to a valid signature (EIP-1271): four bytes, left in one word. */
const VALID = `0x1626ba7e${'0'.repeat(56)}`;
/** A wallet contract runs foreign code; its answer may cost this much. */
const SIGNATURE_GAS = 500_000n;
const TIMEOUT_MS = 10_000;
/**
 * Blocks on top of what counts as final. Reorganisations are shallower, and so is the difference
 * between the nodes behind one URL. Other than the tag `safe`, every node knows numbers.
 */
const FINAL_DEPTH = 12n;
/** How long a check of the node holds. */
const CHECKED_MS = 15_000;

/** The L1 chain behind a JSON-RPC endpoint. */
export function jsonRpcChain({ url, chainId, headMaxAgeMs, now, exchangeAddress, deployerKey }: Options): L1Chain {
  const closing = new AbortController();
  const transport = http(url, {
    timeout: TIMEOUT_MS,
    retryCount: 2,
    fetchFn: (input, init) =>
      fetch(input, { ...init, signal: AbortSignal.any([closing.signal, ...(init?.signal ? [init.signal] : [])]) }),
  });
  const chain = {
    id: chainId,
    name: `chain ${chainId}`,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [url] } },
  };
  /** `performance.now()` until which the node counts as checked. */
  let checkedUntil = 0;
  let checking: Promise<void> | undefined;
  const check = async (request: EIP1193RequestFn) => {
    const found = Number(await request({ method: 'eth_chainId' }));
    if (found !== chainId)
      throw new WrongL1Chain(
        `the L1 node is of chain ${found}, the exchange of chain ${chainId}: see l1Url and chainId`,
      );
    const head: { timestamp?: unknown } | null = await request({
      method: 'eth_getBlockByNumber',
      params: ['latest', false],
    });
    const age = now() - Number(head?.timestamp) * 1000;
    if (!(age <= headMaxAgeMs)) throw new Error(`the newest block of the L1 node is ${age} ms old; see l1HeadMaxAgeMs`);
    checkedUntil = performance.now() + CHECKED_MS;
  };
  const expectPresent = async (request: EIP1193RequestFn): Promise<void> => {
    if (performance.now() < checkedUntil) return;
    checking ??= check(request).finally(() => {
      checking = undefined;
    });
    await checking;
  };
  const checked: typeof transport = (options) => {
    const inner = transport(options);
    const request = (async (args: never, more: never) => {
      await expectPresent(inner.request);
      try {
        return await inner.request(args, more);
      } catch (error) {
        // Behind the same URL may be another node then.
        if (error instanceof HttpRequestError || error instanceof TimeoutError) checkedUntil = 0;
        throw error;
      }
    }) as EIP1193RequestFn;
    return { ...inner, request };
  };
  // Without CCIP read: a wallet contract must not choose what this process fetches.
  const client = createPublicClient({ chain, transport: checked, ccipRead: false });
  const deployer = deployerKey && privateKeyToAccount(deployerKey);
  const needDeployer = () => {
    if (!deployer) throw new Error('no L1 deployer key is configured');
    return deployer;
  };
  const creation = (factory: Hex, owner: Hex, baseUri: string) => ({
    to: factory,
    data: encodeFunctionData({ abi: factoryAbi, functionName: 'createNftContract', args: [owner, baseUri] }),
  });
  /** The newest block that is final; negative on a chain that has none. */
  const finalBlock = async () => (await client.getBlockNumber({ cacheTime: 0 })) - FINAL_DEPTH;
  const receiptOf = (hash: Hex) => client.getTransactionReceipt({ hash }).catch(unlessMissing);
  const transactionOf = (hash: Hex) => client.getTransaction({ hash }).catch(unlessMissing);
  return {
    expectChain: async () => {
      await client.getChainId();
    },
    getCode: async (address) => (await client.getCode({ address })) ?? '0x',
    getFinalCode: async (address) => {
      const blockNumber = await finalBlock();
      return (blockNumber >= 0n && (await client.getCode({ address, blockNumber }))) || '0x';
    },
    isHashApproved: (owner, digest) =>
      client.readContract({
        address: exchangeAddress,
        abi: exchangeAbi,
        functionName: 'isTransactionApproved',
        args: [owner, digest],
      }),
    isValidSignature: async (wallet, digest, signature) => {
      const data = encodeFunctionData({ abi: walletAbi, functionName: 'isValidSignature', args: [digest, signature] });
      try {
        const answer = await client.call({ to: wallet, data, gas: SIGNATURE_GAS });
        // Anything longer or shorter is no EIP-1271 answer.
        return answer.data === VALID;
      } catch (error) {
        // Code that fails is the wallet's no; an unreachable node is no answer.
        if (hasCodeFailed(error)) return false;
        throw error;
      }
    },
    getGasPrice: () => client.getGasPrice(),
    canDeploy: deployer !== undefined,
    deploymentGas: async ({ factory, owner, baseUri }) => {
      try {
        const [gas] = await Promise.all([
          client.estimateGas({ ...creation(factory, owner, baseUri), account: needDeployer().address }),
          // What is paid must be possible to send: the chain has to have fees of EIP-1559.
          client.estimateFeesPerGas(),
        ]);
        return gas;
      } catch (error) {
        if (hasCodeFailed(error)) return undefined;
        throw error;
      }
    },
    signDeployment: async ({ factory, owner, baseUri }, leastNonce, mostWei) => {
      const { address, signTransaction } = needDeployer();
      const call = creation(factory, owner, baseUri);
      const [pending, estimate, fees] = await Promise.all([
        client.getTransactionCount({ address, blockTag: 'pending' }),
        client.estimateGas({ ...call, account: address }),
        client.estimateFeesPerGas(),
      ]);
      const gas = estimate + estimate / 4n;
      if (mostWei !== undefined && gas * fees.maxFeePerGas > mostWei)
        throw new Error(`the deployment may cost more than ${mostWei} wei now; it waits until layer 1 is cheaper`);
      const nonce = Math.max(pending, leastNonce);
      const rawTransaction = await signTransaction({
        type: 'eip1559',
        chainId,
        nonce,
        ...call,
        gas,
        maxFeePerGas: fees.maxFeePerGas,
        maxPriorityFeePerGas: fees.maxPriorityFeePerGas,
      });
      return { rawTransaction, txHash: keccak256(rawTransaction), nonce };
    },
    broadcast: async (serializedTransaction) => {
      try {
        await client.sendRawTransaction({ serializedTransaction });
      } catch (error) {
        // A node that has it already, or has carried it out, refuses it in words of its own.
        if ((await transactionOf(keccak256(serializedTransaction))) === undefined) throw error;
      }
    },
    fateOf: async ({ txHash, nonce }) => {
      const [receipt, blockNumber] = await Promise.all([receiptOf(txHash), finalBlock()]);
      if (receipt && receipt.blockNumber <= blockNumber) return receipt.status === 'success' ? 'done' : 'reverted';
      if (receipt || blockNumber < 0n) return 'open';
      const used = await client.getTransactionCount({ address: needDeployer().address, blockNumber });
      // Asked again after the count: the first answer may be that of a node which is far behind.
      return used > nonce && !(await receiptOf(txHash)) && !(await transactionOf(txHash)) ? 'superseded' : 'open';
    },
    close: () => closing.abort(),
  };
}

/**
 * `undefined` when the chain answered that there is no such thing; every other trouble is thrown
 * on.
 */
function unlessMissing(error: unknown): undefined {
  if (error instanceof TransactionNotFoundError || error instanceof TransactionReceiptNotFoundError) return undefined;
  throw error;
}

/** geth's code of a revert, and that of Nethermind for every failure of code. */
const EXECUTION_CODES = [3, -32015];
/** The words of nodes whose code is a general one, such as -32000 of geth. */
const EXECUTION_WORDS =
  /revert|out ?of ?gas|gas required exceeds|gas uint64 overflow|intrinsic gas|floor data gas|opcode|invalidfe|stack ?(underflow|overflow|limit)|invalid ?jump|evm error|vm (execution|exception)|write protection|state ?change|return ?data|outofoffset|collision|max (init)?code ?size|max call depth/i;

/**
 * Whether the node ran the code and the code failed. Limits, missing states and internal errors of
 * the node say nothing about the code.
 */
function hasCodeFailed(error: unknown): boolean {
  const answer = error instanceof BaseError ? error.walk((cause) => cause instanceof RpcRequestError) : null;
  return (
    answer instanceof RpcRequestError && (EXECUTION_CODES.includes(answer.code) || EXECUTION_WORDS.test(answer.details))
  );
}
