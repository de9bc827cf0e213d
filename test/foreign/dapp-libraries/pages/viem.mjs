import { findRelayerWallet, relayerActions } from 'countersign-viem';
import { createWalletClient, custom, UserRejectedRequestError } from 'viem';
import { chain } from './chain.mjs';

const { provider, info } = await findRelayerWallet();
const client = createWalletClient({ chain, transport: custom(provider, { retryCount: 0 }) }).extend(
  relayerActions({ provider }),
);
const first = async () => (await client.getAddresses())[0];

globalThis.dapp = {
  found: async () => [info.name],
  connect: () => client.requestAddresses(),
  accounts: () => client.getAddresses(),
  chainId: () => client.getChainId(),
  signMessage: async (message) => client.signMessage({ account: await first(), message }),
  signTypedData: async (document) => client.signTypedData({ account: await first(), ...document }),
  order: (intent) => client.relayer.submitOrder(intent),
  isRefusal: (error) => error.walk?.((cause) => cause instanceof UserRejectedRequestError) != null,
  disconnect: () => client.request({ method: 'wallet_revokePermissions', params: [{ eth_accounts: {} }] }),
};
