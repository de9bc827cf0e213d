import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkNode, root, Stop } from '../../scripts/prepare.mjs';

test('no package for one platform alone has to be installed', () => {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { os?: string[]; cpu?: string[]; optional?: true }>;
  };
  const bound = Object.entries(packages).filter(([, { os, cpu }]) => os ?? cpu);
  expect(bound.filter(([, { optional }]) => !optional).map(([path]) => path)).toEqual([]);
  expect(bound.map(([path]) => path)).toContain('node_modules/@foundry-rs/anvil-darwin-arm64');
});

test.each(['20.19.0', '20.20.2', '22.13.0', '22.22.1', '24.0.0', '26.1.0'])('Node %s is accepted', (version) => {
  expect(() => checkNode(version)).not.toThrow();
});

test.each(['18.20.8', '20.18.3', '21.7.3', '22.12.0', '23.11.1'])(
  'Node %s, which a tool refuses, is refused with the versions that serve',
  (version) => {
    expect(() => checkNode(version)).toThrow(Stop);
    expect(() => checkNode(version)).toThrow(
      `Node ${version} does not run Countersign, which needs ^20.19 or ^22.13 or >=24.`,
    );
  },
);
