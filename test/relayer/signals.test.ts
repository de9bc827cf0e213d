import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';
import { root } from '../../scripts/prepare.mjs';
import { exited } from './support/relayerProcess.ts';

it('SIGTERM to `npm run relayer` stops the relayer in order, and leaves nothing behind', async () => {
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
