import type { RelayerErrorName } from '../../protocol/errors.ts';
import { isDatabaseTrouble } from '../db/port.ts';
import { Refusal } from '../errors.ts';
import type { Relayer } from './relayer.ts';

/**
 * Refuses with status 503 what the database could not do now; nobody can say then whether it was
 * done.
 * @throws {Refusal} `reason`. Any error that is no trouble of the database is thrown on.
 */
export function refuseTrouble(relayer: Relayer, error: unknown, reason: RelayerErrorName): never {
  if (!isDatabaseTrouble(error)) throw error;
  relayer.trouble(error);
  throw new Refusal(reason, undefined, 503);
}

/** Logs a failure, and trouble of the database as everywhere: once a second at most. */
export function logFailure(relayer: Relayer, error: unknown, message: string): void {
  if (isDatabaseTrouble(error)) relayer.trouble(error);
  else relayer.log.error({ err: error }, message);
}
