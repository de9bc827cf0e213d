import type { z } from '../../protocol/zod.ts';

/** The field of the first issue of an input, an unknown one too; empty for the whole input. */
export function fieldOf({ issues: [issue] }: z.core.$ZodError): string {
  const unknown = issue?.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
  return [...(issue?.path ?? []), ...unknown].join('.');
}
