/** The LP amount of `burned` in either form. */
export function burnedVolume(burned: string | { readonly volume: string }): string {
  return typeof burned === 'string' ? burned : burned.volume;
}

/**
 * `hash` plus `raw_data` becomes flat: running relayers answer flat, the interface document shows
 * the wrapper of a client library. Flat fields win.
 */
export function flattenRawData(answer: unknown): unknown {
  if (typeof answer !== 'object' || answer === null || !('raw_data' in answer)) return answer;
  return { ...(answer.raw_data as object), ...answer };
}
