import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Context } from 'hono';
import type { Env } from './env.ts';

/** Shorter texts, such as the answer to an order, gain nothing. */
const LEAST_CHARACTERS = 1_024;

export const compress = promisify(gzip);

/** RFC 9110, 12.5.3; a client that names `*` alone gets the text as it is. */
const takesGzip = (header = ''): boolean =>
  header.split(',').some((entry) => {
    const [coding = '', weight = '1'] = entry.trim().split(/\s*;\s*q=/i);
    return coding.toLowerCase() === 'gzip' && Number(weight) > 0;
  });

/**
 * The body of an answer, in gzip when it is long and the client takes that, with the headers that
 * say so. Not Hono's middleware: that makes a whole `Response` of every answer, also of short ones,
 * which nearly doubles what the server costs for an order.
 * @param pack - gives the text in gzip, for one that is sent again and again.
 */
export async function compressed(
  context: Context<Env>,
  text: string,
  pack: () => Promise<Uint8Array<ArrayBuffer>> = () => compress(text),
): Promise<string | Uint8Array<ArrayBuffer>> {
  if (text.length < LEAST_CHARACTERS) return text;
  context.header('vary', 'accept-encoding');
  if (!takesGzip(context.req.header('accept-encoding'))) return text;
  context.header('content-encoding', 'gzip');
  return pack();
}
