import { Hono } from 'hono';
import type { z } from 'zod';
import { isLoopback } from '../config.ts';
import type { Engine } from '../engine/engine.ts';
import type { Relayer } from '../engine/relayer.ts';
import { Refusal } from '../errors.ts';
import type { Env } from '../server/env.ts';
import { parseJsonObject, readBodyText } from '../server/jsonBody.ts';
import { ammJoin } from './ammJoin.ts';
import { blocks } from './blocks.ts';
import { clock } from './clock.ts';
import { deposit } from './deposit.ts';
import type { DevRoute } from './devRoute.ts';
import { failNext } from './failNext.ts';
import { faucet } from './faucet.ts';
import { l1 } from './l1.ts';
import { nftDeposit } from './nftDeposit.ts';
import { wallet } from './wallet.ts';

const routes: Readonly<Record<string, DevRoute<z.ZodType>>> = {
  faucet,
  deposit,
  nftDeposit,
  ammJoin,
  wallet,
  l1,
  clock,
  blocks,
  failNext,
};

/**
 * A page of any site can send requests to this machine; only those of pages that were served on it
 * count.
 */
function isLocalOrigin(origin: string | undefined): boolean {
  if (origin === undefined) return true;
  if (!URL.canParse(origin)) return false;
  const { protocol, hostname } = new URL(origin);
  return /^https?:$/.test(protocol) && isLoopback(hostname.replace(/^\[|\]$/g, ''));
}

const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'];

export function devRoutes(relayer: Relayer, engine: Engine): Hono<Env> {
  const app = new Hono<Env>();
  app.use(async (context, next) => {
    if (!isLocalOrigin(context.req.header('origin')))
      throw new Refusal('INVALID_ARGUMENT', 'development routes are not for pages of other hosts');
    return next();
  });
  for (const [name, route] of Object.entries(routes))
    app.post(`/${name}`, async (context) => {
      // Loopback is no protection behind a proxy of the same machine.
      const via = FORWARDED.find((header) => context.req.header(header) !== undefined);
      if (via !== undefined)
        throw new Refusal('INVALID_ARGUMENT', `/dev routes are not served through a proxy (${via})`, 404);
      const text = await readBodyText(context.env.incoming, relayer.config.bodyLimitBytes);
      const parsed = route.body.safeParse(text === '' ? {} : parseJsonObject(text));
      if (!parsed.success) {
        const [issue] = parsed.error.issues;
        throw new Refusal('INVALID_ARGUMENT', `${issue?.path.join('.') || 'body'} ${issue?.message ?? 'is not valid'}`);
      }
      return context.json(await route.handle(relayer, engine, parsed.data));
    });
  return app;
}
