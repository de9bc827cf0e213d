/**
 * The parts of a Manifest V3 file that the two browsers read differently; everything else passes
 * unchanged.
 */
export interface ChromiumManifest {
  readonly background: { readonly service_worker: string; readonly type: 'module' };
  readonly permissions: readonly string[];
  readonly side_panel?: { readonly default_path: string };
  readonly [key: string]: unknown;
}

/**
 * Add-on id. Firefox binds storage, updates and the signature of a release to it, so it never
 * changes.
 */
export const GECKO_ID = 'countersign@countersign.dev';

/**
 * First Firefox that knows `data_collection_permissions`, which a listed add-on has to state; an
 * ESR as well. Page scripts with `world: "MAIN"` came earlier (128).
 */
const OLDEST_FIREFOX = '140.0';

/** Keys and permissions that Firefox does not know; it would warn about each. */
const CHROMIUM_KEYS = ['key', 'minimum_chrome_version'];
const CHROMIUM_PERMISSIONS = ['sidePanel', 'offscreen'];

/**
 * Turns the manifest, which is written for Chromium, into Firefox's: an event page in place of the
 * service worker, a sidebar in place of the side panel, an add-on id, the oldest version, the
 * statement that nothing is collected, and no private windows.
 * @see
 *   https://developer.mozilla.org/docs/Mozilla/Add-ons/WebExtensions/manifest.json/browser_specific_settings
 */
export function firefoxManifest({
  background,
  permissions,
  side_panel,
  ...manifest
}: ChromiumManifest): Record<string, unknown> {
  const kept = Object.entries(manifest).filter(([key]) => !CHROMIUM_KEYS.includes(key));
  return {
    ...Object.fromEntries(kept),
    ...(side_panel && {
      // Firefox opens a new sidebar by itself unless told otherwise.
      sidebar_action: { default_panel: side_panel.default_path, default_title: manifest.name, open_at_install: false },
    }),
    background: { scripts: [background.service_worker], type: background.type },
    permissions: permissions.filter((permission) => !CHROMIUM_PERMISSIONS.includes(permission)),
    // A Firefox that is always private removes every store of an extension as it ends.
    incognito: 'not_allowed',
    browser_specific_settings: {
      gecko: {
        id: GECKO_ID,
        strict_min_version: OLDEST_FIREFOX,
        data_collection_permissions: { required: ['none'] },
      },
    },
  };
}
