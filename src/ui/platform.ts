/**
 * The extension API of this page: `browser` in Firefox, `chrome` in Chromium. Both answer with
 * promises (Manifest V3), so that no polyfill is loaded into the pages that people wait for.
 */
type ExtensionApi = Pick<typeof chrome, 'runtime' | 'windows' | 'tabs' | 'permissions' | 'storage'> & {
  /** Chromium. */
  readonly sidePanel?: Pick<typeof chrome.sidePanel, 'open'>;
  /** Firefox. */
  readonly sidebarAction?: { open(): Promise<void> };
};

export function platform(): ExtensionApi {
  const found = globalThis as unknown as { browser?: ExtensionApi; chrome?: ExtensionApi };
  const api = found.browser ?? found.chrome;
  if (api === undefined) throw new Error('no extension API in this page');
  return api;
}
