import { createHash, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';

/** A key of the operator interface. Only its hash is kept. */
export interface OperatorKey {
  /** Stands in the audit log. */
  readonly name: string;
  readonly hash: Buffer;
}

const hashOf = (key: string) => createHash('sha256').update(key).digest();

/** The guide and the example settings write `replace-by-…` where a secret belongs. */
export const isPlaceholder = (secret: string) => secret.startsWith('replace-by-');

/** `name:key,name:key`, as the environment carries them. Messages never repeat a key. */
export const operatorKeys = z.string().transform((text, context): readonly OperatorKey[] => {
  const keys: OperatorKey[] = [];
  const wrong = (message: string) => {
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  };
  for (const [index, entry] of text.split(',').entries()) {
    const colon = entry.indexOf(':');
    const name = entry.slice(0, colon);
    const key = entry.slice(colon + 1);
    if (colon < 0 || !/^[a-z0-9-]{1,32}$/.test(name))
      return wrong(`entry ${index + 1} is not name:key with a name of lower-case letters, digits and hyphens`);
    if (key.length < 32) return wrong(`the key of ${name} has fewer than 32 characters`);
    if (isPlaceholder(key)) return wrong(`the key of ${name} is the one of the guide, which everybody knows`);
    if (keys.some((other) => other.name === name || other.hash.equals(hashOf(key))))
      return wrong(`the name or the key of ${name} is given twice`);
    keys.push({ name, hash: hashOf(key) });
  }
  return keys;
});

/** Whose key this is. Every key is compared, in constant time. */
export function ownerOfKey(keys: readonly OperatorKey[], key: string): string | undefined {
  const hash = hashOf(key);
  return keys.filter((known) => timingSafeEqual(known.hash, hash)).at(0)?.name;
}
