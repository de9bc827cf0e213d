import { hexToBytes, hexToString } from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import type { ConnectWallet } from '../../src/background/ports.ts';

type Handler = (params: readonly unknown[]) => unknown;

const WITHOUT_PARAMETERS = ['eth_chainId', 'eth_requestAccounts'];

/** An error as wallets answer it. */
export class Refusal extends Error {
  constructor(readonly code: number) {
    super('refused');
  }
}

/**
 * A wallet in another extension, seen from its port: frames of the substream `metamask-provider`,
 * asynchronous, with the chatter that such wallets send unasked.
 */
export function createOtherWallet(account: PrivateKeyAccount, changes: Record<string, Handler> = {}) {
  const wallet = {
    chainId: 31337,
    /** The addresses that it lets us use. */
    accounts: [account.address.toLowerCase()],
    asked: [] as string[],
    /** `false`: the browser finds no such extension. */
    installed: true,
    open: 0,
    /** Ends every connection, as when the wallet's worker is stopped. */
    hangUp() {},
    /** Hangs up right after its answer to this method. */
    lastAnswers: '',
  };
  const handlers: Record<string, Handler> = {
    eth_chainId: () => `0x${wallet.chainId.toString(16)}`,
    eth_requestAccounts: () => wallet.accounts,
    wallet_switchEthereumChain: ([wanted]) => {
      wallet.chainId = Number((wanted as { chainId: string }).chainId);
      return null;
    },
    personal_sign: ([message]) => account.signMessage({ message: hexToString(message as `0x${string}`) }),
    eth_signTypedData_v4: ([, typedData]) => account.signTypedData(JSON.parse(typedData as string)),
    ...changes,
  };
  const connect: ConnectWallet = () => {
    let onMessage: (message: unknown) => void = () => {};
    let onDisconnect = () => {};
    wallet.open += 1;
    wallet.hangUp = () => onDisconnect();
    if (!wallet.installed) queueMicrotask(() => onDisconnect());
    const send = (data: object) => onMessage({ name: 'metamask-provider', data: { jsonrpc: '2.0', ...data } });
    return {
      async post(message) {
        if (!wallet.installed) return;
        const { name, data } = message as {
          name: string;
          data: { jsonrpc: string; id: number; method: string; params: readonly unknown[] };
        };
        if (name !== 'metamask-provider') throw new Error(`a frame of ${name}`);
        if (data.jsonrpc !== '2.0') throw new Error(`JSON-RPC ${data.jsonrpc}`);
        if (WITHOUT_PARAMETERS.includes(data.method) && data.params.length > 0)
          throw new Error(`${data.method} takes no parameters`);
        wallet.asked.push(data.method);
        onMessage({ name: 'cookie', data: 'unasked' });
        send({ method: 'metamask_chainChanged', params: { chainId: '0x1' } });
        send({ id: 9_999, result: 'an answer to nobody' });
        try {
          const handler = handlers[data.method];
          if (!handler) throw new Refusal(-32601);
          send({ id: data.id, result: await handler(data.params) });
          if (data.method === wallet.lastAnswers) onDisconnect();
        } catch (error) {
          if (error instanceof Refusal) send({ id: data.id, error: { code: error.code, message: 'no' } });
          else throw error;
        }
      },
      onMessage: (listener) => {
        onMessage = listener;
      },
      onDisconnect: (listener) => {
        onDisconnect = listener;
      },
      close() {
        wallet.open -= 1;
        onMessage = () => {};
      },
    };
  };
  return { wallet, connect };
}

/** The same signature with another last byte. */
export const withV = (signature: string, v: number) =>
  `${signature.slice(0, 130)}${v.toString(16).padStart(2, '0')}` as `0x${string}`;

/** `personal_sign` over bytes, as hardware answers that cannot show typed data. */
export const signBytes = (account: PrivateKeyAccount, digest: string) =>
  account.signMessage({ message: { raw: hexToBytes(digest as `0x${string}`) } });
