const unescaped = (text: string) => text.replaceAll('\\', '');

/** Every spelling in which secret bytes could end up in a store, a message or a log. */
function spellings(bytes: Uint8Array): string[] {
  const hex = Buffer.from(bytes).toString('hex');
  const reversed = Buffer.from(bytes).reverse();
  const lists = [bytes, reversed].flatMap((list) => {
    const head = [...list].slice(0, 10);
    return [head.join(','), head.join(', '), JSON.stringify(Object.fromEntries(head.entries())).slice(1, -1)];
  });
  const latin1 = Buffer.from(bytes).toString('latin1');
  return [
    hex,
    hex.toUpperCase(),
    reversed.toString('hex'),
    Buffer.from(bytes).toString('base64').slice(0, 40),
    Buffer.from(bytes).toString('base64url').slice(0, 40),
    reversed.toString('base64').slice(0, 40),
    reversed.toString('base64url').slice(0, 40),
    unescaped(latin1),
    unescaped(JSON.stringify(latin1).slice(1, -1)),
    BigInt(`0x${hex}`).toString(),
    BigInt(`0x${reversed.toString('hex')}`).toString(),
    ...lists,
  ];
}

export interface Secret {
  readonly name: string;
  readonly spellings: readonly string[];
}

export const secretBytes = (name: string, bytes: Uint8Array): Secret => ({ name, spellings: spellings(bytes) });

/** A secret that is text, such as an API key: as it is, and its bytes. */
export const secretText = (name: string, text: string): Secret => ({
  name,
  spellings: [text, ...spellings(new TextEncoder().encode(text))],
});

/** @returns Names of the secrets that a text holds, at any depth of JSON in JSON. */
export function secretsIn(text: string, secrets: readonly Secret[]): string[] {
  const bare = unescaped(text);
  return secrets
    .filter(({ spellings: known }) => known.some((spelling) => bare.includes(spelling)))
    .map(({ name }) => name);
}

/**
 * JSON that also shows bytes, as numbers and as text; structured clones in a database may hold
 * them.
 */
export function textOf(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => {
    if (typeof part === 'bigint') return part.toString();
    if (ArrayBuffer.isView(part)) return [...new Uint8Array(part.buffer, part.byteOffset, part.byteLength)].join(',');
    if (part instanceof ArrayBuffer) return [...new Uint8Array(part)].join(',');
    return part;
  });
}
