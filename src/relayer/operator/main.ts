import { parseArgs } from 'node:util';
import { z } from 'zod';
import { flagValue } from '../flagValue.ts';
import { kebab } from '../kebab.ts';
import { secretFrom } from '../secretFrom.ts';
import { operatorActions, operatorLists } from './index.ts';
import { listQuery } from './operatorList.ts';

/**
 * The command of the operator interface: one word is one path, one flag one field. It knows the
 * fields from the schemas of the relayer, prints the answer as JSON, and ends with 0 when it was
 * done, 1 when it was refused, 2 when nothing is known of the outcome (then the same command can be
 * given again), and 64 when the command was wrong and nothing was sent.
 */

const DEFAULT_URL = 'http://127.0.0.1:4511';
const TIMEOUT_MS = 20_000;

interface Word {
  readonly summary: string;
  readonly schema: z.ZodObject;
  readonly method: 'GET' | 'POST';
}

const words = new Map<string, Word>([
  ...Object.entries(operatorActions).map(
    ([name, { summary, body }]) => [kebab(name), { summary, schema: body, method: 'POST' }] as const,
  ),
  ...Object.entries(operatorLists).map(
    ([name, { summary }]) => [kebab(name), { summary, schema: listQuery, method: 'GET' }] as const,
  ),
]);

function help(): string {
  const lines = [...words].flatMap(([word, { summary, schema }]) => [
    `  ${word.padEnd(24)} ${summary}`,
    ...Object.entries(schema.shape).map(
      ([field, type]) =>
        `      ${`--${kebab(field)}`.padEnd(20)} ${z.globalRegistry.get(type as z.core.$ZodType)?.description ?? ''}`,
    ),
  ]);
  return `Reports to a relayer what the settlement saw and did, and halts and resumes what it serves.

  npm run operator -- <word> [flags]

The key is read from OPERATOR_KEY, or from the file that OPERATOR_KEY_FILE names, because every
process of a machine can read command lines.
OPERATOR_URL or --url names the operations port (${DEFAULT_URL}).

${lines.join('\n')}
`;
}

const UNKNOWN = 2;
const USAGE = 64;

function fail(message: string, code: number): never {
  process.stderr.write(`${message}\n`);
  process.exit(code);
}

/** The request, before anything is sent. */
function readCommand(word: string, args: readonly string[]) {
  try {
    const known = words.get(word);
    if (!known) throw new Error(`there is no word "${word}"; see --help`);
    const { url, body } = readFlags(known.schema, args);
    const target = new URL(url);
    target.pathname = `${target.pathname.replace(/\/+$/, '')}/operator/${word}`;
    if (!/^https?:$/.test(target.protocol)) throw new Error(`${url} is not an http:// or https:// URL`);
    if (known.method === 'GET')
      for (const [name, value] of Object.entries(body)) target.searchParams.set(name, String(value));
    return { target, method: known.method, body, key: readKey() };
  } catch (error) {
    return fail((error as Error).message, USAGE);
  }
}

function readKey(): string {
  const key = secretFrom('OPERATOR_KEY');
  if (!key) throw new Error('OPERATOR_KEY is not set');
  return key;
}

function readFlags(schema: z.ZodObject, args: readonly string[]) {
  const fields = Object.keys(schema.shape);
  const { values } = parseArgs({
    args: [...args],
    options: {
      url: { type: 'string' },
      ...Object.fromEntries(fields.map((field) => [kebab(field), { type: 'string' as const }])),
    },
  });
  const { url, ...flags } = values as Record<string, string | undefined>;
  const body = Object.fromEntries(
    fields.flatMap((field) => {
      const text = flags[kebab(field)];
      return text === undefined ? [] : [[field, flagValue(`--${kebab(field)}`, text, schema.shape[field])]];
    }),
  );
  return { url: url ?? process.env.OPERATOR_URL ?? DEFAULT_URL, body };
}

async function main(): Promise<void> {
  const [word, ...args] = process.argv.slice(2);
  if (word === undefined || [word, ...args].some((text) => text === '--help' || text === '-h')) {
    process.stdout.write(help());
    return;
  }
  const { target, method, body, key } = readCommand(word, args);
  const response = await fetch(target, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    signal: AbortSignal.timeout(TIMEOUT_MS),
    redirect: 'error',
    ...(method === 'POST' && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const { ok, status } = response;
  const refused = status < 500 ? 1 : UNKNOWN;
  try {
    process.stdout.write(`${JSON.stringify(JSON.parse(text), undefined, 2)}\n`);
  } catch {
    fail(`${target} answered ${status} without JSON`, ok ? UNKNOWN : refused);
  }
  process.exitCode = ok ? 0 : refused;
}

main().catch((error: Error & { cause?: Error }) =>
  fail(`no answer: ${error.message}${error.cause ? ` (${error.cause.message})` : ''}`, UNKNOWN),
);
