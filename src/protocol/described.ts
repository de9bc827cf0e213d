import { doc } from './doc.ts';
import { once } from './once.ts';
import { z } from './zod.ts';

/** Description of a schema on the reference page. */
interface Meaning {
  readonly description?: string;
  /** How a transformed field looks on the wire. */
  readonly wire?: Readonly<Record<string, unknown>>;
  readonly [extension: `x-${string}`]: unknown;
}

/**
 * Gives a schema its meaning in JSON schemas.
 * @param meaning - A text is the description; without one, as in the extension, the schema stays as
 *   it is.
 * @returns A copy: other fields use the same schema with another meaning.
 */
export function described<Schema extends z.ZodMiniType>(schema: Schema, meaning: string | Meaning | undefined): Schema {
  if (meaning === undefined) return schema;
  const copy = schema.clone() as Schema;
  z.globalRegistry.add(copy, typeof meaning === 'string' ? { description: meaning } : { ...meaning });
  return copy;
}

/** A schema with its meaning, as a function that builds it when it is first called (`once`). */
export const field: <Schema extends z.ZodMiniType>(
  build: () => Schema,
  meaning: string | Meaning | undefined,
) => () => Schema = doc ? (build, meaning) => once(() => described(build(), meaning)) : once;
