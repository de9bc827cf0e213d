/** The extension API: `browser` in Firefox, `chrome` in Chromium. Both answer with promises, Chromium for Manifest V3. */
export const browser = (globalThis as { browser?: typeof chrome }).browser ?? chrome;
