import { byId, make } from './elements.ts';
import type { Call, WalletError } from './wallet.ts';

/** Most entries of the list. */
const longest = 200;

function add(entry: HTMLElement): void {
  const list = byId('log');
  list.prepend(entry);
  while (list.childElementCount > longest) list.lastElementChild?.remove();
  byId('no-log').hidden = true;
}

/** Widest text that stays on one line, in characters; fits the log column on a laptop. */
const lineWidth = 64;

/** Exact JSON for `last-answer` and `last-error`. */
function json(value: unknown): string {
  return JSON.stringify(value, null, 2) ?? 'undefined';
}

/** A value as it would stand in source: on one line when short, keys without needless quotes. */
export function literal(value: unknown, indent = ''): string {
  if (typeof value === 'string')
    return `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
  if (typeof value !== 'object' || value === null) return String(JSON.stringify(value));
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const parts = isList
    ? value.map((item) => literal(item, inner))
    : Object.entries(value).map(
        ([key, item]) => `${/^[A-Za-z_$][\w$]*$/.test(key) ? key : literal(key)}: ${literal(item, inner)}`,
      );
  const [open, close, pad] = isList ? ['[', ']', ''] : ['{', '}', ' '];
  if (parts.length === 0) return open + close;
  const line = `${open}${pad}${parts.join(', ')}${pad}${close}`;
  if (line.length + indent.length <= lineWidth && !line.includes('\n')) return line;
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${indent}${close}`;
}

/**
 * The call as a dApp's source would have it: the relayer's methods as actions, the others as they
 * are.
 */
export function codeOf({ method, params }: Call): string {
  const [given] = params ?? [];
  if (method.startsWith('relayer_'))
    return `client.relayer.${method.slice('relayer_'.length)}(${given === undefined ? '' : literal(given)})`;
  return `client.request(${literal({ method, ...(params === undefined ? {} : { params }) })})`;
}

/**
 * Writes a call down and returns what completes the entry once the wallet has answered.
 * @param asked - whether a user asked for the call; `last-answer` and `last-error` leave the page's
 *   own refreshes out.
 */
export function logCall(
  call: Call,
  asked: boolean,
): { answered(answer: unknown): void; failed(error: WalletError): void } {
  const outcome = make('pre', { class: 'outcome', 'data-state': 'waiting' }, 'waiting for the wallet …');
  const head = make('div', { class: 'head' }, make('b', {}, call.method), make('time', {}, clock()));
  const entry = make(
    'li',
    { 'data-testid': 'log-entry', 'data-kind': 'call', 'data-method': call.method, 'data-state': 'waiting' },
    head,
    make('pre', { class: 'code' }, codeOf(call)),
    outcome,
  );
  if (!asked) entry.dataset.own = '';
  add(entry);
  const started = performance.now();
  const finish = (state: 'answer' | 'error', value: unknown) => {
    outcome.dataset.state = state;
    outcome.textContent = literal(value);
    entry.dataset.json = json(value);
    entry.dataset.state = state;
    if (asked) byId(`last-${state}`).textContent = json(value);
    head.append(make('span', { class: 'took' }, `${Math.round(performance.now() - started)} ms`));
  };
  return {
    answered: (answer) => finish('answer', answer),
    failed: (error) => finish('error', error),
  };
}

/** Writes an event of the provider down. */
export function logEvent(name: string, value: unknown): void {
  add(
    make(
      'li',
      { 'data-testid': 'log-entry', 'data-kind': 'event', 'data-event': name, 'data-json': json(value) },
      make('div', { class: 'head' }, make('b', {}, name), make('time', {}, clock())),
      make('pre', { class: 'code' }, `provider.on('${name}', …)`),
      make('pre', { class: 'outcome', 'data-state': 'event' }, literal(value)),
    ),
  );
}

export function clearLog(): void {
  byId('log').replaceChildren();
  byId('no-log').hidden = false;
}

function clock(): string {
  return new Date().toLocaleTimeString('en-GB');
}
