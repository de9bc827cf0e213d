import { replaceApiKey } from '../engine/apiKeys.ts';
import type { Route } from '../server/route.ts';
import { answerApiKey } from './getApiKey.ts';

export const resetApiKey: Route<'resetApiKey'> = { handle: answerApiKey(replaceApiKey) };
