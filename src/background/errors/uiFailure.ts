import { RelayerClientError } from '../../client/index.ts';
import { asJournalError, JournalError } from '../../journal/index.ts';
import type { UiError, UiErrorValue } from '../../messaging/uiMethods.ts';
import { EndlessList } from '../../operations/everyRow.ts';
import { ClockBehind } from '../../operations/operation.ts';
import type { Text, Value } from '../../operations/review.ts';
import { relayerErrorNamed, relayerErrors, remedyFor } from '../../protocol/index.ts';
import { report } from '../../report/report.ts';
import { VaultError } from '../../vault/index.ts';

/** A failure that a user reads: a stable code and a message of the catalogs. */
export class UiFailure extends Error {
  override readonly name = 'UiFailure';

  constructor(
    readonly code: string,
    readonly key: string,
    readonly values: Readonly<Record<string, UiErrorValue>> = {},
  ) {
    super(code);
  }
}

export const invalidInput = (field: string) => new UiFailure('invalid-input', 'error_invalidInput', { field });

const vaultKeys: Readonly<Record<string, string>> = {
  'wrong-password': 'error_wrongPassword',
  locked: 'error_locked',
  exists: 'error_vaultExists',
  'wrong-passkey': 'error_wrongPasskey',
  'unsupported-version': 'error_vaultVersion',
  corrupt: 'error_vaultCorrupt',
  damaged: 'recoveryDamaged',
  'bad-file': 'error_keyUnusable',
  'storage-full': 'error_storageFull',
  storage: 'error_storage',
  'empty-overwrite': 'error_lastSecret',
};

/** Code, name and what to do of a refusal, as values of a message. */
export function relayerRefusal(
  code: number = relayerErrors.UNKNOWN_ERROR.code,
): Readonly<Record<'code' | 'name' | 'action', UiErrorValue>> {
  const name = relayerErrorNamed(code) ?? 'UNKNOWN_ERROR';
  const action = { kind: 'message', key: `relayer_${remedyFor(name)}` } as const;
  return { code: String(code), name, action };
}

const unreadable = (host: string): UiError => ({
  code: 'relayer-unreadable',
  key: 'error_relayerAnswerUnreadable',
  values: { host },
});

function relayerFailure(error: RelayerClientError, host: string): UiError {
  if (error.kind === 'refused') {
    return { code: 'relayer-refused', key: 'error_relayerRefused', values: relayerRefusal(error.relayerCode) };
  }
  if (error.kind === 'off-schema') return unreadable(host);
  if (error.queueFreeInMs !== undefined) return { code: 'queue-full', key: 'error_queueFull', values: { host } };
  return { code: 'relayer-unreachable', key: 'error_relayerUnreachable', values: { host } };
}

/** Any error as a user may read it; what is not foreseen becomes `unknown` without inner detail. */
export function toUiError(error: unknown, host = ''): UiError {
  if (error instanceof UiFailure) return { code: error.code, key: error.key, values: error.values };
  if (error instanceof RelayerClientError) return relayerFailure(error, host);
  if (error instanceof EndlessList) return unreadable(host);
  if (error instanceof ClockBehind) {
    const minutes = String(Math.round(error.seconds / 60));
    return { code: 'clock-behind', key: 'error_clockBehind', values: { host, minutes } };
  }
  if (error instanceof JournalError && error.jump) {
    const { known, named } = error.jump;
    return { code: 'id-jump', key: 'error_idJump', values: { known: String(known), named: String(named) } };
  }
  if (error instanceof VaultError) return { code: error.code, key: vaultKeys[error.code] ?? 'error_unknown' };
  const { code } = asJournalError(error);
  if (code === 'storage-full') return { code, key: 'error_storageFull' };
  if (code === 'not-found') return { code, key: 'error_notFound' };
  report('window: a request', error);
  return { code: 'unknown', key: 'error_unknown' };
}

/** The values of an error as those of a sentence. */
export function textValues(values: Readonly<Record<string, UiErrorValue>>): Readonly<Record<string, Value>> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' ? ({ kind: 'text', text: value } as const) : value,
    ]),
  );
}

/** The same as a sentence inside a view. */
export function toText(error: unknown, host: string): Text {
  const { key, values = {} } = toUiError(error, host);
  return { key, values: textValues(values) };
}
