import { byId, make } from './elements.ts';
import type { Call, WalletError } from './wallet.ts';

/** The list of calls, answers and events, newest first. */
const longest = 200;

function add(entry: HTMLElement): void {
  const list = byId('log');
  list.prepend(entry);
  while (list.childElementCount > longest) list.lastElementChild?.remove();
  byId('no-log').hidden = true;
}

function json(value: unknown): string {
  return JSON.stringify(value, null, 2) ?? 'undefined';
}

/** The call as a dApp's source would have it. */
export function codeOf({ method, params }: Call): string {
  const inner = params === undefined ? '' : `, params: ${json(params)}`;
  return `client.request({ method: '${method}'${inner} })`;
}

/** Writes a call down and returns what completes the entry once the wallet has answered. */
export function logCall(call: Call): { answered(answer: unknown): void; failed(error: WalletError): void } {
  const outcome = make('pre', { class: 'outcome', 'data-state': 'waiting' }, 'waiting for the wallet …');
  const head = make('div', { class: 'head' }, make('b', {}, call.method), make('time', {}, clock()));
  const entry = make(
    'li',
    { 'data-testid': 'log-entry', 'data-kind': 'call', 'data-method': call.method },
    head,
    make('pre', { class: 'code' }, codeOf(call)),
    outcome,
  );
  add(entry);
  const started = performance.now();
  const finish = (state: 'answer' | 'error', text: string) => {
    outcome.dataset.state = state;
    outcome.textContent = text;
    head.append(make('span', { class: 'took' }, `${Math.round(performance.now() - started)} ms`));
  };
  return {
    answered(answer) {
      finish('answer', json(answer));
      byId('last-answer').textContent = json(answer);
    },
    failed(error) {
      finish('error', json(error));
      byId('last-error').textContent = json(error);
    },
  };
}

/** Writes an event of the provider down. */
export function logEvent(name: string, value: unknown): void {
  add(
    make(
      'li',
      { 'data-testid': 'log-entry', 'data-kind': 'event', 'data-event': name },
      make('div', { class: 'head' }, make('b', {}, name), make('time', {}, clock())),
      make('pre', { class: 'code' }, `provider.on('${name}', …)`),
      make('pre', { class: 'outcome', 'data-state': 'event' }, json(value)),
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
