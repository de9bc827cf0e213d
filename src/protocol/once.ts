/**
 * A function that builds what it returns when it is first called, and returns the same from then
 * on. Schemas are built this way: building one costs tens of microseconds in a cold service worker,
 * and the whole interface has about a thousand.
 */
export function once<Value extends object>(build: () => Value): () => Value {
  let value: Value | undefined;
  return () => {
    value ??= build();
    return value;
  };
}
