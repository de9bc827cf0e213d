import { parseArgs } from 'node:util';

/**
 * Reads the arguments of a command before it does anything: `--help` prints the usage, and an
 * argument that the usage does not name ends the command with exit code 2.
 */
export function readFlags(usage, { options = {}, allowPositionals = false } = {}) {
  try {
    const { values, positionals } = parseArgs({
      options: { ...options, help: { type: 'boolean', short: 'h', default: false } },
      allowPositionals,
    });
    if (!values.help) return { values, positionals };
  } catch (error) {
    process.stderr.write(`${error.message}\n\n${usage}\n`);
    process.exit(2);
  }
  process.stdout.write(`${usage}\n`);
  process.exit(0);
}
