import { checksumAddress } from './format.ts';

export type CheckedAddress =
  /** Checksummed. */
  | { readonly address: string }
  /** Message of the catalogs; `empty` is no mistake yet. */
  | { readonly problem: 'empty' | 'addressUnreadable' | 'addressChecksum' | 'addressZero' | 'addressSelf' };

/**
 * Reads a typed or pasted address: with spaces around it or `ethereum:` before it, as QR codes have
 * it.
 * @param self - The account that pays, which cannot be the recipient.
 */
export function checkAddress(text: string, self?: string): CheckedAddress {
  const given = text.trim().replace(/^ethereum:/i, '');
  if (given === '') return { problem: 'empty' };
  if (!/^0x[0-9a-fA-F]{40}$/.test(given)) return { problem: 'addressUnreadable' };
  if (/^0x0{40}$/.test(given)) return { problem: 'addressZero' };
  const digits = given.slice(2);
  const mixed = digits !== digits.toLowerCase() && digits !== digits.toUpperCase();
  const address = checksumAddress(given);
  if (mixed && given !== address) return { problem: 'addressChecksum' };
  return address.toLowerCase() === self?.toLowerCase() ? { problem: 'addressSelf' } : { address };
}
