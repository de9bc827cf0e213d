/**
 * Builds a value when it is first asked for: for values that take long to build, such as a schema,
 * and that most starts of the worker do not need.
 */
export function once<T>(build: () => T): () => T {
  let built: { readonly value: T } | undefined;
  return () => {
    built ??= { value: build() };
    return built.value;
  };
}
