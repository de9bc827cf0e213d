import { doc } from './doc.ts';
import { apiKeyCodes, type RelayerErrorName } from './errors.ts';
import { REQUESTS_PER_SECOND } from './limits.ts';
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

const noQuery = () => z.strictObject({});
const noBody = () => z.undefined();

/**
 * An endpoint as its file writes it: the schemas as functions, and without what `endpoint` adds.
 */
interface EndpointDefinition<Query extends z.ZodMiniType, Body extends z.ZodMiniType, Answer extends z.ZodMiniType>
  extends Pick<Endpoint, 'method' | 'path' | 'cacheSeconds'>,
    Partial<Pick<Endpoint, 'apiKey' | 'signature' | 'resend' | 'requestsPerSecond'>> {
  readonly summary: string | undefined;
  readonly errorCodes?: Endpoint['errorCodes'] | undefined;
  /** Without it the endpoint takes no parameters. */
  readonly query?: () => Query;
  /** Without it the endpoint takes no body. */
  readonly body?: () => Body;
  readonly answer: () => Answer;
}

/**
 * Makes an endpoint of its definition; `endpointTable.ts` gives it its name. Unless the definition
 * says otherwise, a call needs an API key and no signature, its rate is limited, and after an
 * unknown outcome a GET is repeated and anything else sent again with the same bytes. Among the
 * refusals are UNKNOWN_ERROR, INVALID_ARGUMENT of a call with parameters or a body, and the codes
 * of keys of a call with an API key.
 *
 * Each schema is built when it is first read and then kept: all together take longer than a service
 * worker may take to wake up, and one wake-up needs few of them.
 */
export function endpoint<
  Answer extends z.ZodMiniType,
  Query extends z.ZodMiniType = ReturnType<typeof noQuery>,
  Body extends z.ZodMiniType = ReturnType<typeof noBody>,
>({
  summary = '',
  apiKey = 'required',
  signature = 'none',
  requestsPerSecond = doc?.(REQUESTS_PER_SECOND) ?? null,
  errorCodes = [],
  query,
  body,
  answer,
  ...facts
}: EndpointDefinition<Query, Body, Answer>) {
  const built: { query?: Query; body?: Body; answer?: Answer } = {};
  return {
    resend: facts.method === 'GET' ? 'repeat' : 'same-bytes',
    ...facts,
    summary,
    apiKey,
    signature,
    requestsPerSecond,
    errorCodes:
      doc?.([
        ...new Set([
          'UNKNOWN_ERROR' as const,
          'REQUEST_TIMEOUT' as const,
          ...(query || body ? ['INVALID_ARGUMENT' as const] : []),
          ...errorCodes,
          ...apiKeyCodes[apiKey],
        ]),
      ]) ?? [],
    // The types of what a definition leaves out are their defaults.
    get query(): Query {
      built.query ??= (query ?? noQuery)() as Query;
      return built.query;
    },
    get body(): Body {
      built.body ??= (body ?? noBody)() as Body;
      return built.body;
    },
    get answer(): Answer {
      built.answer ??= answer();
      return built.answer;
    },
  } satisfies Omit<Endpoint<Query, Body, Answer>, 'name'>;
}

/** Makes an endpoint that only reads: a GET without a body. */
export const readEndpoint = <Answer extends z.ZodMiniType, Query extends z.ZodMiniType = ReturnType<typeof noQuery>>(
  definition: Omit<EndpointDefinition<Query, ReturnType<typeof noBody>, Answer>, 'method' | 'body'>,
) => endpoint({ ...definition, method: 'GET' });
