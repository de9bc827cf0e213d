import { catalogue, type Entry, type Group, type Known, methodOf } from './catalogue.ts';
import { byId, make } from './elements.ts';
import { codeOf } from './log.ts';
import type { Call } from './wallet.ts';

/** Entry of `wallet_getCapabilities` for one chain. */
export interface Capability {
  /** Such as `relayer_transfer`. */
  readonly name: string;
  /** Such as `relayer_transfers`; `null` when it needs none. */
  readonly permission: string | null;
}

/** EIP-1193 and its like: every wallet has these, and none of them needs a permission. */
const isConnection = (method: string) => /^(eth|wallet)_(?!sign)/.test(method);

/** Methods that the wallet has and the catalogue does not know yet still get their place. */
const groupsFor = (capabilities: readonly Capability[]): readonly Group[] => {
  const offered = new Set(capabilities.map(({ name }) => name));
  const known = new Set(catalogue.flatMap(({ entries }) => entries.map(methodOf)));
  const groups = catalogue.map(({ title, entries }) => ({
    title,
    entries: entries.filter((entry) => isConnection(methodOf(entry)) || offered.has(methodOf(entry))),
  }));
  const more = capabilities
    .filter(({ name }) => !known.has(name))
    .map(({ name }) => ({ name: name.replace(/^relayer_/, ''), says: '', example: () => ({}) }));
  return [...groups, { title: 'More', entries: more }].filter(({ entries }) => entries.length > 0);
};

function callOf(entry: Entry, text: string): Call {
  const method = methodOf(entry);
  if (text.trim() === '') return { method };
  const given: unknown = JSON.parse(text);
  return { method, params: Array.isArray(given) ? given : [given] };
}

function entryElement(entry: Entry, permission: string | null, known: () => Known, ask: (call: Call) => void) {
  const params = make('textarea', { rows: '4', spellcheck: 'false', 'aria-label': `Parameters of ${entry.name}` });
  const code = make('pre', { class: 'code' });
  const problem = make('p', { class: 'problem', role: 'alert' });
  problem.hidden = true;
  const draw = () => {
    try {
      code.textContent = `await ${codeOf(callOf(entry, params.value))};`;
      problem.hidden = true;
    } catch {
      problem.textContent = 'The parameters are not JSON';
      problem.hidden = false;
    }
  };
  params.addEventListener('input', draw);
  const button = make('button', { type: 'button', 'data-testid': 'call-ask' }, 'Ask the wallet');
  button.addEventListener('click', () => {
    draw();
    if (problem.hidden) ask(callOf(entry, params.value));
  });
  const parts = entry.example ? [params, code] : [code];
  const element = make(
    'details',
    { class: 'call', 'data-testid': 'call', 'data-call': entry.name },
    make('summary', {}, make('code', {}, entry.name), make('small', {}, ` ${entry.says}`)),
    ...parts,
    problem,
    make(
      'div',
      { class: 'titleline' },
      make('small', {}, permission === null ? 'Needs no permission' : `Needs ${permission}`),
      button,
    ),
  );
  // The example is made when it is looked at: by then the page may know an order or an NFT.
  element.addEventListener('toggle', () => {
    if (!element.open) return;
    if (entry.example) params.value = JSON.stringify(entry.example(known()), null, 2);
    draw();
  });
  return element;
}

/** Draws every call that the wallet says it has, each with its parameters and its code. */
export function drawCalls(capabilities: readonly Capability[], known: () => Known, ask: (call: Call) => void): void {
  const permissionOf = (entry: Entry) => capabilities.find(({ name }) => name === methodOf(entry))?.permission ?? null;
  byId('call-list').replaceChildren(
    ...groupsFor(capabilities).map(({ title, entries }) =>
      make(
        'details',
        { class: 'call-group', 'data-testid': 'call-group' },
        make('summary', {}, title, make('small', {}, ` ${entries.length}`)),
        ...entries.map((entry) => entryElement(entry, permissionOf(entry), known, ask)),
      ),
    ),
  );
  byId('no-calls').hidden = capabilities.length > 0;
}
