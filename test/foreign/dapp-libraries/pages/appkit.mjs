import { createAppKit } from '@reown/appkit';
import { defineChain } from '@reown/appkit/networks';
import { EthersAdapter } from '@reown/appkit-adapter-ethers';
import { BrowserProvider, isError } from 'ethers';
import { chain, structsOf } from './chain.mjs';

const network = defineChain({ ...chain, caipNetworkId: `eip155:${chain.id}`, chainNamespace: 'eip155' });
const modal = createAppKit({
  adapters: [new EthersAdapter()],
  networks: [network],
  projectId: '0'.repeat(32),
  metadata: { name: 'Test', description: 'Test', url: location.origin, icons: [] },
  enableWalletConnect: false,
  enableCoinbase: false,
  enableBaseAccount: false,
  features: { analytics: false, email: false, socials: [], swaps: false, onramp: false },
});
await modal.ready();
const signer = () => new BrowserProvider(modal.getWalletProvider()).getSigner();
const accounts = async () => (modal.getIsConnectedState() ? [modal.getAddress('eip155')] : []);
/** Resolves with the wallet's answer: `open` itself ends when the list is drawn. */
const connected = () =>
  new Promise((resolve) => {
    const end = modal.subscribeEvents(({ data }) => {
      if (data.event !== 'CONNECT_SUCCESS') return;
      end();
      resolve();
    });
  });

globalThis.dapp = {
  connect: () => Promise.all([connected(), modal.open()]),
  accounts,
  chainId: async () => modal.getChainId(),
  signMessage: async (message) => (await signer()).signMessage(message),
  signTypedData: async (document) =>
    (await signer()).signTypedData(document.domain, structsOf(document), document.message),
  order: (intent) => modal.getWalletProvider().request({ method: 'relayer_submitOrder', params: [intent] }),
  isRefusal: (error) => isError(error, 'ACTION_REJECTED'),
  disconnect: () => modal.disconnect(),
};
