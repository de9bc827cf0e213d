import type { Route } from '../server/route.ts';
import { answerTickers } from './getTicker.ts';

export const getMixTicker: Route<'getMixTicker'> = { handle: (call) => answerTickers(call, true) };
