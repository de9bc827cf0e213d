import { expect, test } from 'vitest';
import manifest from '../../manifest.json' with { type: 'json' };
import { type ChromiumManifest, firefoxManifest } from '../../scripts/build/firefoxManifest.ts';

const source = manifest as unknown as ChromiumManifest;
const made = firefoxManifest(source);

test('differs from the source in the background, the identity, and what only Chromium knows', () => {
  const changed = [...new Set([...Object.keys(source), ...Object.keys(made)])].filter(
    (key) => JSON.stringify(source[key]) !== JSON.stringify(made[key]),
  );
  expect(changed.sort()).toEqual([
    'background',
    'browser_specific_settings',
    'incognito',
    'key',
    'minimum_chrome_version',
    'permissions',
    'side_panel',
    'sidebar_action',
  ]);
});

test('runs the same entry as an event page', () => {
  expect(made.background).toEqual({ scripts: [source.background.service_worker], type: 'module' });
});

test('keeps the content security policy to the letter', () => {
  expect(made.content_security_policy).toEqual(source.content_security_policy);
});

test('has the fixed add-on id, the oldest version, and collects nothing', () => {
  expect(made.browser_specific_settings).toEqual({
    gecko: {
      id: 'countersign@countersign.dev',
      strict_min_version: '140.0',
      data_collection_permissions: { required: ['none'] },
    },
  });
});

test('does not run where Firefox keeps nothing beyond its end', () => {
  expect(made.incognito).toBe('not_allowed');
});

test('turns the side panel into a sidebar that does not open by itself', () => {
  expect(made.permissions).toEqual(source.permissions.filter((permission) => permission !== 'sidePanel'));
  expect(made).not.toHaveProperty('side_panel');
  expect(made.sidebar_action).toEqual({
    default_panel: source.side_panel?.default_path,
    default_title: '__MSG_extensionName__',
    open_at_install: false,
  });
});

test('does not change what it is given', () => {
  const before = JSON.stringify(source);
  firefoxManifest(source);
  expect(JSON.stringify(source)).toBe(before);
});
