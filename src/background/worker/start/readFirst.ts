import browser from 'webextension-polyfill';
import { createFirstFacts } from './firstFacts.ts';

/** On its way before the other modules of the start run: the first answer waits for this read alone. */
export const firstFacts = createFirstFacts((keys) => browser.storage.session.get(keys), Date.now);
