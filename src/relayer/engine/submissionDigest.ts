import { hash } from 'node:crypto';

/**
 * Fingerprint of a submission's body, signatures and unsigned fields included. Equal bodies are the
 * same submission sent again, whatever the order of their JSON members.
 */
export const submissionDigest = (body: unknown): string => hash('sha256', canonical(body));

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  let members = '';
  for (const name of Object.keys(value).sort()) {
    const member = (value as Readonly<Record<string, unknown>>)[name];
    if (member !== undefined) members += `${members && ','}${JSON.stringify(name)}:${canonical(member)}`;
  }
  return `{${members}}`;
}
