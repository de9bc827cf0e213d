import { z } from 'zod/mini';
import { once } from '../protocol/once.ts';
import { parseJson } from '../protocol/parseJson.ts';
import { VaultError } from './errors.ts';
import { type Envelope, envelopeSchema } from './image.ts';
import { type AssociatedData, type Sealed, sealedSchema } from './seal.ts';

/**
 * A backup file: the vault as it is stored, and a text beside it that only the vault's own key
 * opens.
 */
const backupSchema = once(() =>
  z.strictObject({
    format: z.literal('countersign-backup'),
    version: z.literal(1),
    vault: envelopeSchema(),
    attached: sealedSchema(),
  }),
);

export const attachedAssociatedData = (vaultId: string): AssociatedData => ['countersign-backup/attached', 1, vaultId];

export const backupText = (vault: Envelope, attached: Sealed): string =>
  JSON.stringify({ format: 'countersign-backup', version: 1, vault, attached });

/**
 * Reads a backup; also the bare vault that earlier versions wrote, which has nothing beside it.
 * @throws {VaultError} `corrupt`, `unsupported-version`.
 */
export function parseBackup(text: string): { readonly vault: unknown; readonly attached: Sealed | null } {
  const value = parseJson(text);
  const backup = backupSchema().safeParse(value);
  if (backup.success) return backup.data;
  if (envelopeSchema().safeParse(value).success) return { vault: value, attached: null };
  const head = z
    .looseObject({ format: z.literal('countersign-backup'), version: z.int().check(z.minimum(2)) })
    .safeParse(value);
  if (head.success)
    throw new VaultError('unsupported-version', `backup version ${head.data.version} cannot be read by this program`);
  throw new VaultError('corrupt', 'the file is no vault backup');
}
