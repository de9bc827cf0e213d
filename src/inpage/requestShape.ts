/** Characters of the JSON of a request's parameters, at most. */
const MAX_PARAMS = 65_536;
const MAX_METHOD = 100;

/** As the page script names its requests. */
export const isRequestId = (id: unknown): id is string => typeof id === 'string' && /^[0-9a-f-]{36}$/.test(id);

/** @returns `null` for what JSON cannot carry, such as a bigint. */
export function jsonOf(params: unknown): string | undefined | null {
  try {
    return JSON.stringify(params);
  } catch {
    return null;
  }
}

/**
 * The error of a request whose shape or size is wrong.
 * @param json - `jsonOf` its parameters.
 */
export function faultOf(method: unknown, json: string | undefined | null) {
  if (json === null) return { code: -32602, message: 'params: not JSON; numbers beyond 2^53 are written as text' };
  if (typeof method !== 'string' || method.length > MAX_METHOD)
    return { code: -32600, message: 'method is a short string' };
  if ((json ?? '').length > MAX_PARAMS)
    return { code: -32602, message: `params: larger than ${MAX_PARAMS} characters` };
  return undefined;
}
