import { hexToString } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

/**
 * An extension that plays a wallet of the kind that Countersign connects to: frames of the
 * substream `metamask-provider` over the port of another extension. Its key, its chain and its mood
 * are in its storage, where the test puts them.
 */
interface Mood {
  readonly privateKey: `0x${string}`;
  readonly chainId: number;
  /** A code with which questions to its person are answered; 0: it agrees. */
  readonly refusal: number;
}

interface Frame {
  readonly name: string;
  readonly data: { readonly id: number; readonly method: string; readonly params: readonly unknown[] };
}

class Refusal extends Error {
  constructor(readonly code: number) {
    super('refused');
  }
}

async function answer(method: string, params: readonly unknown[]): Promise<unknown> {
  const { privateKey, chainId, refusal } = (await chrome.storage.local.get()) as unknown as Mood;
  if (method === 'eth_chainId') return `0x${chainId.toString(16)}`;
  if (refusal !== 0) throw new Refusal(refusal);
  const account = privateKeyToAccount(privateKey);
  if (method === 'eth_requestAccounts') return [account.address.toLowerCase()];
  if (method === 'wallet_switchEthereumChain') {
    await chrome.storage.local.set({ chainId: Number((params[0] as { chainId: string }).chainId) });
    return null;
  }
  if (method === 'personal_sign') return account.signMessage({ message: hexToString(params[0] as `0x${string}`) });
  if (method === 'eth_signTypedData_v4') {
    const typedData = JSON.parse(params[1] as string);
    // As the real ones: typed data of another chain than the one that is on is refused.
    if (typedData.domain.chainId !== chainId) throw new Refusal(-32602);
    return account.signTypedData(typedData);
  }
  throw new Refusal(-32601);
}

chrome.runtime.onConnectExternal.addListener((port) => {
  port.onMessage.addListener(async ({ name, data: { id, method, params } }: Frame) => {
    if (name !== 'metamask-provider') return;
    const reply = await answer(method, params).then(
      (result) => ({ result }),
      (error: unknown) => ({ error: { code: error instanceof Refusal ? error.code : -32603, message: 'no' } }),
    );
    port.postMessage({ name, data: { jsonrpc: '2.0', id, ...reply } });
  });
});
