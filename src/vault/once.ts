/** What takes long to build, such as a schema, and is not needed by most starts of the worker: built when it is first asked for. */
export function once<T>(build: () => T): () => T {
  let built: { readonly value: T } | undefined;
  return () => {
    built ??= { value: build() };
    return built.value;
  };
}
