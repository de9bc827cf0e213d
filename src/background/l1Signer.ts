import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { privateKeyToAccount } from 'viem/accounts';
import type { RelayerTypedData } from '../protocol/index.ts';
import type { Vault } from '../vault/index.ts';

type Hex = `0x${string}`;

/** Vault record of an L1 key. */
export const l1Record = (signer: string) => `l1:${signer}`;

const hexOf = (bytes: Uint8Array): Hex => `0x${bytesToHex(bytes)}`;

/**
 * The L1 keys in the vault. A key leaves it only inside a signature, or by `exportKey` for a backup.
 * viem takes keys as text, which JavaScript cannot wipe; it is unreachable when the call ends.
 */
export function createL1Signer(
  vault: Vault,
  randomBytes: (length: number) => Uint8Array<ArrayBuffer>,
  uuid: () => string,
) {
  async function save(privateKey: Uint8Array): Promise<{ signer: string; address: string }> {
    const { address } = privateKeyToAccount(hexOf(privateKey));
    const signer = uuid();
    await vault.putSecret({ id: l1Record(signer), account: address, kind: 'l1-key' }, privateKey);
    return { signer, address };
  }

  return {
    /** @throws viem's error when the number is zero or not below the curve order. */
    import: (privateKey: string) => save(hexToBytes(privateKey.replace(/^0x/, ''))),
    generate: () => save(randomBytes(32)),
    addressOf: (signer: string) =>
      vault.withSecret(l1Record(signer), (key) => privateKeyToAccount(hexOf(key)).address as string),
    /** EIP-191 `personal_sign` over the UTF-8 text; 65 bytes r, s, v. The caller wipes them when they are key material. */
    signText: (signer: string, text: string): Promise<Uint8Array> =>
      vault.withSecret(l1Record(signer), async (key) =>
        hexToBytes((await privateKeyToAccount(hexOf(key)).signMessage({ message: text })).slice(2)),
      ),
    /** EIP-712; 0x + 130 hex digits. */
    signTypedData: (signer: string, typedData: RelayerTypedData): Promise<Hex> =>
      vault.withSecret(l1Record(signer), (key) => privateKeyToAccount(hexOf(key)).signTypedData(typedData as never)),
    exportKey: (signer: string): Promise<Hex> => vault.withSecret(l1Record(signer), hexOf),
  };
}

export type L1Signer = ReturnType<typeof createL1Signer>;
