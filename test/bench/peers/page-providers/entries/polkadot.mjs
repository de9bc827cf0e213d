import { injectExtension } from '@polkadot/extension-inject';

// What stands behind `enable` works only when a site asks.
injectExtension(async (origin) => postMessage({ id: crypto.randomUUID(), message: 'pub(authorize.tab)', origin }), {
  name: 'polkadot-js',
  version: '0.63.1',
});
