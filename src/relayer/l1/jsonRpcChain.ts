import { createPublicClient, createWalletClient, encodeFunctionData, type Hex, http, parseAbi } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { L1Chain } from './port.ts';

interface Options {
  readonly url: string;
  readonly chainId: number;
  readonly exchangeAddress: Hex;
  /** Pays for deployments; without it nothing can be deployed. */
  readonly deployerKey: Hex | undefined;
}

const exchangeAbi = parseAbi([
  'function isTransactionApproved(address owner, bytes32 transactionHash) view returns (bool)',
]);
const walletAbi = parseAbi(['function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)']);
const factoryAbi = parseAbi(['function createNftContract(address owner, string baseURI) payable returns (address)']);

/** What a contract wallet answers for a good signature (EIP-1271). */
const MAGIC_VALUE = '0x1626ba7e';
/** A wallet contract runs foreign code; its answer may cost this much. */
const SIGNATURE_GAS = 500_000n;
const TIMEOUT_MS = 10_000;

/** The L1 chain behind a JSON-RPC endpoint. */
export function jsonRpcChain({ url, chainId, exchangeAddress, deployerKey }: Options): L1Chain {
  const transport = http(url, { timeout: TIMEOUT_MS, retryCount: 2 });
  const chain = {
    id: chainId,
    name: `chain ${chainId}`,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [url] } },
  };
  const client = createPublicClient({ chain, transport });
  return {
    getCode: async (address) => (await client.getCode({ address })) ?? '0x',
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
        // The four bytes stand left-aligned in one word; anything longer or shorter is no EIP-1271 answer.
        return (
          answer.data?.length === 66 && answer.data.startsWith(MAGIC_VALUE) && /^0{56}$/.test(answer.data.slice(10))
        );
      } catch (error) {
        // A revert is the wallet's no; an unreachable node is no answer.
        if (isRevert(error)) return false;
        throw error;
      }
    },
    getGasPrice: () => client.getGasPrice(),
    deployNftContract: async ({ factory, owner, baseUri }) => {
      if (!deployerKey) throw new Error('no L1 deployer key is configured');
      const account = privateKeyToAccount(deployerKey);
      const wallet = createWalletClient({ account, chain, transport });
      return wallet.writeContract({
        address: factory,
        abi: factoryAbi,
        functionName: 'createNftContract',
        args: [owner, baseUri],
      });
    },
    // Paying out is the exchange contract's part, when it executes the block on L1.
    payOut: async () => undefined,
  };
}

function isRevert(error: unknown): boolean {
  for (let at = error as { name?: string; cause?: unknown } | undefined; at; at = at.cause as typeof at)
    if (at.name === 'ExecutionRevertedError' || at.name === 'RawContractError') return true;
  return false;
}
