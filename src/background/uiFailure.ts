import { RelayerClientError } from '../client/index.ts';
import type { UiError } from '../messaging/uiMethods.ts';
import type { Text } from '../operations/review.ts';
import { isRelayerErrorCode, relayerErrors } from '../protocol/index.ts';
import { VaultError } from '../vault/index.ts';

/** A failure that a person reads: a stable code and a message of the catalogs. */
export class UiFailure extends Error {
  override readonly name = 'UiFailure';

  constructor(
    readonly code: string,
    readonly key: string,
    readonly values: Readonly<Record<string, string>> = {},
  ) {
    super(code);
  }
}

const vaultKeys: Readonly<Record<string, string>> = {
  'wrong-password': 'error_wrongPassword',
  locked: 'error_locked',
  exists: 'error_vaultExists',
  corrupt: 'error_vaultCorrupt',
  'storage-full': 'error_storageFull',
};

function relayerFailure(error: RelayerClientError, host: string): UiError {
  if (error.kind === 'refused') {
    const code = error.relayerCode ?? 100000;
    const { action, name } = relayerErrors[isRelayerErrorCode(code) ? code : 100000];
    return { code: 'relayer-refused', key: 'error_relayerRefused', values: { code: String(code), name, action } };
  }
  if (error.kind === 'off-schema')
    return { code: 'relayer-unreadable', key: 'error_relayerAnswerUnreadable', values: { host } };
  return { code: 'relayer-unreachable', key: 'error_relayerUnreachable', values: { host } };
}

/** Any error as a person may read it; what is not foreseen becomes `unknown` without inner detail. */
export function toUiError(error: unknown, host = ''): UiError {
  if (error instanceof UiFailure) return { code: error.code, key: error.key, values: error.values };
  if (error instanceof RelayerClientError) return relayerFailure(error, host);
  if (error instanceof VaultError) return { code: error.code, key: vaultKeys[error.code] ?? 'error_unknown' };
  return { code: 'unknown', key: 'error_unknown' };
}

/** The same as a sentence inside a view. */
export function toText(error: unknown, host: string): Text {
  const { key, values = {} } = toUiError(error, host);
  return {
    key,
    values: Object.fromEntries(Object.entries(values).map(([name, text]) => [name, { kind: 'text', text } as const])),
  };
}
