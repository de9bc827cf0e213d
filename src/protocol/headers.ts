/** Header with the account's API key. */
export const API_KEY_HEADER = 'X-API-KEY';

/** Header with the signature of the request. */
export const API_SIGNATURE_HEADER = 'X-API-SIG';
