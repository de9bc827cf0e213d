import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { builtRelayer } from './builtRelayer.ts';

export interface RelayerProcess {
  readonly url: string;
  readonly process: ChildProcess;
  /** Lines of its log so far, parsed. */
  readonly lines: Record<string, unknown>[];
  /** Ends it as a power cut would, and waits until it is gone. */
  kill(): Promise<void>;
}

/**
 * A relayer as a process of its own, the way an operator runs it: built, without a loader of
 * TypeScript.
 * @param heard - Gets each line of its log, also before it listens.
 */
export async function startProcess(
  environment: Record<string, string>,
  flags: readonly string[] = ['--dev'],
  heard: (line: Record<string, unknown>) => void = () => {},
): Promise<RelayerProcess> {
  const main = await builtRelayer();
  const child = spawn(
    process.execPath,
    [
      ...[main, '--port', '0', '--log-level', 'warn'],
      ...['--requests-per-second', '100000', '--dev-on-postgres', ...flags],
    ],
    { env: { ...process.env, ...environment }, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const lines: Record<string, unknown>[] = [];
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (text) => {
      const line = JSON.parse(text) as Record<string, unknown>;
      lines.push(line);
      heard(line);
      if (typeof line.listening === 'string') resolve(line.listening);
    });
    child.once('exit', () => reject(new Error(`the relayer ended before it listened: ${JSON.stringify(lines)}`)));
  });
  const kill = () => {
    child.kill('SIGKILL');
    return exited(child);
  };
  return { url, process: child, lines, kill };
}

export const exited = (child: ChildProcess) =>
  new Promise<void>((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve();
    else child.once('exit', () => resolve());
  });
