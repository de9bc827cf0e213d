import type { Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { domainSeparator, type RelayerTypedData, typedDataDigest } from '../../../src/protocol/index.ts';
import type { Findings } from './findings.ts';

/** Typed data as the vectors write it. */
export interface TypedDataPart {
  readonly domain: unknown;
  readonly domainSeparator: string;
  readonly primaryType: string;
  readonly fields: readonly { name: string; type: string }[];
  readonly message: Readonly<Record<string, unknown>>;
  readonly digest: string;
}

/**
 * One value of a message in one form: numbers, decimal text, hex and addresses as integers, no
 * bytes as no text.
 */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (value === '' || value === '0x') return '';
  if (typeof value === 'bigint' || typeof value === 'number') return BigInt(value);
  return typeof value === 'string' && /^(0x[0-9a-fA-F]+|[0-9]+)$/.test(value) ? BigInt(value) : value;
}

/** Keys sorted, so that only names and values count. */
const sorted = (record: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.entries(record)
      .map(([name, value]) => [name, canonical(value)] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );

export function checkTypedData(findings: Findings, ours: RelayerTypedData, vector: TypedDataPart): void {
  findings.equal('eip712.domain', sorted({ ...ours.domain }), sorted(vector.domain as Record<string, unknown>));
  findings.equal('eip712.domainSeparator', domainSeparator(ours.domain), vector.domainSeparator);
  findings.equal('eip712.primaryType', ours.primaryType, vector.primaryType);
  findings.equal('eip712.fields', ours.types[ours.primaryType], vector.fields);
  findings.equal('eip712.message', sorted(ours.message), sorted(vector.message));
  findings.equal('eip712.digest', typedDataDigest(ours), vector.digest);
}

/**
 * `ecdsaMode` of a signature over the typed data itself; the other mode is personal_sign over its
 * digest.
 */
export const TYPED_DATA_MODE = 'eth_signTypedData_v4';

/**
 * The L1 signature, made by viem's local account over our typed data (or over the digest bytes, for
 * hardware wallets).
 */
export async function checkEcdsa(
  findings: Findings,
  field: string,
  typedData: RelayerTypedData,
  vector: { l1PrivateKey: string; ecdsaMode: string; signature: string },
): Promise<void> {
  const account = privateKeyToAccount(vector.l1PrivateKey as Hex);
  const signature =
    vector.ecdsaMode === TYPED_DATA_MODE
      ? await account.signTypedData(typedData as Parameters<typeof account.signTypedData>[0])
      : await account.signMessage({ message: { raw: typedDataDigest(typedData) } });
  findings.equal(field, signature, vector.signature);
}
