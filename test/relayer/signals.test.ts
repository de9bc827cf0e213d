import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';
import { root } from '../../scripts/prepare.mjs';
import { builtRelayer } from './support/builtRelayer.ts';
import { START_TIMEOUT_MS } from './support/databases.ts';
import { exited, startProcess } from './support/relayerProcess.ts';

it('SIGTERM to `npm run relayer` stops the relayer in order, and leaves nothing behind', {
  timeout: START_TIMEOUT_MS,
}, async () => {
  const child = spawn('npm', ['run', 'relayer', '--', '--dev', '--port', '0', '--drain-ms', '1'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  const lines: Record<string, unknown>[] = [];
  const ended = new Promise((resolve) => child.stdout.once('close', resolve));
  const url = await new Promise<string>((resolve) =>
    createInterface({ input: child.stdout }).on('line', (text) => {
      if (!text.startsWith('{')) return;
      const line = JSON.parse(text) as Record<string, unknown>;
      lines.push(line);
      if (typeof line.listening === 'string') resolve(line.listening);
    }),
  );
  try {
    // To npm alone, as `kill` and a container's runtime do.
    child.kill('SIGTERM');
    await exited(child);
    // The pipe closes when the last process that holds it has ended.
    await ended;
    expect(lines.at(-1)).toMatchObject({ msg: 'stopping', signal: 'SIGTERM' });
    await expect(fetch(`${url}/live`)).rejects.toThrow();
  } finally {
    try {
      process.kill(-(child.pid ?? 0), 'SIGKILL');
    } catch {
      // All have ended.
    }
  }
});

it('SIGTERM stops a relayer that still waits for its database', { timeout: START_TIMEOUT_MS }, async () => {
  const flags = ['--dev', '--dev-on-postgres', '--database-wait-ms', '60000'];
  const child = spawn(process.execPath, [await builtRelayer(), ...flags], {
    // Nothing listens there.
    env: { ...process.env, DATABASE_URL: 'postgres://127.0.0.1:9/x' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = once(child, 'close');
  const lines: string[] = [];
  const input = createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  try {
    await once(input, 'line');
    child.kill('SIGTERM');
    await closed;
    expect(child.exitCode).toBe(0);
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ msg: 'stopping', signal: 'SIGTERM' });
  } finally {
    child.kill('SIGKILL');
  }
});

it('an exception that nothing handles is the last line of the log, in the form of the others, and the end', {
  timeout: START_TIMEOUT_MS,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-uncaught-'));
  try {
    const later = join(folder, 'later.mjs');
    writeFileSync(later, `process.on('SIGUSR2', () => { throw new RangeError('out of somewhere'); });`);
    const { process: child, lines } = await startProcess({ NODE_OPTIONS: `--import ${later}` });
    const closed = once(child, 'close');
    child.kill('SIGUSR2');
    await closed;
    expect(child.exitCode).toBe(1);
    expect(lines.at(-1)).toMatchObject({
      ...{ level: 60, msg: 'uncaught exception' },
      err: { type: 'RangeError', message: 'out of somewhere' },
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
