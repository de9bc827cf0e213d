import { readFileSync } from 'node:fs';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { z } from 'zod';
import { DAY_MS } from '../protocol/time.ts';
import { archiveOld } from './archive/archive.ts';
import { archiveFolder } from './archive/archiveFolder.ts';
import { describeConfig, type RelayerConfigInput, readConfig, relayerConfig } from './config.ts';
import { createLog } from './createLog.ts';
import { createRelayer, openDatabase, type RunningRelayer, refuseSurroundings } from './createRelayer.ts';
import { expectNewestSchema, migrate } from './db/migrate.ts';
import type { Db } from './db/port.ts';
import { openClock } from './engine/clock.ts';
import { applySettings, describeDifference, differencesOf, expectSettings } from './engine/deployment.ts';
import { flagValue } from './flagValue.ts';
import { kebab } from './kebab.ts';
import { exampleMarket } from './market.ts';
import { secretFrom } from './secretFrom.ts';
import { writeToLog } from './writeToLog.ts';

/** The command line of the relayer: flags, environment, start, stop. */

/**
 * Settings that only the environment may carry: command lines are readable by every process of the
 * machine.
 */
const SECRETS = new Set(['databaseUrl', 'databaseStandbyUrl', 'l1DeployerKey', 'apiKeySecret', 'operatorKeys']);
/** Names that operators know from elsewhere. */
const ENVIRONMENT_NAMES: Readonly<Record<string, string>> = {
  databaseUrl: 'DATABASE_URL',
  databaseStandbyUrl: 'DATABASE_STANDBY_URL',
};

const settings = Object.keys(relayerConfig.shape);
const schemaOf = (setting: string) => relayerConfig.shape[setting as keyof typeof relayerConfig.shape] as z.ZodType;
const jsonSchemaOf = (setting: string) =>
  z.toJSONSchema(schemaOf(setting), { io: 'input', unrepresentable: 'any' }) as {
    type?: unknown;
    default?: unknown;
    enum?: unknown[];
  };
const environmentOf = (setting: string) =>
  ENVIRONMENT_NAMES[setting] ?? `RELAYER_${kebab(setting).replaceAll('-', '_').toUpperCase()}`;

function help(): string {
  const lines = settings.map((setting) => {
    const json = jsonSchemaOf(setting);
    const how = SECRETS.has(setting) ? '' : `--${kebab(setting)}`;
    const value = setting === 'market' ? 'JSON file' : (json.enum?.join(' | ') ?? '');
    const fallback = json.default === undefined || typeof json.default === 'object' ? '' : ` (${json.default})`;
    return `  ${how.padEnd(26)} ${environmentOf(setting).padEnd(30)} ${[schemaOf(setting).description, value].filter(Boolean).join(': ')}${fallback}`;
  });
  return `A relayer for layer-2 exchanges: orders, pools, accounts and NFTs over HTTP.

  npm run relayer -- [flags]                a flag wins over the environment
  npm run relayer -- migrate [flags]        brings the schema up to date and ends
  npm run relayer -- config example         a market file to begin with
  npm run relayer -- config diff [flags]    how these settings differ from those that the database belongs to
  npm run relayer -- config apply [flags]   changes the database to these settings
  npm run relayer -- archive [flags]        moves old orders and blocks out of the database into files

${lines.join('\n')}
  --to                                                      archive: folder of the files
  --older-than-days                                         archive: what ended before that moves
  --help                                                    this text

Settings without a flag are secrets: behind their name, _FILE names a file that holds one.
`;
}

/** Strings that an environment has for a switch. */
const SWITCHES: Readonly<Record<string, boolean>> = { true: true, '1': true, false: false, '0': false };

const COMMANDS = ['start', 'migrate', 'config diff', 'config apply', 'archive'] as const;

interface CommandLine {
  readonly command: (typeof COMMANDS)[number];
  readonly input: RelayerConfigInput;
  /** Of `archive` alone. */
  readonly to: string | undefined;
  readonly olderThanDays: string | undefined;
}

const options: NonNullable<ParseArgsConfig['options']> = {
  help: { type: 'boolean', short: 'h' },
  to: { type: 'string' },
  'older-than-days': { type: 'string' },
  ...Object.fromEntries(
    settings
      .filter((setting) => !SECRETS.has(setting))
      .map((setting) => {
        const { type } = jsonSchemaOf(setting);
        return [
          kebab(setting),
          type === 'boolean' ? { type } : { type: 'string' as const, multiple: type === 'array' },
        ];
      }),
  ),
};

function readCommandLine(): CommandLine {
  const { values, positionals } = parseArgs({ allowPositionals: true, options });
  if (values.help) {
    process.stdout.write(help());
    process.exit(0);
  }
  const words = positionals.join(' ') || 'start';
  if (words === 'config example') {
    process.stdout.write(`${JSON.stringify(exampleMarket, undefined, 2)}\n`);
    process.exit(0);
  }
  const command = COMMANDS.find((known) => known === words);
  if (command === undefined) throw new Error(`there is no command "${words}"; see --help`);
  const { to, 'older-than-days': olderThanDays } = values as Record<string, string | undefined>;
  if (command !== 'archive' && (to ?? olderThanDays) !== undefined)
    throw new Error('--to and --older-than-days belong to the command archive');
  const names = new Set(settings.map(environmentOf));
  for (const secret of SECRETS) names.add(`${environmentOf(secret)}_FILE`);
  const unknown = Object.keys(process.env).filter((name) => name.startsWith('RELAYER_') && !names.has(name));
  if (unknown.length > 0) throw new Error(`${unknown.join(', ')}: there is no such setting; see --help`);
  const input: Record<string, unknown> = {};
  for (const setting of settings) {
    const flag = (values as Record<string, unknown>)[kebab(setting)];
    const name = environmentOf(setting);
    const variable = SECRETS.has(setting) ? secretFrom(name) : process.env[name];
    const value = flag ?? (variable === '' ? undefined : variable);
    if (value === undefined) continue;
    const { type } = jsonSchemaOf(setting);
    if (typeof value === 'boolean') input[setting] = value;
    else if (type === 'boolean') input[setting] = readSwitch(setting, String(value));
    else if (type === 'array') input[setting] = [value].flat().flatMap((text) => String(text).split(','));
    else if (setting === 'market') input[setting] = readMarket(String(value));
    else
      input[setting] = flagValue(flag === undefined ? name : `--${kebab(setting)}`, String(value), schemaOf(setting));
  }
  return { command, input: input as RelayerConfigInput, to, olderThanDays };
}

function readSwitch(setting: string, text: string): boolean {
  const value = SWITCHES[text];
  if (value === undefined) throw new Error(`${environmentOf(setting)}: "${text}" is not true, false, 1 or 0`);
  return value;
}

function readMarket(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Error(`the market file ${file} cannot be read: ${(error as Error).message}`);
  }
}

/**
 * Everything but a start: the schema, or what this process is given against what the database
 * belongs to.
 */
async function maintain({ command, input, ...options }: CommandLine): Promise<void> {
  const config = readConfig(input);
  // From a migration on the older version is out of service: whatever a start would refuse then is
  // refused before.
  if (command === 'migrate') await refuseSurroundings(config);
  const db = await openDatabase(config, createLog(config), (opened) =>
    command === 'migrate' ? migrate(opened, undefined, (tx) => expectSettings(tx, config)) : expectNewestSchema(opened),
  );
  try {
    if (command === 'migrate') {
      process.stdout.write('the schema is the newest\n');
      return;
    }
    const clock = await openClock(db);
    if (command === 'archive') return await runArchive(db, clock.now(), options);
    const differences =
      command === 'config diff' ? await differencesOf(db, config) : await applySettings(db, config, clock.now());
    process.stdout.write(
      differences.length === 0
        ? 'nothing differs\n'
        : `${differences.map(describeDifference).join('\n')}\n${command === 'config apply' ? 'changed\n' : ''}`,
    );
  } finally {
    await db.close();
  }
}

async function runArchive(db: Db, now: number, { to, olderThanDays }: Pick<CommandLine, 'to' | 'olderThanDays'>) {
  const days = Number(olderThanDays);
  if (to === undefined || !Number.isInteger(days) || days < 1)
    throw new Error('archive needs --to, a folder, and --older-than-days, an integer from 1 on');
  const folder = archiveFolder(to, new Date());
  try {
    const { orders, fills, blocks } = await archiveOld(db, now - days * DAY_MS, folder);
    process.stdout.write(`archived ${orders} orders, ${fills} fills and the transactions of ${blocks} blocks\n`);
  } finally {
    folder.close();
  }
}

const STOP_MS = 20_000;

/**
 * A line in the form of the log's others, at every log level; none where the log takes no more.
 * Written at once: the process may end before a stream is flushed.
 */
function say(fields: Record<string, unknown>): void {
  try {
    writeToLog(`${JSON.stringify({ level: 30, time: Date.now(), ...fields })}\n`);
  } catch {}
}

/** The last line of the log, in the form of the others. */
function fatal(error: unknown, msg: string): never {
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
  // Behind the listener that writes the lines that wait.
  process.once('exit', () => say({ level: 60, err: { type: name, message, stack }, msg }));
  process.exit(1);
}

/** Known before the command line is read, which may fail. */
const [firstWord = 'start'] = parseArgs({ options, strict: false }).positionals;
const isStart = !['migrate', 'config', 'archive'].includes(firstWord);

async function main(): Promise<void> {
  process.on('uncaughtException', (error) => fatal(error, 'uncaught exception'));
  process.on('unhandledRejection', (error) => fatal(error, 'unhandled rejection'));
  const line = readCommandLine();
  const { dev, databaseUrl, dataDir } = line.input;
  if (!dev && databaseUrl === undefined && dataDir === undefined)
    throw new Error('databaseUrl: is required without --dev; without a database everything is lost at the end');
  if (line.command !== 'start') return maintain(line);
  let started: RunningRelayer | undefined;
  let stopping = false;
  const stop = async (signal: string, drainMs?: number) => {
    if (stopping) return;
    stopping = true;
    say({ msg: 'stopping', signal });
    setTimeout(() => fatal(new Error(`not stopped within ${STOP_MS} ms`), 'stopped by force'), STOP_MS).unref();
    await started?.close({ drainMs: drainMs ?? started.config.drainMs });
    process.exit(0);
  };
  // Before the start, which may wait for the database: the first process of a container is ended by
  // no signal that it does not handle.
  process.on('SIGINT', () => void stop('SIGINT', 0));
  process.on('SIGTERM', () => void stop('SIGTERM'));
  const relayer = await createRelayer(line.input);
  started = relayer;
  say({
    msg: 'listening',
    ...describeConfig(relayer.config),
    listening: relayer.url,
    ...(relayer.operationsPort !== undefined && { operationsPort: relayer.operationsPort }),
  });
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
  process.stderr.write(`${isStart ? 'The relayer did not start.\n' : ''}${text}\n`);
  process.exit(1);
});
