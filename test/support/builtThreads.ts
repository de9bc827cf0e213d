import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'vitest/config';
import { builtRelayer } from '../relayer/support/builtRelayer.ts';

/**
 * Makes the threads of relayers inside test files run a build of their sources: through tsx each
 * takes a second of processor time before its first answer. Not while files are watched, because
 * the build would stay as it was.
 */
export function builtThreads(): Plugin {
  let watched = false;
  return {
    name: 'built-threads',
    enforce: 'pre',
    configResolved: ({ server }) => {
      watched = server.watch !== null;
    },
    transform: {
      filter: { id: /\/src\/relayer\/engine\/(?:signatureThreads|state\/states)\.ts$/ },
      async handler(code) {
        if (watched) return null;
        const folder = dirname(await builtRelayer());
        const start = /new URL\('\.\/(\w+ThreadStart\.mjs)', import\.meta\.url\)/;
        if (!start.test(code)) throw new Error('a thread of the relayer is started in another way');
        return {
          code: code.replace(start, (_, name) => `new URL('${pathToFileURL(join(folder, name))}')`),
          map: null,
        };
      },
    },
  };
}
