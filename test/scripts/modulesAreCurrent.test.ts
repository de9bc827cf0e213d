import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { modulesAreCurrent } from '../../scripts/prepare.mjs';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

const wanted = {
  '': { name: 'x' },
  'node_modules/a': { version: '1.0.0', integrity: 'sha512-a' },
  'node_modules/for-another-platform': { version: '1.0.0', integrity: 'sha512-b', optional: true },
};

function clone(present: Record<string, unknown> | null): string {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-test-'));
  folders.push(folder);
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages: wanted }));
  mkdirSync(join(folder, 'node_modules'));
  if (present) writeFileSync(join(folder, 'node_modules/.package-lock.json'), JSON.stringify({ packages: present }));
  return folder;
}

it('accepts what the lockfile names, without the optional packages of other platforms', () => {
  expect(modulesAreCurrent(clone({ 'node_modules/a': wanted['node_modules/a'] }))).toBe(true);
});

it('refuses an install that never finished', () => {
  expect(modulesAreCurrent(clone(null))).toBe(false);
});

it('refuses another version', () => {
  expect(modulesAreCurrent(clone({ 'node_modules/a': { version: '1.0.1', integrity: 'sha512-a' } }))).toBe(false);
});

it('refuses the same version with another content', () => {
  expect(modulesAreCurrent(clone({ 'node_modules/a': { version: '1.0.0', integrity: 'sha512-c' } }))).toBe(false);
});

it('refuses a missing package', () => {
  expect(modulesAreCurrent(clone({}))).toBe(false);
});

it('refuses a package that the lockfile does not name', () => {
  const present = { 'node_modules/a': wanted['node_modules/a'], 'node_modules/stray': { version: '1.0.0' } };
  expect(modulesAreCurrent(clone(present))).toBe(false);
});
