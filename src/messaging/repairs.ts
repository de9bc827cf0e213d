/** What the method `repair` does about an entry of *Needs attention*. */
export const repairs = ['check', 'abandon', 'close', 'take-back', 'resync', 'dismiss'] as const;
export type Repair = (typeof repairs)[number];
