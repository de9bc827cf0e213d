import type { Plugin } from 'vite';

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}
interface Call extends Node {
  readonly callee: Node & { readonly name?: string };
  readonly arguments: readonly Node[];
}
interface Import extends Node {
  readonly source: { readonly value: string };
  readonly specifiers: readonly { readonly local: { readonly name: string } }[];
}

/** Names that a module has from `described.ts`: others may have a function of the same name. */
const namesIn = ({ body }: { readonly body: readonly unknown[] }) =>
  (body as readonly Import[])
    .filter(({ type, source }) => type === 'ImportDeclaration' && source.value.endsWith('/described.ts'))
    .flatMap(({ specifiers }) => specifiers.map(({ local }) => local.name));

function* callsIn(node: unknown, names: readonly string[]): Generator<Call> {
  if (typeof node !== 'object' || node === null) return;
  const call = node as Call;
  if (call.type === 'CallExpression' && names.includes(call.callee.name ?? '')) yield call;
  for (const value of Object.values(node)) yield* callsIn(value, names);
}

/** As long as the text and with its lines, so that no place behind it moves. */
const blank = (text: string) => text.replace(/[^\n]/g, ' ');

/**
 * `described(schema, …)` is the schema itself in the extension, which has no descriptions, and
 * `field(build, …)` is `field(build)`: 0.7 kB in a zip, and a call for each field.
 */
export const withoutDescriptions = (): Plugin => ({
  name: 'without-descriptions',
  transform(code, id) {
    if (!id.includes('/src/protocol/') || !code.includes('/described.ts')) return null;
    const program = this.parse(code);
    let text = code;
    const cut = (from: number, to: number) => {
      text = text.slice(0, from) + blank(text.slice(from, to)) + text.slice(to);
    };
    for (const { callee, arguments: given, end } of callsIn(program, namesIn(program))) {
      if (callee.name === 'described') cut(callee.start, callee.end);
      cut(given[0]?.end ?? end, end - 1);
    }
    return { code: text, map: null };
  },
});
