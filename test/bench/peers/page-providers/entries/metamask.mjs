import { WindowPostMessageStream } from '@metamask/post-message-stream';
import { initializeProvider } from '@metamask/providers';

// As the wallet's own page script: a stream to its content script, and the provider on it.
initializeProvider({
  connectionStream: new WindowPostMessageStream({ name: 'metamask-inpage', target: 'metamask-contentscript' }),
  providerInfo: {
    uuid: crypto.randomUUID(),
    name: 'MetaMask',
    icon: 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"/>',
    rdns: 'io.metamask',
  },
  shouldShimWeb3: true,
});
