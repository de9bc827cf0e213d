import browser from 'webextension-polyfill';
import { createStartupSnapshot } from '../../lifecycle/startupSnapshot.ts';

/**
 * On its way before the other modules of the start run: the first answer waits for this read alone.
 */
export const startupSnapshot = createStartupSnapshot((keys) => browser.storage.session.get(keys), Date.now);
