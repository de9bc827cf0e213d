import { z } from '../protocol/zod.ts';

/**
 * Minutes without input until the wallet locks itself, as they may be chosen and as they are
 * believed when read.
 */
export const lockMinutes = () => z.int().check(z.minimum(1), z.maximum(480));
