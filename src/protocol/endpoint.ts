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
 * An endpoint as its file writes it: the schemas as functions, and of the refusals only those that
 * `endpoint` does not add.
 */
interface EndpointDefinition<Query extends z.ZodMiniType, Body extends z.ZodMiniType, Answer extends z.ZodMiniType>
  extends Pick<Endpoint, 'method' | 'path' | 'apiKey' | 'signature' | 'resend' | 'cacheSeconds'> {
  readonly summary: string | undefined;
  readonly requestsPerSecond?: Endpoint['requestsPerSecond'];
  readonly errorCodes?: Endpoint['errorCodes'] | undefined;
  /** Without it the endpoint takes no parameters. */
  readonly query?: () => Query;
  /** Without it the endpoint takes no body. */
  readonly body?: () => Body;
  readonly answer: () => Answer;
}

/**
 * Makes an endpoint of its definition; `endpointTable.ts` gives it its name. UNKNOWN_ERROR and, for
 * a call with an API key, the codes of keys are among its refusals; its rate is limited unless the
 * definition says `null`.
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
  requestsPerSecond = doc?.(REQUESTS_PER_SECOND) ?? null,
  errorCodes = [],
  // The types of what a definition leaves out are their defaults.
  query = noQuery as () => z.ZodMiniType as () => Query,
  body = noBody as () => z.ZodMiniType as () => Body,
  answer,
  ...facts
}: EndpointDefinition<Query, Body, Answer>) {
  const built: { query?: Query; body?: Body; answer?: Answer } = {};
  return {
    ...facts,
    summary,
    requestsPerSecond,
    errorCodes:
      doc?.([...new Set(['UNKNOWN_ERROR' as const, ...errorCodes, ...(facts.apiKey === 'none' ? [] : apiKeyCodes)])]) ??
      [],
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
  } satisfies Omit<Endpoint<Query, Body, Answer>, 'name'>;
}

/** An endpoint that only reads, as its file writes it. */
type ReadDefinition<Query extends z.ZodMiniType, Answer extends z.ZodMiniType> = Omit<
  EndpointDefinition<Query, ReturnType<typeof noBody>, Answer>,
  'method' | 'signature' | 'resend' | 'body'
>;

/**
 * Makes an endpoint that only reads: a GET without body and signature, repeated after an unknown
 * outcome.
 */
export const readEndpoint = <Answer extends z.ZodMiniType, Query extends z.ZodMiniType = ReturnType<typeof noQuery>>(
  definition: ReadDefinition<Query, Answer>,
) => endpoint({ ...definition, method: 'GET', signature: 'none', resend: 'repeat' });
