import type { Route } from '../server/route.ts';
import { answerCandlesticks } from './getCandlestick.ts';

export const getMixCandlestick: Route<'getMixCandlestick'> = { handle: (call) => answerCandlesticks(call, true) };
