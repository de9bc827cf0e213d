import { z } from 'zod';

/**
 * A schema that is built when it is first used. Building one costs tens of microseconds in a cold service worker, and the
 * whole interface has about a thousand: built at load, they would take longer than the worker takes to wake up.
 *
 * The result stands for the schema everywhere and forwards every access. `z.lazy` would not do: it is a schema itself and
 * costs as much to build as a small one. In JSON schemas the stand-in is a reference, just as a lazy schema is.
 */
export function deferred<Schema extends z.ZodType>(build: () => Schema): Schema {
  let schema: Schema | undefined;
  let internals: object | undefined;
  const built = (): Schema => {
    if (schema === undefined) {
      schema = build();
      const real = schema;
      internals = Object.create(real._zod, {
        parent: { value: undefined },
        processJSONSchema: {
          value: (context: z.core.ToJSONSchemaContext, _json: unknown, parameters: z.core.ProcessParams) => {
            z.core.process(real, context, parameters);
            const seen = context.seen.get(standIn);
            if (seen) seen.ref = real;
          },
        },
      }) as object;
      const meta = z.globalRegistry.get(real);
      if (meta !== undefined) z.globalRegistry.add(standIn, meta);
    }
    return schema;
  };
  const standIn = new Proxy({} as Schema, {
    get(_target, key) {
      const real = built();
      return key === '_zod' ? internals : Reflect.get(real, key);
    },
    has: (_target, key) => Reflect.has(built(), key),
  });
  return standIn;
}
