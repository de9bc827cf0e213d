import { readBytes } from './readBytes.ts';

/**
 * Why an IPFS file is not there. `unreachable`: no answer, or none in time. `refused`: an HTTP
 * status other than 200. `too-large`: longer than the caller takes.
 */
export type GatewayErrorCode = 'unreachable' | 'refused' | 'too-large';

export class GatewayError extends Error {
  override readonly name = 'GatewayError';

  constructor(readonly code: GatewayErrorCode) {
    super(`the IPFS gateway: ${code}`);
  }
}

export interface GatewayClientOptions {
  readonly fetch: typeof fetch;
  /** Longest wait for a whole file, in ms; files that nobody has asked for lately take long. */
  readonly timeoutMs?: number;
}

/** Files that are fetched at once; a gallery asks for dozens. */
const AT_ONCE = 4;

/**
 * Reads files of IPFS from one gateway. No other host is contacted: redirects are errors. No
 * cookies, no referrer.
 */
export function createGatewayClient({ fetch: send, timeoutMs = 12_000 }: GatewayClientOptions) {
  let running = 0;
  const waiting: (() => void)[] = [];

  async function turn(): Promise<void> {
    if (running >= AT_ONCE) await new Promise<void>((go) => waiting.push(go));
    else running++;
  }

  function next(): void {
    const first = waiting.shift();
    if (first) first();
    else running--;
  }

  async function fetchFile(url: string, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
    let bytes: Uint8Array<ArrayBuffer> | undefined;
    let status: number;
    try {
      const response = await send(url, {
        signal: AbortSignal.timeout(timeoutMs),
        redirect: 'error',
        credentials: 'omit',
        referrerPolicy: 'no-referrer',
      });
      status = response.status;
      bytes = await readBytes(response, maxBytes);
    } catch {
      // The browser's error would name the address.
      throw new GatewayError('unreachable');
    }
    if (status !== 200) throw new GatewayError('refused');
    if (bytes === undefined) throw new GatewayError('too-large');
    return bytes;
  }

  return {
    /**
     * @param gateway - Base URL without `/ipfs` and without a trailing slash.
     * @param path - CID, and names below it, each already checked to be one.
     * @throws {GatewayError}
     */
    async read(gateway: string, path: readonly string[], maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
      await turn();
      try {
        return await fetchFile(`${gateway}/ipfs/${path.map(encodeURIComponent).join('/')}`, maxBytes);
      } finally {
        next();
      }
    },
  };
}
