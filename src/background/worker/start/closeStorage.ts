import browser from 'webextension-polyfill';
import { reported } from '../../../report/report.ts';

/**
 * Chromium has it on every area; Firefox has it nowhere, and the types of the polyfill do not know
 * it.
 */
type Closable = Partial<Pick<chrome.storage.StorageArea, 'setAccessLevel'>>;

// Chromium gives `storage.local` to the content-script world of every tab unless it is told
// otherwise, and that world is open to another extension with the `debugger` permission.
// `storage.session` is closed by default; the data key depends on it.
for (const area of [browser.storage.local, browser.storage.session] as Closable[])
  area.setAccessLevel?.({ accessLevel: 'TRUSTED_CONTEXTS' }).catch(reported('storage: keep it from content scripts'));
