import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { address } from '../../protocol/fields.ts';
import { once } from '../../protocol/once.ts';
import { z } from '../../protocol/zod.ts';
import { UiFailure } from '../errors/uiFailure.ts';
import type { ConnectWallet } from '../ports.ts';

/** The substream on which such wallets speak EIP-1193 to other extensions. */
const SUBSTREAM = 'metamask-provider';
/** A wallet answers this without asking anybody; its own worker may have to start first. */
const HELLO_MS = 10_000;
/**
 * A user reads and unlocks; a window that was forgotten must not keep its request in progress for
 * ever.
 */
const PERSON_MS = 5 * 60_000;

const frame = once(() =>
  z.object({
    name: z.literal(SUBSTREAM),
    data: z.object({
      id: z.union([z.number(), z.string()]),
      result: z.optional(z.unknown()),
      error: z.optional(z.object({ code: z.number(), message: z.optional(z.string()) })),
    }),
  }),
);

/** JSON-RPC and EIP-1193 codes as states that a user can do something about. */
function failure(code: number): UiFailure {
  if (code === 4001) return new UiFailure('wallet-rejected', 'error_walletRejected');
  if (code === 4100) return new UiFailure('wallet-account', 'error_walletAccount');
  if (code === -32002) return new UiFailure('wallet-busy', 'error_walletBusy');
  if (code === 4200 || code === -32601) return new UiFailure('wallet-unable', 'error_walletUnable');
  return new UiFailure('wallet-failed', 'error_walletFailed', { code: String(code) });
}

type Request = (method: string, params: readonly unknown[], timeoutMs?: number) => Promise<unknown>;

/**
 * Talks to a wallet in another extension over a port of its own: JSON-RPC requests in frames of one
 * substream, extension to extension, with no page in between. What the wallet sends unasked is not
 * read.
 * @throws {UiFailure} `wallet-absent` (no such extension, or it refuses us), `wallet-disconnected`,
 *   `wallet-silent`, `wallet-unreadable`, and what `failure` names.
 */
async function talk<T>(connect: ConnectWallet, extensionId: string, use: (request: Request) => Promise<T>): Promise<T> {
  const waiting = new Map<number, { resolve: (result: unknown) => void; reject: (error: UiFailure) => void }>();
  let heard = false;
  let ended: UiFailure | undefined;
  let lastId = 0;
  const port = connect(extensionId);
  port.onMessage((message) => {
    const parsed = frame().safeParse(message);
    if (!parsed.success) return;
    const { id, result, error } = parsed.data.data;
    const asked = waiting.get(Number(id));
    if (!asked) return;
    heard = true;
    waiting.delete(Number(id));
    if (error) asked.reject(failure(error.code));
    else asked.resolve(result);
  });
  port.onDisconnect(() => {
    ended = heard
      ? new UiFailure('wallet-disconnected', 'error_walletDisconnected')
      : new UiFailure('wallet-absent', 'error_walletAbsent');
    for (const { reject } of waiting.values()) reject(ended);
    waiting.clear();
  });

  const request: Request = async (method, params, timeoutMs = PERSON_MS) => {
    if (ended) throw ended;
    lastId += 1;
    const id = lastId;
    let timer: ReturnType<typeof setTimeout> | undefined;
    try {
      return await new Promise<unknown>((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        timer = setTimeout(() => reject(new UiFailure('wallet-silent', 'error_walletSilent')), timeoutMs);
        port.post({ name: SUBSTREAM, data: { jsonrpc: '2.0', id, method, params } });
      });
    } finally {
      clearTimeout(timer);
      waiting.delete(id);
    }
  };
  try {
    return await use(request);
  } finally {
    port.close();
  }
}

const unreadable = () => new UiFailure('wallet-unreadable', 'error_walletUnreadable');

function read<T>(schema: z.ZodMiniType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw unreadable();
  return parsed.data;
}

/** The chain that the wallet is on; also shows that somebody answers. */
const chainOf = async (request: Request): Promise<number> =>
  Number(read(z.string().check(z.regex(/^0x[0-9a-fA-F]{1,13}$/)), await request('eth_chainId', [], HELLO_MS)));

/**
 * Wallets sign typed data only for the chain that they are on.
 * @throws {UiFailure} `wallet-chain`
 */
async function useChain(request: Request, chainId: number): Promise<void> {
  const before = await chainOf(request);
  if (before === chainId) return;
  await request('wallet_switchEthereumChain', [{ chainId: `0x${chainId.toString(16)}` }]).catch((error: unknown) => {
    const passing = error instanceof UiFailure && ['wallet-rejected', 'wallet-busy'].includes(error.code);
    if (passing) throw error;
  });
  const after = await chainOf(request);
  if (after === chainId) return;
  throw new UiFailure('wallet-chain', 'error_walletChain', { wanted: String(chainId), actual: String(after) });
}

/** @throws {UiFailure} `wallet-account` when the wallet does not let us use the address. */
async function useAccount(request: Request, owner: string): Promise<void> {
  const accounts = read(z.array(address()), await request('eth_requestAccounts', []));
  if (accounts.some((account) => account.toLowerCase() === owner.toLowerCase())) return;
  throw new UiFailure('wallet-account', 'error_walletAccount');
}

export function createExtensionWallet(connect: ConnectWallet) {
  const hex = () => z.string().check(z.regex(/^0x([0-9a-fA-F]{2})*$/), z.minLength(132), z.maxLength(4_098));
  const signature = (value: unknown): `0x${string}` => read(hex(), value) as `0x${string}`;
  return {
    /** Asks the wallet which of its accounts we may use, in its order. */
    accounts: (extensionId: string) =>
      talk(connect, extensionId, async (request) => {
        await chainOf(request);
        return read(z.array(address()).check(z.maxLength(100)), await request('eth_requestAccounts', []));
      }),
    /** EIP-191 over the UTF-8 text; the bytes as the wallet returned them. */
    signText: (extensionId: string, owner: string, text: string) =>
      talk(connect, extensionId, async (request) => {
        await chainOf(request);
        await useAccount(request, owner);
        const message = `0x${bytesToHex(utf8ToBytes(text))}`;
        const answer = signature(await request('personal_sign', [message, owner]));
        return hexToBytes(answer.slice(2));
      }),
    /** EIP-712; `typedData` as JSON text. */
    signTypedData: (extensionId: string, owner: string, chainId: number, typedData: string) =>
      talk(connect, extensionId, async (request) => {
        await useChain(request, chainId);
        await useAccount(request, owner);
        return signature(await request('eth_signTypedData_v4', [owner, typedData]));
      }),
  };
}
