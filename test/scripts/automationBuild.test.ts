import { expect, test, vi } from 'vitest';
import manifest from '../../manifest.json' with { type: 'json' };
import { automationManifest, stripes } from '../../scripts/build/automationBuild.ts';
import type { ChromiumManifest } from '../../scripts/build/firefoxManifest.ts';
import { refuseOther } from '../../src/background/relayers/relayers.ts';

const source = manifest as unknown as ChromiumManifest;
const made = automationManifest(source);

test('the build for tests differs from the wallet in name, id and hosts alone', () => {
  const changed = [...new Set([...Object.keys(source), ...Object.keys(made)])].filter(
    (key) => JSON.stringify(source[key]) !== JSON.stringify(made[key]),
  );
  expect(changed.sort()).toEqual([
    'action',
    'content_scripts',
    'content_security_policy',
    'host_permissions',
    'key',
    'name',
    'optional_host_permissions',
  ]);
  expect(made.name).toBe('Countersign TEST, not for real money');
});

test('the browser lets it reach this machine and nothing else', () => {
  const hosts = JSON.stringify(made).match(/(?:https?|wss?):(?:\/\/[^\s"';]*)?/g) ?? [];
  expect(hosts.length).toBeGreaterThan(8);
  expect(hosts.filter((host) => !/^(?:http|ws):\/\/(?:localhost|127\.0\.0\.1)[:/]\*?/.test(host))).toEqual([]);
});

test('its icons are pictures of their size', () => {
  for (const size of [16, 128]) {
    const icon = stripes(size);
    expect([icon.readUInt32BE(16), icon.readUInt32BE(20)]).toEqual([size, size]);
  }
});

test.each([
  [true, 1, 'not-development'],
  [true, 31_337, undefined],
  [false, 1, undefined],
  [undefined, 1, undefined],
])('with __AUTOMATION__ %s an exchange of chain %i ends with %s', (automation, chainId, code) => {
  vi.stubGlobal('__AUTOMATION__', automation);
  const exchange = { chainId, exchangeAddress: `0x${'9'.repeat(40)}` };
  let met: unknown;
  try {
    refuseOther(exchange, exchange);
  } catch (error) {
    met = (error as { code: string }).code;
  }
  vi.unstubAllGlobals();
  expect(met).toBe(code);
});
