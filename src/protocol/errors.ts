/**
 * What a caller may do after a refusal:
 * `safe` – the same call may be repeated later, nothing was taken; `same-bytes` – only the identical signed bytes may be
 * sent again; `after-change` – a corrected request may be made; `no` – repeating cannot help.
 */
export type RetryRule = 'safe' | 'same-bytes' | 'after-change' | 'no';

/** One refusal code of the relayer. */
export interface RelayerErrorEntry {
  /** `resultInfo.code` on the wire. */
  readonly code: number;
  /** What the relayer means. */
  readonly meaning: string;
  readonly retry: RetryRule;
  /** What the user can do, in one sentence. */
  readonly action: string;
  /** `document`: listed in the interface document. `field`: met at a running relayer. */
  readonly source: 'document' | 'field';
}

const document = <Code extends number>(code: Code, retry: RetryRule, meaning: string, action: string) =>
  ({ code, meaning, retry, action, source: 'document' }) as const;
const field = <Code extends number>(code: Code, retry: RetryRule, meaning: string, action: string) =>
  ({ code, meaning, retry, action, source: 'field' }) as const;

/** Every refusal by its stable name for programs and logs. Code `0` is no refusal and stands apart (`SUCCESS_CODE`). */
export const relayerErrors = {
  UNKNOWN_ERROR: document(100000, 'same-bytes', 'Unknown error', 'Try again in a moment.'),
  INVALID_ARGUMENT: document(100001, 'after-change', 'Invalid argument', 'Correct the named field.'),
  REQUEST_TIMEOUT: field(100002, 'same-bytes', 'Request timeout', 'Try again; the same request is sent.'),
  UPDATE_FAILED: field(100202, 'same-bytes', 'Update failed', 'Try again in a moment.'),
  PERSISTENCE_FAILED: field(100203, 'same-bytes', 'Persistence failed', 'Try again in a moment.'),
  DUPLICATE_REQUEST: field(100204, 'no', 'Duplicate request', 'Look at the list: the request is already there.'),
  ADDRESS_NOT_FOUND: field(101001, 'after-change', 'Address not found', 'Check the address.'),
  ACCOUNT_NOT_FOUND: field(
    101002,
    'after-change',
    'Account not found',
    'Deposit to this exchange first; the account appears with the first deposit or incoming transfer.',
  ),
  EXCHANGE_ID_INCORRECT: document(102001, 'after-change', 'Exchange ID is incorrect', 'Check the chosen network.'),
  TOKEN_UNSUPPORTED: document(102002, 'after-change', 'Unsupported token id in the order', 'Choose a listed token.'),
  ACCOUNT_ID_INVALID: document(102003, 'after-change', 'Invalid account ID', 'Connect the account again.'),
  ORDER_ID_INVALID: document(
    102004,
    'after-change',
    'Invalid order ID',
    'The storage id is not usable; fetch the next one and approve again.',
  ),
  MARKET_UNSUPPORTED: document(102005, 'after-change', 'Market not supported', 'Choose a listed market.'),
  RATE_ILLEGAL: document(102006, 'after-change', 'Illegal rate field', 'Allow a fee that the relayer accepts.'),
  ORDER_EXISTS: document(
    102007,
    'no',
    'Order already exists',
    'The storage id carries another order; look at the open orders.',
  ),
  ORDER_EXPIRED: document(102008, 'after-change', 'Order has expired', 'Choose a later expiry; check the clock.'),
  ORDER_SIGNATURE_MISSING: document(
    102010,
    'after-change',
    'Order is missing signature information',
    'Sign the order again.',
  ),
  BALANCE_INSUFFICIENT: document(
    102011,
    'after-change',
    'Insufficient user balance',
    'Lower the amount or free funds that open orders hold.',
  ),
  ORDER_TOO_SMALL: document(102012, 'after-change', 'Order amount too small', 'Raise the amount.'),
  FREEZE_FAILED: document(
    102014,
    'same-bytes',
    'Failed to freeze the amount; retry later',
    'Try again; the same request is sent.',
  ),
  ORDER_TOO_LARGE: document(102020, 'after-change', 'Exceeded the maximum order amount', 'Lower the amount.'),
  NONCE_INVALID: document(102021, 'after-change', 'Nonce is invalid', 'Reload the account and try again.'),
  SENDER_INVALID: document(102022, 'after-change', 'Transfer sender is invalid', 'Check the sending account.'),
  RECEIVER_INVALID: document(102023, 'after-change', 'Transfer receiver is invalid', 'Check the receiver.'),
  FEE_TOKEN_UNSUPPORTED: document(102024, 'after-change', 'Fee token is unsupported', 'Choose another fee token.'),
  FEE_TOKEN_INCONSISTENT: document(
    102025,
    'after-change',
    'Transfer token is not consistent with fee token',
    'Pay the fee in the token that is moved.',
  ),
  ORDER_SUBMIT_FAILED: document(102027, 'same-bytes', 'Submit order failed', 'Try again; the same order is sent.'),
  STORAGE_ID_EXHAUSTED: field(102028, 'after-change', 'No storage id available', 'Cancel open orders first.'),
  STORAGE_ID_INVALID: field(102030, 'after-change', 'Invalid storage id', 'Fetch the next id and approve again.'),
  RECIPIENT_INVALID: field(102032, 'after-change', 'Invalid recipient', 'Check the receiver.'),
  NFT_EXISTS: field(
    102040,
    'after-change',
    'Same NFT exists already; needs forceToMint',
    'Mint more of it on purpose with forceToMint.',
  ),
  NO_ORDER_TO_CANCEL: document(102117, 'no', 'No orders to cancel', 'The order is no longer open.'),
  CANCEL_FAILED: document(
    102118,
    'same-bytes',
    'Failed to cancel orders; retry later',
    'Try again; the same request is sent.',
  ),
  HASH_INVALID: field(102119, 'after-change', 'Invalid hash', 'Check the order hash.'),
  ORDER_INVALID: document(102120, 'after-change', 'Order is not valid', 'Check the order and sign a new one.'),
  ORDER_CANCELLING: field(102122, 'no', 'Order already being cancelled', 'Wait until the cancel has finished.'),
  COLLECTION_NAME_TAKEN: field(102127, 'after-change', 'Collection name taken', 'Choose another name.'),
  API_KEY_EMPTY: document(104001, 'after-change', 'Empty ApiKey', 'Unlock the account so that it can log in.'),
  API_KEY_INVALID: document(104002, 'after-change', 'Invalid ApiKey', 'Log in again for a new API key.'),
  API_ACCOUNT_INVALID: document(104003, 'after-change', 'Invalid Account ID', 'Log in with the right account.'),
  SIGNATURE_MISSING: document(104004, 'after-change', 'No signature information provided', 'Sign the request.'),
  SIGNATURE_WRONG: document(
    104005,
    'after-change',
    'Wrong signature information',
    'Check that the account still has this key, then sign again.',
  ),
  L1_NODE_ERROR: field(104208, 'same-bytes', 'L1 node error', 'Try again in a moment.'),
  BATCH_PARTLY_FAILED: field(104209, 'after-change', 'Batch partly failed', 'Look at the open orders.'),
  GAS_PRICE_UNAVAILABLE: field(105001, 'safe', 'No gas price available', 'Try again in a moment.'),
  USER_ID_EMPTY: document(107001, 'after-change', 'User ID cannot be empty', 'Name the account.'),
  ORDER_HASH_MISSING: field(107002, 'after-change', 'Order hash missing', 'Name the order.'),
  ORDER_NOT_FOUND: field(107003, 'no', 'Order does not exist', 'Check the order hash.'),
  MARKET_DATA_UNSUPPORTED: field(108000, 'after-change', 'Market unsupported', 'Choose a listed market.'),
  DEPTH_LEVEL_UNSUPPORTED: field(108001, 'after-change', 'Depth level unsupported', 'Choose another depth level.'),
  MINT_REFUSED: field(108003, 'no', 'Mint refused without a text', 'Check the NFT and its contract.'),
  FEE_TOKEN_NOT_ACCEPTED: field(114001, 'after-change', 'Fee token unsupported', 'Choose another fee token.'),
  FEE_OUTDATED: field(
    114002,
    'after-change',
    'Fee amount no longer valid; fees move at least every 15 minutes',
    'Fetch the fee again and approve it.',
  ),
} as const satisfies Record<string, RelayerErrorEntry>;

/** Name of a refusal that this table explains. */
export type RelayerErrorName = keyof typeof relayerErrors;

/** `resultInfo.code` of older answers that carry data and no refusal. */
export const SUCCESS_CODE = 0;

const namesByCode: ReadonlyMap<number, RelayerErrorName> = new Map(
  (Object.keys(relayerErrors) as RelayerErrorName[]).map((name) => [relayerErrors[name].code, name]),
);

/** The name of a refusal code; `undefined` for one that the table does not have, which a client treats like UNKNOWN_ERROR. */
export const relayerErrorNamed = (code: number): RelayerErrorName | undefined => namesByCode.get(code);

/** Codes of every call that demands an API key (interface document, "Authentication"). */
export const apiKeyCodes = [
  'API_KEY_EMPTY',
  'API_KEY_INVALID',
  'API_ACCOUNT_INVALID',
] as const satisfies readonly RelayerErrorName[];

/** Codes of every call that demands a signature. */
export const signatureCodes = ['SIGNATURE_MISSING', 'SIGNATURE_WRONG'] as const satisfies readonly RelayerErrorName[];

/** Document: amm/exit, user/withdrawals, account and nft/validateOrder. */
export const offchainRequestCodes = [
  'UNKNOWN_ERROR',
  'INVALID_ARGUMENT',
  'EXCHANGE_ID_INCORRECT',
  'NONCE_INVALID',
  'SENDER_INVALID',
  'RECEIVER_INVALID',
  'FEE_TOKEN_UNSUPPORTED',
  'FEE_TOKEN_INCONSISTENT',
] as const satisfies readonly RelayerErrorName[];

/**
 * Refusals that off-chain requests also meet at a running relayer: account, token, balance, storage id and outdated fee.
 */
export const offchainFieldCodes = [
  'TOKEN_UNSUPPORTED',
  'ACCOUNT_ID_INVALID',
  'BALANCE_INSUFFICIENT',
  'FREEZE_FAILED',
  'STORAGE_ID_INVALID',
  'RECIPIENT_INVALID',
  'FEE_TOKEN_NOT_ACCEPTED',
  'FEE_OUTDATED',
] as const satisfies readonly RelayerErrorName[];
