import type { IncomingMessage } from 'node:http';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import type { Endpoint } from '../../protocol/endpoint.ts';
import { type EndpointName, endpoints } from '../../protocol/endpointTable.ts';
import { relayerErrors } from '../../protocol/errors.ts';
import { isDatabaseTrouble } from '../db/port.ts';
import { devRoutes } from '../dev/devRoutes.ts';
import type { Engine } from '../engine/engine.ts';
import { InjectedFault } from '../engine/faults.ts';
import type { Relayer } from '../engine/relayer.ts';
import { Refusal } from '../errors.ts';
import * as all from '../routes/index.ts';
import { clientAddress, createAdmission } from './admission.ts';
import { compressed } from './compressed.ts';
import { cors } from './cors.ts';
import type { Env } from './env.ts';
import type { Health } from './health.ts';
import { readBodyText } from './jsonBody.ts';
import { healthRoutes, operationsApp } from './operations.ts';
import { reference } from './reference.ts';
import { requestIdOf } from './requestId.ts';
import type { Route } from './route.ts';
import { type AnyRoute, serveEndpoint } from './serveEndpoint.ts';

/** A missing route does not compile. */
const routes: { readonly [N in EndpointName]: Route<N> } = all;

/** Bodies that may arrive at the same time, for each request that is worked on. */
const BODIES_PER_PLACE = 4;
/** Of one client; a body that is on its way with its headers is here at once. */
const BODIES_PER_CLIENT = 64;
/** The documents for people and programs, which all share one limit of a client. */
const REFERENCE = { name: 'reference', apiKey: 'none', requestsPerSecond: null } as const;
/** The metrics' outcome of a request that was refused, or failed. */
const outcomeOf = (error: unknown) => String(error instanceof Refusal ? error.code : relayerErrors.UNKNOWN_ERROR.code);

/**
 * The HTTP face of the relayer: every endpoint of the table, health, metrics, reference, and /dev
 * in development.
 */
export function createApp(relayer: Relayer, engine: Engine, health: Health): Hono<Env> {
  const app = new Hono<Env>();
  const admit = createAdmission(relayer);

  app.use(async (context, next) => {
    const started = performance.now();
    context.set('requestId', requestIdOf(context.req.header('x-request-id')));
    context.header('x-request-id', context.get('requestId'));
    if (health.stopping) context.header('connection', 'close');
    await next();
    const ms = performance.now() - started;
    relayer.log.info(
      {
        requestId: context.get('requestId'),
        method: context.req.method,
        path: context.req.path.slice(0, 120),
        status: context.res.status,
        code: context.get('code'),
        ms: Math.round(ms * 10) / 10,
      },
      'request',
    );
  });
  app.use(cors());
  const { maxConcurrentRequests, bodyLimitBytes } = relayer.config;
  const names = new Map(Object.values(endpoints).map(({ name, method, path }) => [`${method} ${path}`, name]));
  let inProgress = 0;
  let arriving = 0;
  const arrivingOf = new Map<string, number>();
  relayer.metrics.gauge('requests_in_progress', () => inProgress);
  /** Of a request that gets no further than here. */
  const refuseEarly = (context: Context<Env>, error: unknown) => {
    const endpoint = names.get(`${context.req.method} ${context.req.path}`) ?? 'unknown';
    relayer.metrics.count('requests_total', { endpoint, outcome: outcomeOf(error) });
    return refuse(relayer, context, error);
  };
  const overloaded = new Refusal('UNKNOWN_ERROR', 'the relayer is overloaded; send the same request again', 503);
  const bounded: MiddlewareHandler<Env> = async (context, next) => {
    // Read first: a client that is slow with its body takes no place. Bodies take memory, so they
    // are bounded as well.
    if (context.req.method === 'POST') {
      if (arriving >= BODIES_PER_PLACE * maxConcurrentRequests) return refuseEarly(context, overloaded);
      const client = clientAddress(context.env.incoming as IncomingMessage, relayer.config);
      const before = arrivingOf.get(client) ?? 0;
      if (before >= BODIES_PER_CLIENT) {
        const message = `${BODIES_PER_CLIENT} requests of one client wait for their bodies; send the same request again`;
        return refuseEarly(context, new Refusal('UNKNOWN_ERROR', message, 429));
      }
      arriving += 1;
      arrivingOf.set(client, before + 1);
      try {
        context.set('bodyText', await readBodyText(context.env.incoming, bodyLimitBytes));
      } catch (error) {
        return refuseEarly(context, error);
      } finally {
        arriving -= 1;
        const left = (arrivingOf.get(client) ?? 0) - 1;
        if (left > 0) arrivingOf.set(client, left);
        else arrivingOf.delete(client);
      }
    }
    // Beyond this the database would only be asked later: a clear no costs nothing and the same
    // bytes may come again.
    if (inProgress >= maxConcurrentRequests) return refuseEarly(context, overloaded);
    inProgress += 1;
    try {
      return await next();
    } finally {
      inProgress -= 1;
    }
  };
  app.use('/api/*', bounded);
  app.use('/v3/*', bounded);
  for (const path of ['/', '/openapi.json'])
    app.use(path, bounded, async (context, next) => {
      await admit(REFERENCE, context);
      return next();
    });
  app.onError((error, context) => refuse(relayer, context, error));
  app.notFound((context) => answerRefusal(context, new Refusal('INVALID_ARGUMENT', 'there is no such endpoint', 404)));

  for (const endpoint of Object.values(endpoints) as readonly Endpoint[]) {
    const route = routes[endpoint.name as EndpointName] as unknown as AnyRoute;
    app.on(endpoint.method, endpoint.path, async (context) => {
      const started = performance.now();
      let outcome = '200';
      try {
        const keyHolder = await admit(endpoint, context);
        const answer = (await serveEndpoint(relayer, endpoint, route, context, keyHolder)) as object;
        const { cacheSeconds } = endpoint;
        context.header('cache-control', cacheSeconds === undefined ? 'no-store' : `public, max-age=${cacheSeconds}`);
        const body = await compressed(context, answerText(answer, route));
        return context.body(body, 200, { 'content-type': 'application/json' });
      } catch (error) {
        outcome = outcomeOf(error);
        throw error;
      } finally {
        relayer.metrics.count('requests_total', { endpoint: endpoint.name, outcome });
        relayer.metrics.observe('request_seconds', (performance.now() - started) / 1000, { endpoint: endpoint.name });
      }
    });
  }

  const { dev, operationsPort } = relayer.config;
  app.route('/', dev && operationsPort === undefined ? operationsApp(relayer, health) : healthRoutes(health));
  app.route('/', reference(relayer));
  if (relayer.config.dev) app.route('/dev', devRoutes(relayer, engine));
  return app;
}

function refuse(relayer: Relayer, context: Context, error: unknown): Response {
  if (error instanceof Refusal) return answerRefusal(context, error);
  const trouble = isDatabaseTrouble(error);
  if (trouble) relayer.trouble(error);
  else if (!(error instanceof InjectedFault))
    relayer.log.error({ err: error, requestId: context.get('requestId') }, 'a request failed');
  return answerRefusal(
    context,
    new Refusal('UNKNOWN_ERROR', 'unknown error; the request id is in the x-request-id header', trouble ? 503 : 400),
  );
}

/**
 * `JSON.stringify` writes no integer above 2^53 exactly, so such members are texts until here. A
 * quote inside of a text is escaped.
 */
function answerText(answer: object, { exactIntegers = [] }: AnyRoute): string {
  const text = JSON.stringify(answer);
  return exactIntegers.reduce(
    (whole, name) => whole.replaceAll(new RegExp(`"${name}":"(\\d+)"`, 'g'), `"${name}":$1`),
    text,
  );
}

function answerRefusal(context: Context, refusal: Refusal): Response {
  context.set('code', refusal.code);
  context.header('cache-control', 'no-store');
  if (refusal.status === 503 || refusal.status === 429) context.header('retry-after', '1');
  return context.json({ resultInfo: { code: refusal.code, message: refusal.message } }, refusal.status);
}
