import { type Context, Hono } from 'hono';
import type { z } from 'zod';
import { isDatabaseTrouble } from '../db/port.ts';
import type { Relayer } from '../engine/relayer.ts';
import { Refusal } from '../errors.ts';
import { kebab } from '../kebab.ts';
import { refuseControlCharacters } from '../server/controlCharacters.ts';
import type { Env } from '../server/env.ts';
import { parseJsonObject, readBodyText } from '../server/jsonBody.ts';
import { operatorActions, operatorLists } from './index.ts';
import type { AnyOperatorAction } from './operatorAction.ts';
import { ownerOfKey } from './operatorKeys.ts';
import { listQuery } from './operatorList.ts';
import { writeOperatorLog } from './operatorLog.ts';
import { OperatorRefusal } from './operatorRefusal.ts';

/**
 * The operator interface, for the operations port alone. Every request carries a key; every action
 * whose fields could be read is in the audit log before it is answered, those that are refused too.
 * What failed, by the database or by a fault of this program, changed nothing and is not in it.
 */
export function operatorRoutes(relayer: Relayer): Hono<Env> {
  const app = new Hono<Env>();
  for (const [name, action] of Object.entries(operatorActions))
    app.post(`/${kebab(name)}`, async (context) => {
      const operator = authenticate(relayer, context);
      const text = await readBodyText(context.env.incoming, relayer.config.bodyLimitBytes);
      const body = parse(action.body, parseJsonObject(text));
      return context.json(await perform(relayer, operator, name, action, body));
    });
  for (const [name, list] of Object.entries(operatorLists))
    app.get(`/${kebab(name)}`, async (context) => {
      authenticate(relayer, context);
      const page = parse(listQuery, Object.fromEntries(new URL(context.req.url).searchParams));
      return context.json({ rows: await list.rows(relayer, page) });
    });
  app.all('*', (context) => answer(context, 404, 'unknown', 'the operator interface has no such path'));
  app.onError((error, context) => {
    if (error instanceof OperatorRefusal) return answer(context, error.status, error.reason, error.message);
    // From the parts that the public port uses too: size and form of the body.
    if (error instanceof Refusal) return answer(context, error.status, 'invalid', error.message);
    if (isDatabaseTrouble(error)) {
      relayer.trouble(error);
      return answer(context, 503, 'unavailable', 'the database is in trouble; send the same request again');
    }
    relayer.log.error({ err: error, path: context.req.path }, 'a request of the operator failed');
    return answer(context, 500, 'failed', 'it failed; the cause is in the log of the relayer');
  });
  return app;
}

function answer(context: Context<Env>, status: number, reason: string, message: string): Response {
  if (status === 503) context.header('retry-after', '1');
  return context.json({ error: { reason, message } }, status as 400);
}

/** @returns Whose key was sent. */
function authenticate(relayer: Relayer, context: Context<Env>): string {
  const key = /^Bearer (\S+)$/.exec(context.req.header('authorization') ?? '')?.[1];
  const operator = key === undefined ? undefined : ownerOfKey(relayer.config.operatorKeys ?? [], key);
  if (operator !== undefined) return operator;
  relayer.metrics.count('operator_actions_total', { action: 'none', outcome: 'unauthorized' });
  relayer.log.warn({ path: context.req.path.slice(0, 120) }, 'a request to the operator interface had no valid key');
  throw new OperatorRefusal('unauthorized', 'a key of the operator interface is needed: authorization: Bearer <key>');
}

function parse<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  refuseControlCharacters(value);
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new OperatorRefusal(
    'invalid',
    parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'request'}: ${message}`).join('; '),
  );
}

async function perform(
  relayer: Relayer,
  operator: string,
  name: string,
  action: AnyOperatorAction,
  body: Record<string, unknown>,
): Promise<object> {
  const entry = { operator, action: name, subject: action.subject(body), request: body };
  try {
    const { repeated, ...facts } = await relayer.db.transaction(async (tx) => {
      const result = await action.perform(relayer, tx, body);
      await writeOperatorLog(tx, { ...entry, outcome: result.repeated ? 'repeated' : 'done' });
      return result;
    });
    relayer.metrics.count('operator_actions_total', { action: name, outcome: repeated ? 'repeated' : 'done' });
    relayer.log.info({ operator, action: name, subject: entry.subject, repeated }, 'the operator acted');
    relayer.wake();
    return { repeated, ...facts };
  } catch (error) {
    if (!(error instanceof OperatorRefusal || error instanceof Refusal)) throw error;
    relayer.metrics.count('operator_actions_total', { action: name, outcome: 'refused' });
    await relayer.db.transaction((tx) =>
      writeOperatorLog(tx, { ...entry, outcome: 'refused', message: error.message }),
    );
    throw error;
  }
}
