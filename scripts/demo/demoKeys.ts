import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Hex } from 'viem';
import { generatePrivateKey } from 'viem/accounts';
import { z } from 'zod';

const privateKey = z
  .string()
  .regex(/^0x[0-9a-f]{64}$/)
  .transform((text) => text as Hex);
const demoKeys = z.object({ demo: privateKey, maker: privateKey });

/** Throw-away L1 keys: made on the first start in a folder, read again on the next. */
export async function loadKeys(folder: string): Promise<z.output<typeof demoKeys>> {
  const path = join(folder, 'demo-keys.json');
  const stored = await readFile(path, 'utf8').catch(() => null);
  if (stored !== null) return demoKeys.parse(JSON.parse(stored));
  const made = { demo: generatePrivateKey(), maker: generatePrivateKey() };
  await writeFile(path, JSON.stringify(made, null, 2), { mode: 0o600 });
  return made;
}
