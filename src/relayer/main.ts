import { readFileSync, writeSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { describeConfig, type RelayerConfigInput, relayerConfig } from './config.ts';
import { createRelayer } from './createRelayer.ts';

/** The command line of the relayer: flags, environment, start, stop. */

/** Settings that only the environment may carry: command lines are readable by every process of the machine. */
const SECRETS = new Set(['databaseUrl', 'l1DeployerKey', 'apiKeySecret']);
const LISTS = new Set(['publicUrls']);
const FLAGS = new Set(['dev', 'keyUpdatesByOldKey', 'trustProxy']);
/** Names that operators know from elsewhere. */
const ENVIRONMENT_NAMES: Readonly<Record<string, string>> = { databaseUrl: 'DATABASE_URL' };

const settings = Object.keys(relayerConfig.shape);
const flagOf = (setting: string) => setting.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
const environmentOf = (setting: string) =>
  ENVIRONMENT_NAMES[setting] ?? `RELAYER_${flagOf(setting).replaceAll('-', '_').toUpperCase()}`;

function help(): string {
  const lines = settings.map((setting) => {
    const schema = relayerConfig.shape[setting as keyof typeof relayerConfig.shape] as z.ZodType;
    const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as {
      default?: unknown;
      enum?: unknown[];
    };
    const how = SECRETS.has(setting) ? '' : `--${flagOf(setting)}`;
    const value = setting === 'market' ? 'JSON file' : (json.enum?.join(' | ') ?? '');
    const fallback = json.default === undefined || typeof json.default === 'object' ? '' : ` (${json.default})`;
    return `  ${how.padEnd(26)} ${environmentOf(setting).padEnd(30)} ${[schema.description, value].filter(Boolean).join(': ')}${fallback}`;
  });
  return `A relayer for layer-2 exchanges: orders, pools, accounts and NFTs over HTTP.

  npm run relayer -- [flags]        a flag wins over the environment

${lines.join('\n')}
  --help                                                    this text
`;
}

function readSettings(): RelayerConfigInput {
  const { values } = parseArgs({
    options: {
      help: { type: 'boolean', short: 'h' },
      ...Object.fromEntries(
        settings
          .filter((setting) => !SECRETS.has(setting))
          .map((setting) => [
            flagOf(setting),
            FLAGS.has(setting)
              ? { type: 'boolean' as const }
              : { type: 'string' as const, multiple: LISTS.has(setting) },
          ]),
      ),
    },
  });
  if (values.help) {
    process.stdout.write(help());
    process.exit(0);
  }
  const input: Record<string, unknown> = {};
  for (const setting of settings) {
    const flag = (values as Record<string, unknown>)[flagOf(setting)];
    const variable = process.env[environmentOf(setting)];
    const value = flag ?? (variable === '' ? undefined : variable);
    if (value === undefined) continue;
    if (FLAGS.has(setting)) input[setting] = value === true || value === 'true' || value === '1';
    else if (LISTS.has(setting)) input[setting] = Array.isArray(value) ? value : String(value).split(',');
    else if (setting === 'market') input[setting] = JSON.parse(readFileSync(String(value), 'utf8'));
    else input[setting] = value;
  }
  return input as RelayerConfigInput;
}

/** The last line of the log, in the form of the others. */
function fatal(error: unknown, msg: string): never {
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
  // Written at once: the process ends before a stream would be flushed.
  writeSync(1, `${JSON.stringify({ level: 60, time: Date.now(), err: { type: name, message, stack }, msg })}\n`);
  process.exit(1);
}

async function main(): Promise<void> {
  process.on('uncaughtException', (error) => fatal(error, 'uncaught exception'));
  process.on('unhandledRejection', (error) => fatal(error, 'unhandled rejection'));
  const input = readSettings();
  const relayer = await createRelayer(input);
  let stopping = false;
  const stop = async (signal: string) => {
    if (stopping) return;
    stopping = true;
    process.stdout.write(`${JSON.stringify({ stopping: signal })}\n`);
    await relayer.close();
    process.exit(0);
  };
  process.on('SIGINT', () => void stop('SIGINT'));
  process.on('SIGTERM', () => void stop('SIGTERM'));
  process.stdout.write(`${JSON.stringify({ ...describeConfig(relayer.config), listening: relayer.url })}\n`);
  if (relayer.db.kind === 'pglite' && !relayer.config.dev)
    process.stderr.write(
      'The embedded database is for development: a power cut can lose its last commits. Set DATABASE_URL.\n',
    );
}

main().catch((error) => {
  const text =
    error instanceof z.ZodError
      ? error.issues.map((issue) => `${issue.path.join('.') || 'settings'}: ${issue.message}`).join('\n')
      : error instanceof Error
        ? error.message
        : String(error);
  process.stderr.write(`The relayer did not start.\n${text}\n`);
  process.exit(1);
});
