import { type Life, outside, runOutOfTime } from './life.ts';
import { type Fault, falseRefusals, type NetworkFault, networkFaults } from './plan.ts';

/** One request as it left the wallet. */
interface LeftRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly body: string;
  readonly signature: string;
}

const isNetworkFault = (kind: string): kind is NetworkFault => (networkFaults as readonly string[]).includes(kind);
const lost = () => new TypeError('fetch failed');

/** Middle third of an answer turned around: no JSON any more, or another one than was sent. */
function garble(text: string): string {
  const third = Math.floor(text.length / 3);
  return text.slice(0, third) + [...text.slice(third, 2 * third)].reverse().join('') + text.slice(2 * third);
}

interface Answered {
  readonly status: number;
  readonly text: string;
}

/**
 * What a list says that has not heard of what was sent last: what it said before, or that there is
 * no such thing.
 */
function oldAnswer(path: string, before: Answered | undefined): Answered {
  if (before) return before;
  if (path === '/api/v3/order')
    return { status: 400, text: JSON.stringify({ resultInfo: { code: 107003, message: '' } }) };
  return {
    status: 200,
    text: JSON.stringify({ totalNum: 0, transactions: [], transfers: [], withdrawals: [], mints: [], orders: [] }),
  };
}

/** The way to the relayer, with its faults. Remembers all that left. */
export function createNetwork() {
  /** The last answer of each read. */
  const answered = new Map<string, Answered>();
  const left: LeftRequest[] = [];
  /** Requests that are still on their way when everybody has given them up. */
  const straying: (() => Promise<unknown>)[] = [];

  async function send(
    life: Life,
    faultsAt: (label: string) => readonly Fault[],
    target: string,
    init: RequestInit,
  ): Promise<Response> {
    const url = new URL(target);
    const method = init.method ?? 'GET';
    const label = `${method} ${url.pathname.replace('/api/v3/', '')}`;
    await life.pass(`${label}:before`);
    const headers = new Headers(init.headers);
    left.push({
      method,
      path: url.pathname,
      query: url.search,
      body: typeof init.body === 'string' ? init.body : '',
      signature: headers.get('x-api-sig') ?? '',
    });
    const kind = faultsAt(label)
      .map((fault) => fault.kind)
      .find(isNetworkFault);
    const { signal: _, ...request } = init;
    const deliver = () =>
      outside(async () => {
        const response = await fetch(target, request);
        const came = { status: response.status, text: await response.text() };
        if (method === 'GET') answered.set(target, came);
        return came;
      });
    const answer = (status: number, text: string, more: Record<string, string> = {}) =>
      new Response(text, { status, headers: { 'content-type': 'application/json', ...more } });
    const arrive = async (): Promise<Response> => {
      switch (kind) {
        case undefined: {
          const { status, text } = await deliver();
          return answer(status, text);
        }
        case 'lost':
          throw lost();
        case 'answer-lost':
          await deliver();
          throw lost();
        case 'late':
          await deliver();
          runOutOfTime(init.signal);
          throw lost();
        case 'stale':
          straying.push(deliver);
          runOutOfTime(init.signal);
          throw lost();
        case 'doubled': {
          // What the first copy made is told by nobody: the answer is the second one's.
          await deliver();
          const { status, text } = await deliver();
          return answer(status, text);
        }
        case 'cut': {
          const { status, text } = await deliver();
          return answer(status, text.slice(0, text.length / 2));
        }
        case 'garbled': {
          const { status, text } = await deliver();
          return answer(status, garble(text));
        }
        case 'bad-gateway':
          await deliver();
          return answer(502, '<html>bad gateway</html>');
        case 'server-error':
          await deliver();
          return answer(500, JSON.stringify({ resultInfo: { code: 100000, message: 'Unknown error' } }));
        case 'too-many':
          return answer(429, '', { 'retry-after': '1' });
        case 'behind': {
          const { status, text } = oldAnswer(url.pathname, answered.get(target));
          return answer(status, text);
        }
        default: {
          const { status, code } = falseRefusals[kind];
          await deliver();
          return answer(
            status,
            code === null ? '<html>no</html>' : JSON.stringify({ resultInfo: { code, message: 'no' } }),
          );
        }
      }
    };
    const response = await arrive();
    await life.pass(`${label}:after`);
    return response;
  }

  return {
    left,
    send,
    /** What was on its way arrives after all. */
    async letStrayArrive(): Promise<number> {
      const arriving = straying.splice(0);
      for (const deliver of arriving) await deliver();
      return arriving.length;
    },
  };
}
