import './zodWithoutEval.ts';
import browser from 'webextension-polyfill';
import { preferFastCore } from '../crypto/fast.ts';

// Loaded at the first hash or signature; a wake-up that computes nothing pays nothing.
preferFastCore();

// The unlocked state is for the wallet's own contexts; this is the browser's default, said again because keys depend on it.
(browser.storage.session as unknown as chrome.storage.StorageArea).setAccessLevel?.({
  accessLevel: 'TRUSTED_CONTEXTS',
});

export { beginWhole } from './beginWhole.ts';
