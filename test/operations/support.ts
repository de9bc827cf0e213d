import { expect } from 'vitest';
import type { AnyOperation } from '../../src/operations/index.ts';
import { type Facts, IntentError, type SignedRequest } from '../../src/operations/operation.ts';
import type { Review } from '../../src/operations/review.ts';
import { endpoints } from '../../src/protocol/index.ts';

export * from './facts.ts';

/** First issue of a refused intent as `field: rule`. */
export function issueOf(operation: AnyOperation, intent: unknown): string | undefined {
  const issue = operation.intent().safeParse(intent).error?.issues[0];
  if (!issue) return undefined;
  const names = issue.code === 'unrecognized_keys' ? [...issue.path, ...issue.keys] : issue.path;
  return `${names.join('.')}: ${issue.message}`;
}

/** The error of `prepare`, as text. */
export const refusalOf = async (operation: AnyOperation, intent: unknown, facts: Facts): Promise<string> => {
  try {
    await operation.prepare(operation.intent().parse(intent), facts);
  } catch (error) {
    if (error instanceof IntentError) return error.message;
    throw error;
  }
  return 'accepted';
};

/** Labels of the rows with their values. */
export const rowsOf = ({ rows }: Review) => Object.fromEntries(rows.map(({ label, value }) => [label.key, value]));
export const rulesOf = ({ warnings }: Review) => warnings.map(({ rule }) => rule);

/** Changes one leaf of a body into another value of its kind. */
export function changed<Body>(body: Body, path: string): Body {
  const copy = structuredClone(body) as Record<string, never>;
  const names = path.split('.');
  const last = names.pop() as string;
  const holder = names.reduce<Record<string, never>>((at, name) => at[name] as never, copy);
  const value = holder[last] as unknown;
  const next =
    typeof value === 'boolean'
      ? !value
      : typeof value === 'number'
        ? value + 2
        : /^0x[0-9a-f]+$/i.test(String(value))
          ? `${String(value).slice(0, -1)}${String(value).endsWith('1') ? '2' : '1'}`
          : /^[0-9]+$/.test(String(value))
            ? `1${value}`
            : `${value}x`;
  holder[last] = next as never;
  return copy as Body;
}

/** The body as it would be sent, accepted by the endpoint's own schema. */
export function sentBody(signed: SignedRequest): Record<string, unknown> {
  const sent = JSON.parse(signed.bodyText ?? '');
  const { endpoint } = signed;
  if (endpoint !== 'none') expect(endpoints[endpoint].body.safeParse(sent).error).toBeUndefined();
  return sent;
}
