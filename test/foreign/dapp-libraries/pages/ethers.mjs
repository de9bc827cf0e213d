import { BrowserProvider, isError } from 'ethers';
import { structsOf, WALLET } from './chain.mjs';

const names = [];
const provider = await BrowserProvider.discover({
  timeout: 100,
  filter: (found) => {
    names.push(...found.map(({ name }) => name));
    return found.find(({ name }) => name === WALLET) ?? null;
  },
});

globalThis.dapp = {
  found: async () => names,
  connect: async () => [await (await provider.getSigner()).getAddress()],
  accounts: async () => (await provider.listAccounts()).map(({ address }) => address),
  chainId: async () => Number((await provider.getNetwork()).chainId),
  signMessage: async (message) => (await provider.getSigner()).signMessage(message),
  signTypedData: async (document) =>
    (await provider.getSigner()).signTypedData(document.domain, structsOf(document), document.message),
  order: (intent) => provider.send('relayer_submitOrder', [intent]),
  isRefusal: (error) => isError(error, 'ACTION_REJECTED'),
  disconnect: () => provider.send('wallet_revokePermissions', [{ eth_accounts: {} }]),
};
