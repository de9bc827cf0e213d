import { useFastCore } from '../../src/crypto/fast.ts';

/** Imported before a test file, this runs the file on the fast core. */
if (useFastCore() !== 'fast') throw new Error('the fast core did not load');
