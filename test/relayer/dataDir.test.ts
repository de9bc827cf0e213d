import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openPglite } from '../../src/relayer/db/pglite.ts';
import { START_TIMEOUT_MS } from './support/databases.ts';
import { startRelayer } from './support/startRelayer.ts';

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
});
