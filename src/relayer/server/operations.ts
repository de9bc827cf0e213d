import { Hono } from 'hono';
import type { Relayer } from '../engine/relayer.ts';
import { operatorRoutes } from '../operator/operatorRoutes.ts';
import type { Env } from './env.ts';
import type { Health } from './health.ts';

/**
 * Liveness and readiness. `/live` asks nothing but the event loop: a process that answers need not
 * be started again.
 */
export function healthRoutes(health: Health): Hono<Env> {
  const app = new Hono<Env>();
  app.get('/live', (context) => context.json({ status: 'ok' }));
  for (const path of ['/ready', '/health'])
    app.get(path, async (context) => {
      const problems = await health.ready();
      return Object.keys(problems).length === 0
        ? context.json({ status: 'ok' })
        : context.json({ status: 'not ready', problems }, 503);
    });
  return app;
}

/** What only the operator's own machines may see: health, metrics, and the operator interface. */
export function operationsApp(relayer: Relayer, health: Health): Hono<Env> {
  const app = new Hono<Env>();
  app.route('/', healthRoutes(health));
  app.get('/metrics', async (context) => context.text(await relayer.metrics.text()));
  if (relayer.config.operatorKeys !== undefined) app.route('/operator', operatorRoutes(relayer));
  return app;
}
