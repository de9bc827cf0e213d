import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string };
    readonly children?: readonly number[];
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/**
 * Parts of the relayer's main thread, by the file whose code runs; the first that fits names the
 * sample.
 */
const parts: readonly (readonly [name: string, pattern: RegExp])[] = [
  [
    'engine: matching and settling',
    /src\/relayer\/engine\/(engine|blocks|l1Work|settle|orders\/(match|settle|pool|fill|book))/,
  ],
  ['signatures, on the main thread', /src\/crypto\/|src\/relayer\/(engine\/signature|signatures)/],
  ['database driver', /node_modules\/pg|src\/relayer\/db|pg-protocol|pg-pool/],
  ['accepting: rules and records', /src\/relayer\/engine|src\/protocol\/payloads/],
  ['shape of the body: zod', /node_modules\/zod|src\/protocol\//],
  ['HTTP: hono, routes, log, metrics', /node_modules\/(hono|@hono|pino|.*sonic)|src\/relayer/],
  [
    'HTTP: node',
    /^node:(_http|http|net|internal\/(stream|http|webstreams|url|event)|stream|_stream|events|internal\/streams)/,
  ],
  ['node: the rest', /^node:/],
];
/** Loading modules belongs to the start and to no order. */
const START = /^node:internal\/(modules|bootstrap|source_map)|node_modules\/tsx/;

/**
 * Self time of the main thread by part: what native code spends (sockets, hashing, allocation)
 * counts for the script that called it.
 * @returns Part → share of the time that was neither idle nor spent on loading modules.
 */
export function profileParts(folder: string): Map<string, number> {
  const file = readdirSync(folder).find((name) => name.endsWith('.0.cpuprofile')) ?? readdirSync(folder)[0];
  if (!file) throw new Error(`no profile was written to ${folder}`);
  const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as CpuProfile;
  const parents = new Map<number, number>();
  for (const { id, children = [] } of nodes) for (const child of children) parents.set(child, id);
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const names = new Map<number, string | undefined>();
  const nameOf = (id: number): string | undefined => {
    if (names.has(id)) return names.get(id);
    const node = byId.get(id);
    const frame = node?.callFrame;
    let name: string | undefined;
    if (frame?.functionName === '(idle)' || frame?.functionName === '(program)' || START.test(frame?.url ?? ''))
      name = undefined;
    else if (frame?.functionName === '(garbage collector)') name = 'garbage collector';
    else {
      name = frame?.url ? parts.find(([, pattern]) => pattern.test(frame.url))?.[0] : undefined;
      const parent = parents.get(id);
      if (name === undefined && parent !== undefined) name = nameOf(parent);
    }
    names.set(id, name);
    return name;
  };
  const totals = new Map<string, number>();
  let busy = 0;
  samples.forEach((id, index) => {
    const name = nameOf(id);
    if (name === undefined) return;
    const time = timeDeltas[index] ?? 0;
    busy += time;
    totals.set(name, (totals.get(name) ?? 0) + time);
  });
  return new Map([...totals].map(([name, time]) => [name, time / busy] as const).sort((a, b) => b[1] - a[1]));
}
