import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** A relayer for development, with a database of its own that ends with it. */
export interface TestRelayer {
  readonly url: string;
  /**
   * Opens the account of an owner when it is missing, and credits tokens out of nothing.
   * @param tokens - Base units by symbol; enough of each fee token when absent.
   */
  fund(owner: string, tokens?: Readonly<Record<string, bigint>>): Promise<void>;
  close(): Promise<void>;
}

/**
 * Settings of a relayer that the shell has for another one, such as its database, are none of this
 * one's.
 */
const ownEnvironment = () =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(DATABASE|RELAYER)_/.test(name)));

/**
 * Ends the relayer when its standard input does: the process that holds the other end has gone,
 * however it ended.
 */
const endWithParent = `data:text/javascript,${encodeURIComponent("process.stdin.resume().once('end', () => process.exit())")}`;

/**
 * Starts the relayer that comes with this package, on a free port of this machine. It is the same
 * program that operators run, with development routes and an embedded PostgreSQL
 * (`@electric-sql/pglite`, which you install beside this package).
 * @throws {Error} It ended before it listened; the message has its last lines.
 */
export async function startRelayer(): Promise<TestRelayer> {
  const program = fileURLToPath(new URL('./relayer/relayer.mjs', import.meta.url));
  const child = spawn(process.execPath, ['--import', endWithParent, program, '--dev', '--port', '0'], {
    env: ownEnvironment(),
    stdio: 'pipe',
  });
  const stop = () => child.kill('SIGKILL');
  process.once('exit', stop);
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const last: string[] = [];
  const url = await new Promise<string>((resolve, reject) => {
    const hear = (line: string) => {
      last.push(line);
      if (last.length > 10) last.shift();
      try {
        const { msg, listening } = JSON.parse(line) as { msg?: string; listening?: string };
        if (msg === 'listening' && listening !== undefined) resolve(listening);
      } catch {
        // Node's own words, such as a missing package.
      }
    };
    createInterface({ input: child.stdout }).on('line', hear);
    createInterface({ input: child.stderr }).on('line', hear);
    void ended.then(() => reject(new Error(`The relayer did not start:\n${last.join('\n')}`)));
  });
  return {
    url,
    async fund(owner, tokens) {
      const wanted = tokens && Object.entries(tokens).map(([symbol, amount]) => ({ symbol, amount: String(amount) }));
      const answer = await fetch(`${url}/dev/faucet`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ owner, ...(wanted ? { tokens: wanted } : {}) }),
      });
      if (!answer.ok) throw new Error(`The faucet answered ${answer.status}: ${await answer.text()}`);
    },
    async close() {
      process.off('exit', stop);
      stop();
      await ended;
    },
  };
}
