import { createHash } from 'node:crypto';

/**
 * Fingerprint of a submission's body, signatures and unsigned fields included. Equal bodies are the
 * same submission sent again, whatever the order of their JSON members.
 */
export function submissionDigest(body: unknown): string {
  return createHash('sha256').update(canonical(body)).digest('hex');
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (value !== null && typeof value === 'object')
    return `{${Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`)
      .join(',')}}`;
  return JSON.stringify(value) ?? 'null';
}
