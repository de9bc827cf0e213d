import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Abi, createPublicClient, createWalletClient, type Hex, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { foundry } from 'viem/chains';

const require = createRequire(import.meta.url);

/** The first of anvil's published accounts; it owns nothing anywhere else. */
export const ANVIL_KEY: Hex = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';

/**
 * The program itself: its wrapper in `@foundry-rs/anvil` would leave it running when it is killed.
 */
function anvilProgram(): string {
  const place = `@foundry-rs/anvil-${process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}/package.json`;
  return join(dirname(createRequire(require.resolve('@foundry-rs/anvil/package.json')).resolve(place)), 'bin/anvil');
}

export async function startAnvil(chainId = 31_337) {
  const child: ChildProcess = spawn(anvilProgram(), ['--port', '0', '--chain-id', String(chainId)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let url = '';
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
  for await (const line of lines) {
    const match = /Listening on (127\.0\.0\.1:\d+)/.exec(line);
    if (match) {
      url = `http://${match[1]}`;
      break;
    }
  }
  child.stdout?.resume();
  const account = privateKeyToAccount(ANVIL_KEY);
  const wallet = createWalletClient({ account, chain: foundry, transport: http(url) });
  const client = createPublicClient({ chain: foundry, transport: http(url), pollingInterval: 50 });
  return {
    url,
    wallet,
    client,
    deploy: async (contract: { abi: Abi; bytecode: Hex }, args: readonly unknown[] = []): Promise<Hex> => {
      const hash = await wallet.deployContract({ ...contract, args });
      const { contractAddress } = await client.waitForTransactionReceipt({ hash });
      if (!contractAddress) throw new Error('the contract was not deployed');
      return contractAddress;
    },
    stop: () => child.kill('SIGKILL'),
  };
}

/** Compiles the contracts of `test/relayer/contracts`. */
export function compile(): Record<string, { abi: Abi; bytecode: Hex }> {
  const solc = require('solc') as { compile(input: string): string };
  const content = readFileSync(join(import.meta.dirname, '../contracts/L1.sol'), 'utf8');
  const output = JSON.parse(
    solc.compile(
      JSON.stringify({
        language: 'Solidity',
        sources: { 'L1.sol': { content } },
        settings: { evmVersion: 'paris', outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } } },
      }),
    ),
  ) as {
    errors?: { severity: string; formattedMessage: string }[];
    contracts: Record<string, Record<string, { abi: Abi; evm: { bytecode: { object: string } } }>>;
  };
  const failed = output.errors?.find(({ severity }) => severity === 'error');
  if (failed) throw new Error(failed.formattedMessage);
  return Object.fromEntries(
    Object.entries(output.contracts['L1.sol'] ?? {}).map(([name, { abi, evm }]) => [
      name,
      { abi, bytecode: `0x${evm.bytecode.object}` as Hex },
    ]),
  );
}
