import type { HttpBindings } from '@hono/node-server';

/** Values that a request carries through the server's handlers. */
export type Env = { Bindings: HttpBindings; Variables: { requestId: string; code: number; bodyText: string } };
