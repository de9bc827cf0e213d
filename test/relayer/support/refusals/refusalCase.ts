import type { TestRelayer } from '../startRelayer.ts';
import type { Reply } from '../testAccount.ts';
import type { World } from '../validCalls.ts';

/** A refusal that an endpoint has to give: its code, when, and a call that meets it. */
export type RefusalCase = readonly [code: number, when: string, make: (world: World) => Promise<Reply>];

/** Less than any request costs. */
export const SMALL_FEE = '1';

/** The next pass through a step of the engine fails as in a broken database. */
export const failNext = (test: TestRelayer, step: string) => test.call('POST', '/dev/failNext', { body: { step } });
