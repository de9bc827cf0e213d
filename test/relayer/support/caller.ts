import type { Endpoint } from '../../../src/protocol/endpoint.ts';
import { endpoints } from '../../../src/protocol/endpointTable.ts';
import { relayerErrors } from '../../../src/protocol/errors.ts';

/** An answer of the relayer as it came, refusals included. */
export interface Reply {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  readonly body: any;
  readonly headers: Headers;
}

/**
 * A bare HTTP caller: no schema, no retry, no limit. It throws when an endpoint answers a code that
 * it does not list, which no client could know of.
 */
export function callerOf(baseUrl: string) {
  return async (
    method: string,
    path: string,
    options: {
      query?: Record<string, string | number | boolean | undefined>;
      body?: unknown;
      headers?: Record<string, string>;
    } = {},
  ): Promise<Reply> => {
    const url = new URL(path, baseUrl);
    for (const [name, value] of Object.entries(options.query ?? {}))
      if (value !== undefined) url.searchParams.set(name, String(value));
    const init: RequestInit = { method, headers: { 'content-type': 'application/json', ...options.headers } };
    if (options.body !== undefined)
      init.body = typeof options.body === 'string' ? options.body : JSON.stringify(options.body);
    const response = await fetch(url, init);
    const text = await response.text();
    const reply = { status: response.status, body: text === '' ? undefined : parse(text), headers: response.headers };
    refuseUnlistedCode(method, url.pathname, reply);
    return reply;
  };
}
export type Caller = ReturnType<typeof callerOf>;

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function refuseUnlistedCode(method: string, path: string, { body }: Reply): void {
  const code = body?.resultInfo?.code ?? 0;
  const endpoint = Object.values<Endpoint>(endpoints).find((known) => known.method === method && known.path === path);
  if (code === 0 || !endpoint) return;
  if (!endpoint.errorCodes.some((name) => relayerErrors[name].code === code))
    throw new Error(`${endpoint.name} does not list ${code}: ${body.resultInfo.message}`);
}
