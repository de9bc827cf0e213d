import { clockJumps, falseRefusals, isEnd, type NetworkFault, networkFaults, parseFault } from './plan.ts';
import type { Scenario } from './scenario.ts';
import type { Schedule } from './schedule.ts';

/** Clocks are looked at in few places; a jump matters between two effects, not at each read. */
const isEffect = (point: string) =>
  /:(begin|committed|before|after|held)#/.test(point) || /^(timer|reply|uuid)/.test(point.replace(/^\d:/, ''));
const isRequest = (point: string) => /^(\d:)?(GET|POST|DELETE) [^:]*#/.test(point);
/**
 * Refusals are of what changes something; behind can only be a read of what such a request left.
 */
const canHappen = (kind: NetworkFault, point: string) =>
  kind in falseRefusals
    ? !/^(\d:)?GET /.test(point)
    : kind !== 'behind' || /^(\d:)?GET (order|orders|account|user\/\w+|amm\/user\/transactions)#/.test(point);
const isWrite = (point: string) => /:quota#/.test(point);
const isAccess = (point: string) => /:open#/.test(point);
const isStart = (point: string) => /:start#/.test(point);
const isKillPoint = (point: string) => ![isRequest, isWrite, isAccess, isStart].some((is) => is(point));

/**
 * Points at which an end of the worker leaves something else behind than an end at the point after:
 * a message goes out there, an alarm is set there, or a write, a request or a message is in
 * progress. Between any other point and the next one nothing changes that outlives the worker.
 */
export function distinctEnds(trace: readonly string[]): ReadonlySet<string> {
  const distinct = new Set<string>();
  /** Started and not yet ended, by what it is; questions to the relayer change nothing there. */
  const inProgress = new Map<string, number>();
  const count = (of: string, by: number) => inProgress.set(of, Math.max(0, (inProgress.get(of) ?? 0) + by));
  const points = trace.filter(isKillPoint);
  for (const [index, point] of points.entries()) {
    const [label = ''] = point.split('#');
    const [, of = '', step = ''] = /^(.*):(begin|commit|committed|before|after)$/.exec(label) ?? [];
    if (!label.startsWith('GET ')) {
      if (step === 'begin' || step === 'before') count(of, 1);
      if (step === 'committed' || step === 'after') count(of, -1);
    }
    const isOpen = [...inProgress.values()].some((open) => open > 0);
    if (isOpen || /^(reply|wakeAt)/.test(label) || index === points.length - 1) distinct.add(point);
  }
  return distinct;
}

const schedule = (scenario: Scenario, fault: string): Schedule => ({ scenario, faults: [parseFault(fault)] });

/** Kinds of fault that can happen at a point, those that go on with a `*`. */
export function kindsAt(point: string): readonly string[] {
  const orLasting = (kind: string) => [kind, `${kind}*`];
  if (isRequest(point)) return networkFaults.filter((kind) => canHappen(kind, point)).flatMap(orLasting);
  if (isWrite(point)) return orLasting('full');
  if (isAccess(point)) return orLasting('shut');
  if (isStart(point)) return ['lose'];
  return ['kill', ...(isEffect(point) ? ['browser', ...Object.keys(clockJumps)] : [])];
}

/**
 * Every schedule with one fault in the first browser, from the points that the scenario reaches in
 * peace.
 */
export const singleFaults = (scenario: Scenario, trace: readonly string[]): Schedule[] =>
  trace
    .filter((point) => !/^\d:/.test(point))
    .flatMap((point) => kindsAt(point).map((kind) => schedule(scenario, `${kind}@${point}`)));

/** Those of them that can end differently. */
export function distinctFaults(scenario: Scenario, trace: readonly string[]): Schedule[] {
  const distinct = distinctEnds(trace);
  return singleFaults(scenario, trace).filter(({ faults }) =>
    faults.every(({ kind, label, number }) => !isEnd(kind) || distinct.has(`${label}#${number}`)),
  );
}

/** Schedules that once failed, each under the name of what it found. */
export const regressions: Readonly<Record<string, string>> = {
  'a rejected question and the answer to its page are stored together':
    'order-rejected/kill@session.set(request-rate):before#2',
  'a connection is granted and answered after a stop between click and grant': 'connect/kill@lock(sites):held#1',
  'a question and the request that it stands for are stored together': 'order/kill@requests.write:committed#1',
  'an answered order whose worker stopped before the page was told': 'order/kill@toPage:before#1',
  'a full disk while facts are stored leaves the question to its user': 'order/full@requests.write:quota#2',
  'a full disk at the end of an approved order keeps its answer': 'order/full@requests.write:quota#4',
  'a lock while the facts are read leaves the question waiting for the password':
    'order-rejected/clock-on-31d@GET amm/balances:before#1',
  'an order that was signed before the clock jumped beyond its end is sent':
    'order/clock-on-31d@journal.write:committed#2',
  'a slow answer about the least amounts makes no little trade that is too small':
    'hard-cancel/late@GET user/orderUserRateAmount#1',
  'an answer that says the end and was stored without it is taken at its word where no list shows the request':
    'nft-order-validated/kill@journal.write:begin#5',
  'a transfer whose answer was lost is paid once, though its repeat is refused and lists are behind':
    'transfer/answer-lost@POST transfer#1+behind*@GET user/transfers#1+says-used*@POST transfer#2',
  'a withdrawal whose repeat is refused for the balance that the first copy took is done once':
    'withdraw/answer-lost@POST user/withdrawals#1+behind@GET user/withdrawals#1+says-poor@POST user/withdrawals#2',
  'an order that the relayer takes and calls one that exists is placed once':
    'order/answer-lost@POST order#1+behind@GET order#1+says-exists@POST order#2',
  'an order of an NFT whose repeat is refused for want of funds is found':
    'nft-order-validated/answer-lost@POST nft/validateOrder#1+behind@GET order#1+says-poor@POST nft/validateOrder#2',
  'a key update that the relayer takes and refuses is made once': 'key-update/says-used@POST account#1',
  'a full disk before and after signing leaves nothing reserved': 'order/full*@journal.write:quota#2',
  'a text whose signature is stored and whose end is not goes to its page all the same':
    'sign-text/full*@journal.write:quota#4',
  'the relayer takes a cancellation and refuses it, and the look-up fails':
    'cancel/says-poor*@DELETE order#1+late@GET order#2',
  'an alarm that rings while the unlocked state cannot be read is set again': 'hard-cancel/shut*@session:open#9',
  'a key of a refused registration goes when a later one is registered': 'first-key/says-exists*@POST account#1',
  'a click on a review that cannot be prepared again is no approval':
    'nft-order-validated/clock-back-1h@session.set(approval-shown):after#1+late*@GET nft/info/nfts#2',
  'a second tab is connected by the answer to the first': 'connect/browser@requests.write:committed#1',
  'a page whose text is signed waits while nobody can read whether its site is blocked':
    'sign-typed/shut*@local:open#30',
  'a site whose connection was lost is connected first, and then its cancellation is approved':
    'cancel/kill@journal.write:committed#3+lose@local:start#1',
  'an order whose id another browser took, and whose refusal was lost, is unknown':
    'order-two-browsers/kill@2:POST order:after#1',
};
