import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openWallet } from '../../src/viem/testing/openWallet.ts';

test('a browser that does not start leaves no profile', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-profiles-'));
  vi.stubEnv('TMPDIR', folder);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
  });
  const relayer = { url: 'http://127.0.0.1:1', fund: async () => {} };
  const opened = openWallet({ chromium, relayer, executablePath: join(folder, 'none') });
  await expect(opened).rejects.toThrow('Failed to launch');
  expect(readdirSync(folder).filter((name) => name.startsWith('countersign-test-'))).toEqual([]);
});
