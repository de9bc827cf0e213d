import '../zodWithoutEval.ts';
import { preferFastCore } from '../../crypto/fast.ts';

// Loaded at the first hash or signature; a wake-up that computes nothing pays nothing.
preferFastCore();

export { beginWhole } from './beginWhole.ts';
