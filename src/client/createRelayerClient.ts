import {
  type Endpoint,
  type EndpointAnswer,
  type EndpointBody,
  type EndpointName,
  type EndpointQuery,
  endpoints,
} from '../protocol/index.ts';
import { buildRequest, type HttpRequest, type RequestInput } from './buildRequest.ts';
import { RelayerClientError } from './errors.ts';
import { isRead, readAnswer, readBody } from './readAnswer.ts';
import { createScheduler, type RequestPriority } from './scheduler.ts';

export interface RelayerClientOptions {
  /**
   * Scheme and host of the relayer, `https://…`; a trailing slash is ignored. Request signatures
   * cover it.
   */
  readonly baseUrl: string;
  readonly fetch?: typeof fetch;
  /** Longest wait for a whole answer, in ms, from the moment the request leaves. */
  readonly timeoutMs?: number;
  /** Milliseconds of a clock that never goes back, for spacing requests. */
  readonly now?: () => number;
  readonly sleep?: (ms: number) => Promise<void>;
}

export interface ClientRequest<N extends EndpointName> extends RequestInput {
  readonly query?: EndpointQuery<N>;
  readonly body?: EndpointBody<N>;
  /** `user` (the default) goes before `poll`. */
  readonly priority?: RequestPriority;
  /** The site that caused the request; a site gets only a share of the rate limit. */
  readonly origin?: string | undefined;
  /**
   * Awaited each time that the request leaves, when nothing holds it back any more. It does not
   * leave when this rejects.
   */
  readonly leaving?: () => Promise<unknown>;
}

/**
 * One method for each endpoint of the protocol's table.
 * @throws {RelayerClientError} From every method.
 */
export type RelayerClient = {
  readonly [N in EndpointName]: (request: ClientRequest<N>) => Promise<EndpointAnswer<N>>;
};

/** Tries of a read in all. */
const maxTries = 3;
/** Wait before the second try in ms; doubled for the third. */
const firstBackOffMs = 300;
/**
 * Longest pause that a `Retry-After` of the relayer is granted, in ms: all tries of a read end
 * before a browser stops a worker that only waits.
 */
const maxPauseMs = 10_000;
/** Pause of an endpoint after a 429 without `Retry-After`: one window of the limit. */
const defaultPauseMs = 1000;

/**
 * Makes a client for one relayer. It contacts no other host: redirects are errors. No request has
 * cookies or a referrer; the WebSocket of `push.ts` carries the cookies that a browser adds.
 * @throws {RelayerClientError} `bad-request`: the base URL is no plain http(s) URL.
 */
export function createRelayerClient(options: RelayerClientOptions): RelayerClient {
  const baseUrl = checkBaseUrl(options.baseUrl);
  const {
    // Bound, because `fetch` refuses to run as a method of another object.
    fetch: send = globalThis.fetch.bind(globalThis),
    timeoutMs = 6000,
    now = () => performance.now(),
    sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  } = options;
  const scheduler = createScheduler({ now, sleep });

  async function exchange(endpoint: Endpoint, request: HttpRequest): Promise<unknown> {
    const signal = AbortSignal.timeout(timeoutMs);
    let status: number;
    let body: string | undefined;
    try {
      const response = await send(request.url, {
        method: request.method,
        headers: request.headers,
        ...(request.body === undefined ? {} : { body: request.body }),
        signal,
        redirect: 'error',
        credentials: 'omit',
        referrerPolicy: 'no-referrer',
        cache: 'no-store',
      });
      status = response.status;
      if (status === 429) scheduler.pause(endpoint.name, pauseOf(response.headers.get('Retry-After')));
      body = await readBody(response);
    } catch (cause) {
      // A rejected fetch does not tell whether the bytes arrived.
      const late = signal.aborted;
      throw new RelayerClientError(
        late ? `${endpoint.name}: no answer within ${timeoutMs} ms` : `${endpoint.name}: the relayer cannot be reached`,
        { kind: late ? 'timeout' : 'transport', outcome: 'unknown', endpoint: endpoint.name, cause },
      );
    }
    return readAnswer(endpoint, status, body);
  }

  async function call(endpoint: Endpoint, input: ClientRequest<EndpointName>): Promise<unknown> {
    const request = buildRequest(baseUrl, endpoint, input);
    for (let tries = 1; ; tries++) {
      const { priority = 'user', origin, leaving } = input;
      const queueFreeInMs = await scheduler.acquire(endpoint.name, priority, origin, leaving ? 'signed' : 'read');
      if (queueFreeInMs !== null) {
        throw new RelayerClientError(`${endpoint.name}: too many requests are waiting`, {
          kind: 'transport',
          outcome: 'not-sent',
          endpoint: endpoint.name,
          queueFreeInMs,
        });
      }
      await leaving?.();
      try {
        return await exchange(endpoint, request);
      } catch (error) {
        const again = error instanceof RelayerClientError && error.kind === 'transport' && isRead(endpoint);
        if (!again || tries === maxTries) throw error;
        await sleep(firstBackOffMs * 2 ** (tries - 1));
      }
    }
  }

  const methods = Object.values(endpoints).map((entry) => {
    const endpoint: Endpoint = entry;
    return [endpoint.name, (request: ClientRequest<EndpointName>) => call(endpoint, request)] as const;
  });
  return Object.freeze(Object.fromEntries(methods)) as RelayerClient;
}

/** `Retry-After` in seconds or as a date, in ms. */
function pauseOf(retryAfter: string | null): number {
  if (retryAfter === null) return defaultPauseMs;
  const ms = /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - Date.now();
  return Number.isNaN(ms) ? defaultPauseMs : Math.min(Math.max(ms, 0), maxPauseMs);
}

function checkBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const plain = url && /^https?:$/.test(url.protocol) && !url.username && !url.password && !url.search && !url.hash;
  if (plain) return text.replace(/\/+$/, '');
  throw new RelayerClientError('the relayer’s address is no plain http or https URL', {
    kind: 'bad-request',
    outcome: 'not-sent',
    endpoint: '',
    field: 'baseUrl',
  });
}
