import { Refusal } from '../errors.ts';

/** No body of the interface is deeper than five levels. */
const MAX_DEPTH = 12;

/**
 * Reads a body as text, bounded while it arrives.
 * @throws {Refusal} 413 above the limit.
 */
export async function readBodyText(request: Request, limitBytes: number): Promise<string> {
  const tooLarge = () => new Refusal(100001, `the body is larger than ${limitBytes} bytes`, 413);
  if (Number(request.headers.get('content-length') ?? 0) > limitBytes) throw tooLarge();
  if (!request.body) return '';
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > limitBytes) throw tooLarge();
    chunks.push(chunk);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw new Refusal(100001, 'the body is not UTF-8');
  }
}

/**
 * Parses a JSON object of bounded depth.
 * @throws {Refusal} 100001
 */
export function parseJsonObject(text: string): Record<string, unknown> {
  checkDepth(text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Refusal(100001, 'the body is not JSON');
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    throw new Refusal(100001, 'the body is not a JSON object');
  return value as Record<string, unknown>;
}

/** Counts open brackets outside of strings, before a parser that recurses sees the text. */
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
      if (++depth > MAX_DEPTH) throw new Refusal(100001, `the body is nested deeper than ${MAX_DEPTH} levels`);
    } else if (character === '}' || character === ']') depth--;
  }
}
