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
interface Property extends Node {
  readonly value: Node & { readonly expression?: Node };
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

function* nodesIn(node: unknown): Generator<Node> {
  if (typeof node !== 'object' || node === null) return;
  if ('type' in node) yield node as Node;
  for (const value of Object.values(node)) yield* nodesIn(value);
}

const isCall = (node: Node | undefined, names: readonly string[]): node is Call =>
  node?.type === 'CallExpression' && names.includes((node as Call).callee.name ?? '');

/** `name: doc?.(…)` */
const isUndefined = (node: Node): boolean =>
  node.type === 'Property' && isCall((node as Property).value.expression, ['doc']);

/** As long as the text and with its lines, so that no place behind it moves. */
const blank = (text: string) => text.replace(/[^\n]/g, ' ');

/**
 * `described(schema, …)` is the schema itself in the extension, which has no descriptions,
 * `field(build, …)` is `field(build)`, and a property `doc?.(…)` is missing: 0.8 kB in a zip, and a
 * call for each field.
 */
export const withoutDescriptions = (): Plugin => ({
  name: 'without-descriptions',
  transform(code, id) {
    if (!id.includes('/src/protocol/') || !/\/(?:described|doc)\.ts/.test(code)) return null;
    const program = this.parse(code);
    let text = code;
    const cut = (from: number, to: number) => {
      text = text.slice(0, from) + blank(text.slice(from, to)) + text.slice(to);
    };
    const names = namesIn(program);
    for (const node of nodesIn(program)) {
      const { start, end } = node;
      if (isUndefined(node)) cut(start, end + (/^\s*,/.exec(code.slice(end))?.[0].length ?? 0));
      if (!isCall(node, names)) continue;
      if (node.callee.name === 'described') cut(node.callee.start, node.callee.end);
      cut(node.arguments[0]?.end ?? end, end - 1);
    }
    return { code: text, map: null };
  },
});
