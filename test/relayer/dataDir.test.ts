import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, describe, expect, it } from 'vitest';
import { openPglite } from '../../src/relayer/db/pglite.ts';
import { START_TIMEOUT_MS } from './support/databases.ts';
import { startRelayer } from './support/startRelayer.ts';

/** Starts that find one dead holder together. */
const ROUNDS = 100;

describe('a data directory', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'countersign-data-'));
  afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

  it(
    'survives restarts, and is refused while another process has it',
    async () => {
      const first = await startRelayer({ dataDir });
      const alice = await first.account();
      await expect(openPglite(dataDir)).rejects.toThrowError(
        `the data directory ${dataDir} is in use by the process ${process.pid}`,
      );
      await first.close();
      // What a process leaves behind that was killed: a lock of somebody who is gone.
      writeFileSync(join(dataDir, 'relayer.lock'), '999999999');
      const second = await startRelayer({ dataDir });
      const reply = await second.call('GET', '/api/v3/user/balances', {
        query: { accountId: alice.accountId },
        headers: alice.keyHeader,
      });
      expect(reply.status).toBe(200);
      expect(reply.body.length).toBeGreaterThan(0);
      await second.close();
      // The same process id in an earlier life, as in a container that was restarted.
      writeFileSync(join(dataDir, 'relayer.lock'), `${process.pid} 00000000-0000-0000-0000-000000000000 1`);
      await (await startRelayer({ dataDir })).close();
    },
    START_TIMEOUT_MS,
  );

  it(
    'is given to one of several processes that find it with a dead holder at the same moment',
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'countersign-data-'));
      const lock = new URL('../../src/relayer/db/folderLock.ts', import.meta.url).href;
      // Each tries once for each folder that it is told, when all are told it, and lives on.
      const program = `
        const { lockFolder } = await import(${JSON.stringify(lock)});
        console.log('ready');
        for await (const line of (await import('node:readline')).createInterface({ input: process.stdin })) {
          try { lockFolder(line); console.log('taken'); }
          catch (error) { console.log(error.name); }
        }`;
      const tries = Array.from({ length: 6 }, () =>
        spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program], {
          stdio: ['pipe', 'pipe', 'inherit'],
        }),
      );
      const lines = tries.map((one) => createInterface({ input: one.stdout })[Symbol.asyncIterator]());
      const all = async () => (await Promise.all(lines.map((line) => line.next()))).map(({ value }) => value);
      try {
        expect(new Set(await all())).toEqual(new Set(['ready']));
        for (let n = 0; n < ROUNDS; n++) {
          const one = join(folder, String(n));
          mkdirSync(one);
          writeFileSync(join(one, 'relayer.lock'), '999999999');
          // Who was removing a dead holder's lock may have died over it.
          if (n % 2 === 1) writeFileSync(join(one, 'relayer.lock.remove'), '999999998');
          for (const { stdin } of tries) stdin.write(`${one}\n`);
          expect((await all()).sort()).toEqual([...Array.from({ length: 5 }, () => 'DataDirInUseError'), 'taken']);
          expect(readdirSync(one)).toEqual(['relayer.lock']);
        }
      } finally {
        for (const one of tries) one.stdin.end();
        rmSync(folder, { recursive: true, force: true });
      }
    },
    START_TIMEOUT_MS,
  );
});
