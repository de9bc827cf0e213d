/**
 * Codes for malformed fields that transfers and withdrawals have in common, of tokens and of NFTs.
 */
export const movingFields = {
  exchange: 'EXCHANGE_ID_INCORRECT',
  'token.tokenId': 'TOKEN_UNSUPPORTED',
  'maxFee.tokenId': 'FEE_TOKEN_UNSUPPORTED',
  storageId: 'STORAGE_ID_INVALID',
  eddsaSignature: 'SIGNATURE_WRONG',
  ecdsaSignature: 'SIGNATURE_WRONG',
} as const;

export const withdrawalFields = {
  ...movingFields,
  accountId: 'ACCOUNT_ID_INVALID',
  owner: 'SENDER_INVALID',
  to: 'RECEIVER_INVALID',
} as const;
