import type { RelayerErrorName } from './errors.ts';
import type { REQUESTS_PER_SECOND } from './limits.ts';
import { z } from './zod.ts';

/** Kind of signature that the `X-API-SIG` header of an endpoint carries. */
export type HeaderSignature = 'none' | 'eddsa' | 'ecdsa';

/**
 * One endpoint as data. The table of all endpoints (`endpointTable.ts`) drives the wallet's client,
 * the relayer's routes, the OpenAPI document and the tests, so that a fact about an endpoint stands
 * in one place.
 */
export interface Endpoint<
  Query extends z.ZodMiniType = z.ZodMiniType,
  Body extends z.ZodMiniType = z.ZodMiniType,
  Answer extends z.ZodMiniType = z.ZodMiniType,
> {
  /** Name of the client's method and of the OpenAPI operation. */
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Path below the relayer's base URL, `/api/v3/…`. */
  readonly path: string;
  /** One sentence for a reader of the reference page; empty in the extension. */
  readonly summary: string;
  /**
   * `required`: a missing key is API_KEY_EMPTY. `optional`: sent when there is one, never demanded.
   */
  readonly apiKey: 'required' | 'optional' | 'none';
  readonly signature: HeaderSignature;
  /**
   * Requests a second for one key (address without a key); `null` where neither the interface
   * document nor a running relayer's documentation states one, and in the extension.
   */
  readonly requestsPerSecond: typeof REQUESTS_PER_SECOND | null;
  /**
   * After an unknown outcome: `repeat` (a read), `same-bytes` (a submission that the relayer
   * recognises), or `never`.
   */
  readonly resend: 'repeat' | 'same-bytes' | 'never';
  /** Seconds for which anybody may keep an answer; without it no answer is stored. */
  readonly cacheSeconds?: number;
  /** Refusals of the document's per-endpoint table, and the field's; none in the extension. */
  readonly errorCodes: readonly RelayerErrorName[];
  /**
   * Query parameters; numbers travel as decimal text. Strict for our own clients; the relayer
   * ignores an unknown name in a GET.
   */
  readonly query: Query;
  /** JSON body; strict. `z.undefined()` for endpoints without one. */
  readonly body: Body;
  /** JSON answer; unknown extra fields are kept, missing or mistyped ones refused. */
  readonly answer: Answer;
}

/** An endpoint as its file writes it: the schemas as functions. */
type EndpointDefinition<
  Name extends string,
  Query extends z.ZodMiniType,
  Body extends z.ZodMiniType,
  Answer extends z.ZodMiniType,
> = Omit<Endpoint, 'name' | 'summary' | 'errorCodes' | 'requestsPerSecond' | 'query' | 'body' | 'answer'> & {
  readonly name: Name;
  readonly summary: string | undefined;
  readonly errorCodes: Endpoint['errorCodes'] | undefined;
  readonly requestsPerSecond: Endpoint['requestsPerSecond'] | undefined;
  readonly query: () => Query;
  readonly body: () => Body;
  readonly answer: () => Answer;
};

/**
 * Makes an endpoint of its definition. Each schema is built when it is first read and then kept:
 * all together take longer than a service worker may take to wake up, and one wake-up needs few of
 * them.
 */
export function endpoint<
  const Name extends string,
  Query extends z.ZodMiniType,
  Body extends z.ZodMiniType,
  Answer extends z.ZodMiniType,
>({
  summary = '',
  errorCodes = [],
  requestsPerSecond = null,
  query,
  body,
  answer,
  ...facts
}: EndpointDefinition<Name, Query, Body, Answer>) {
  const built: { query?: Query; body?: Body; answer?: Answer } = {};
  return {
    ...facts,
    summary,
    errorCodes,
    requestsPerSecond,
    get query(): Query {
      built.query ??= query();
      return built.query;
    },
    get body(): Body {
      built.body ??= body();
      return built.body;
    },
    get answer(): Answer {
      built.answer ??= answer();
      return built.answer;
    },
  } satisfies Endpoint<Query, Body, Answer>;
}

/** An endpoint that only reads, as its file writes it. */
type ReadDefinition<Name extends string, Query extends z.ZodMiniType, Answer extends z.ZodMiniType> = Omit<
  Endpoint,
  | 'name'
  | 'summary'
  | 'errorCodes'
  | 'requestsPerSecond'
  | 'query'
  | 'answer'
  | 'method'
  | 'signature'
  | 'resend'
  | 'body'
> & {
  readonly name: Name;
  readonly summary: string | undefined;
  readonly errorCodes: Endpoint['errorCodes'] | undefined;
  readonly requestsPerSecond: Endpoint['requestsPerSecond'] | undefined;
  readonly query: () => Query;
  readonly answer: () => Answer;
};

/**
 * Makes an endpoint that only reads: a GET without body and signature, repeated after an unknown
 * outcome.
 */
export const readEndpoint = <const Name extends string, Query extends z.ZodMiniType, Answer extends z.ZodMiniType>(
  definition: ReadDefinition<Name, Query, Answer>,
) => endpoint({ ...definition, method: 'GET', signature: 'none', resend: 'repeat', body: () => z.undefined() });
