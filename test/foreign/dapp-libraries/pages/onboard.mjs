import Onboard from '@web3-onboard/core';
import injected from '@web3-onboard/injected-wallets';
import { chain, WALLET } from './chain.mjs';

const onboard = Onboard({
  wallets: [injected()],
  chains: [{ id: chain.id, token: 'ETH', label: chain.name, rpcUrl: chain.rpcUrls.default.http[0] }],
  connect: { autoConnectLastWallet: true },
  accountCenter: { desktop: { enabled: false }, mobile: { enabled: false } },
  notify: { enabled: false },
});
const wallets = () => onboard.state.get().wallets;
const addresses = () => wallets().flatMap(({ accounts }) => accounts.map(({ address }) => address));
const request = (method, params) => wallets()[0].provider.request({ method, params });

globalThis.dapp = {
  found: async () => onboard.state.get().walletModules.map(({ label }) => label),
  connect: async () => {
    await onboard.connectWallet();
    return addresses();
  },
  accounts: async () => addresses(),
  chainId: async () => Number(wallets()[0].chains[0].id),
  signMessage: (message) => request('personal_sign', [message, addresses()[0]]),
  signTypedData: (document) => request('eth_signTypedData_v4', [addresses()[0], JSON.stringify(document)]),
  order: (intent) => request('relayer_submitOrder', [intent]),
  isRefusal: (error) => error.code === 4001,
  disconnect: () => onboard.disconnectWallet({ label: WALLET }),
};
