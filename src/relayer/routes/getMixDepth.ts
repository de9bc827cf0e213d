import type { Route } from '../server/route.ts';
import { answerDepth } from './getDepth.ts';

export const getMixDepth: Route<'getMixDepth'> = { handle: (call) => answerDepth(call, true) };
