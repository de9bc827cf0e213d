/** Actions of the method `repair` on an entry of *Needs attention*. */
export const repairs = ['check', 'abandon', 'close', 'take-back', 'resync', 'dismiss'] as const;
export type Repair = (typeof repairs)[number];
