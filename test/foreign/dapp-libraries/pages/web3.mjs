import { Web3 } from 'web3';
import { WALLET } from './chain.mjs';

const found = [...(await Web3.requestEIP6963Providers()).values()];
const web3 = new Web3(found.find(({ info }) => info.name === WALLET).provider);
const first = async () => (await web3.eth.getAccounts())[0];

globalThis.dapp = {
  found: async () => found.map(({ info }) => info.name),
  connect: () => web3.eth.requestAccounts(),
  accounts: () => web3.eth.getAccounts(),
  chainId: async () => Number(await web3.eth.getChainId()),
  signMessage: async (message) => web3.eth.personal.sign(message, await first(), ''),
  signTypedData: async (document) => web3.eth.signTypedData(await first(), document),
  order: (intent) => web3.requestManager.send({ method: 'relayer_submitOrder', params: [intent] }),
  isRefusal: (error) => error.code === 4001 || error.cause?.code === 4001,
  disconnect: () => web3.requestManager.send({ method: 'wallet_revokePermissions', params: [{ eth_accounts: {} }] }),
};
