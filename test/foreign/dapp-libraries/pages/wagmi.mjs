import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { submitOrder } from 'countersign-viem';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { UserRejectedRequestError } from 'viem';
import {
  createConfig,
  http,
  useConnect,
  useConnection,
  useConnectorClient,
  useConnectors,
  useDisconnect,
  useSignMessage,
  useSignTypedData,
  WagmiProvider,
} from 'wagmi';
import { chain, WALLET } from './chain.mjs';

const config = createConfig({ chains: [chain], transports: { [chain.id]: http() } });

/** The hooks of a page, handed to the test at each render. */
function Page() {
  const connectors = useConnectors();
  const connect = useConnect();
  const disconnect = useDisconnect();
  const signMessage = useSignMessage();
  const signTypedData = useSignTypedData();
  const { data: client } = useConnectorClient();
  const { addresses = [], chainId, status } = useConnection();
  globalThis.dapp = {
    found: async () => connectors.map(({ name }) => name),
    connect: async () =>
      (await connect.mutateAsync({ connector: connectors.find(({ name }) => name === WALLET) })).accounts,
    accounts: async () => (status === 'connected' ? addresses : []),
    chainId: async () => chainId,
    signMessage: (message) => signMessage.mutateAsync({ message }),
    signTypedData: (document) => signTypedData.mutateAsync(document),
    order: (intent) => submitOrder(client, intent),
    isRefusal: (error) => error.walk?.((cause) => cause instanceof UserRejectedRequestError) != null,
    disconnect: () => disconnect.mutateAsync(),
  };
  return status;
}

createRoot(document.body.appendChild(document.createElement('main'))).render(
  createElement(
    WagmiProvider,
    { config },
    createElement(QueryClientProvider, { client: new QueryClient() }, createElement(Page)),
  ),
);
