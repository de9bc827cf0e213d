import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { Refusal } from '../errors.ts';

/** No body of the interface is deeper than five levels. */
const MAX_DEPTH = 12;

/**
 * Reads a body as text, bounded while it arrives. Node's own stream: the web stream of a request
 * stood high in the profile of an order.
 * @throws {Refusal} 413 above the limit.
 */
export async function readBodyText(request: IncomingMessage, limitBytes: number): Promise<string> {
  const tooLarge = () => new Refusal('INVALID_ARGUMENT', `the body is larger than ${limitBytes} bytes`, 413);
  if (Number(request.headers['content-length'] ?? 0) > limitBytes) throw tooLarge();
  const bytes = await new Promise<Buffer>((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const end = (settle: () => void) => {
      request.off('data', take).off('end', finish).off('close', cutOff).off('error', cutOff);
      settle();
    };
    const take = (chunk: Buffer) => {
      size += chunk.length;
      if (size > limitBytes) end(() => reject(tooLarge()));
      else chunks.push(chunk);
    };
    const finish = () => end(() => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
    const cutOff = () => end(() => reject(new Refusal('INVALID_ARGUMENT', 'the body ended before it was complete')));
    request.on('data', take).on('end', finish).on('close', cutOff).on('error', cutOff);
  });
  if (!isUtf8(bytes)) throw new Refusal('INVALID_ARGUMENT', 'the body is not UTF-8');
  return bytes.toString('utf8');
}

/**
 * Parses a JSON object of bounded depth.
 * @throws {Refusal} INVALID_ARGUMENT
 */
export function parseJsonObject(text: string): Record<string, unknown> {
  checkDepth(text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Refusal('INVALID_ARGUMENT', 'the body is not JSON');
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    throw new Refusal('INVALID_ARGUMENT', 'the body is not a JSON object');
  return value as Record<string, unknown>;
}

/** Counts open brackets outside of strings; a parser takes up to 50 ms for 64 kB of them. */
function checkDepth(text: string): void {
  let depth = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const character = text[i];
    if (inString) {
      if (character === '\\') i++;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === '{' || character === '[') {
      if (++depth > MAX_DEPTH)
        throw new Refusal('INVALID_ARGUMENT', `the body is nested deeper than ${MAX_DEPTH} levels`);
    } else if (character === '}' || character === ']') depth--;
  }
}
