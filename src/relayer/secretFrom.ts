import { readFileSync } from 'node:fs';

/**
 * Reads a secret from its variable, or from the file that the variable with `_FILE` behind its name
 * names, as systemd and containers hand secrets over.
 * @throws {Error} Both are given, or the file cannot be read or is empty.
 */
export function secretFrom(name: string): string | undefined {
  const { [name]: secret, [`${name}_FILE`]: file } = process.env;
  if (!file) return secret;
  if (secret) throw new Error(`${name} and ${name}_FILE exclude each other`);
  let text: string;
  try {
    text = readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new Error(`${name}_FILE: ${file} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
  if (text === '') throw new Error(`${name}_FILE: ${file} is empty`);
  return text;
}
