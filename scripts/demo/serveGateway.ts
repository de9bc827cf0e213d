import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { cid } from '../../src/demo/page/catalogue.ts';
import { root } from '../prepare.mjs';
import { listening } from './listening.ts';

export interface Gateway {
  /** Base URL as the wallet's settings take it. */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * An IPFS gateway with one entry, the NFT that the demo mints, so that its picture comes from this
 * machine and from nowhere else.
 */
export async function serveGateway(): Promise<Gateway> {
  const picture = await readFile(join(root, 'public/icons/128.png'));
  const metadata = JSON.stringify({
    name: 'Countersign, first print',
    collection: { name: 'Countersign prints' },
    description: 'Minted in the demo. Its picture comes from a gateway on this machine.',
    image: `data:image/png;base64,${picture.toString('base64')}`,
  });
  const server = createServer((request, response) => {
    const isKnown = request.url === `/ipfs/${cid}/metadata.json`;
    response.writeHead(isKnown ? 200 : 404, {
      'access-control-allow-origin': '*',
      'content-type': 'application/json',
    });
    response.end(isKnown ? metadata : '{}');
  });
  const { port, close } = await listening(server, '127.0.0.1');
  return { url: `http://127.0.0.1:${port}/`, close };
}
