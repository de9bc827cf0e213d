/** The extension API: `browser` in Firefox, `chrome` in Chromium. Both answer with promises in Manifest V3. */
export const browser: typeof chrome = (globalThis as { browser?: typeof chrome }).browser ?? chrome;
