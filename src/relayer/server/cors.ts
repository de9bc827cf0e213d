import type { MiddlewareHandler } from 'hono';

const HEADERS = 'content-type, x-api-key, x-api-sig, x-api-sig-refer, feeversion, pf';

/**
 * Any page or extension may call: nothing here hangs on cookies or on the caller's address, so a
 * foreign origin gains nothing that it could not fetch by itself.
 */
export function cors(): MiddlewareHandler {
  return async (context, next) => {
    context.header('access-control-allow-origin', '*');
    context.header('access-control-expose-headers', 'x-request-id, retry-after');
    if (context.req.method === 'OPTIONS') {
      context.header('access-control-allow-methods', 'GET, POST, PUT, DELETE, OPTIONS');
      context.header('access-control-allow-headers', HEADERS);
      context.header('access-control-allow-private-network', 'true');
      context.header('access-control-max-age', '600');
      return context.body(null, 204);
    }
    return next();
  };
}
