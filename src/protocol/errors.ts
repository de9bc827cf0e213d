/**
 * What a caller may do after a refusal:
 * `safe` – the same call may be repeated later, nothing was taken; `same-bytes` – only the identical signed bytes may be
 * sent again; `after-change` – a corrected request may be made; `no` – repeating cannot help.
 */
export type RetryRule = 'safe' | 'same-bytes' | 'after-change' | 'no';

/** One refusal code of the relayer. */
export interface RelayerErrorEntry {
  /** Stable name for programs and logs. */
  readonly name: string;
  /** What the relayer means. */
  readonly meaning: string;
  readonly retry: RetryRule;
  /** What the user can do, in one sentence. */
  readonly action: string;
  /** `document`: listed in the interface document. `field`: met at a running relayer. */
  readonly source: 'document' | 'field';
}

const document = (name: string, retry: RetryRule, meaning: string, action: string) =>
  ({ name, meaning, retry, action, source: 'document' }) as const;
const field = (name: string, retry: RetryRule, meaning: string, action: string) =>
  ({ name, meaning, retry, action, source: 'field' }) as const;

/** Every refusal code by number. `0` is no refusal and stands apart (`SUCCESS_CODE`). */
export const relayerErrors = {
  100000: document('UNKNOWN_ERROR', 'same-bytes', 'Unknown error', 'Try again in a moment.'),
  100001: document('INVALID_ARGUMENT', 'after-change', 'Invalid argument', 'Correct the named field.'),
  100002: field('REQUEST_TIMEOUT', 'same-bytes', 'Request timeout', 'Try again; the same request is sent.'),
  100202: field('UPDATE_FAILED', 'same-bytes', 'Update failed', 'Try again in a moment.'),
  100203: field('PERSISTENCE_FAILED', 'same-bytes', 'Persistence failed', 'Try again in a moment.'),
  100204: field('DUPLICATE_REQUEST', 'no', 'Duplicate request', 'Look at the list: the request is already there.'),
  101001: field('ADDRESS_NOT_FOUND', 'after-change', 'Address not found', 'Check the address.'),
  101002: field(
    'ACCOUNT_NOT_FOUND',
    'after-change',
    'Account not found',
    'Deposit to this exchange first; the account appears with the first deposit or incoming transfer.',
  ),
  102001: document('EXCHANGE_ID_INCORRECT', 'after-change', 'Exchange ID is incorrect', 'Check the chosen network.'),
  102002: document('TOKEN_UNSUPPORTED', 'after-change', 'Unsupported token id in the order', 'Choose a listed token.'),
  102003: document('ACCOUNT_ID_INVALID', 'after-change', 'Invalid account ID', 'Connect the account again.'),
  102004: document(
    'ORDER_ID_INVALID',
    'after-change',
    'Invalid order ID',
    'The storage id is not usable; fetch the next one and approve again.',
  ),
  102005: document('MARKET_UNSUPPORTED', 'after-change', 'Market not supported', 'Choose a listed market.'),
  102006: document('RATE_ILLEGAL', 'after-change', 'Illegal rate field', 'Allow a fee that the relayer accepts.'),
  102007: document(
    'ORDER_EXISTS',
    'no',
    'Order already exists',
    'The storage id carries another order; look at the open orders.',
  ),
  102008: document('ORDER_EXPIRED', 'after-change', 'Order has expired', 'Choose a later expiry; check the clock.'),
  102010: document(
    'ORDER_SIGNATURE_MISSING',
    'after-change',
    'Order is missing signature information',
    'Sign the order again.',
  ),
  102011: document(
    'BALANCE_INSUFFICIENT',
    'after-change',
    'Insufficient user balance',
    'Lower the amount or free funds that open orders hold.',
  ),
  102012: document('ORDER_TOO_SMALL', 'after-change', 'Order amount too small', 'Raise the amount.'),
  102014: document(
    'FREEZE_FAILED',
    'same-bytes',
    'Failed to freeze the amount; retry later',
    'Try again; the same request is sent.',
  ),
  102020: document('ORDER_TOO_LARGE', 'after-change', 'Exceeded the maximum order amount', 'Lower the amount.'),
  102021: document('NONCE_INVALID', 'after-change', 'Nonce is invalid', 'Reload the account and try again.'),
  102022: document('SENDER_INVALID', 'after-change', 'Transfer sender is invalid', 'Check the sending account.'),
  102023: document('RECEIVER_INVALID', 'after-change', 'Transfer receiver is invalid', 'Check the receiver.'),
  102024: document('FEE_TOKEN_UNSUPPORTED', 'after-change', 'Fee token is unsupported', 'Choose another fee token.'),
  102025: document(
    'FEE_TOKEN_INCONSISTENT',
    'after-change',
    'Transfer token is not consistent with fee token',
    'Pay the fee in the token that is moved.',
  ),
  102027: document('ORDER_SUBMIT_FAILED', 'same-bytes', 'Submit order failed', 'Try again; the same order is sent.'),
  102028: field('STORAGE_ID_EXHAUSTED', 'after-change', 'No storage id available', 'Cancel open orders first.'),
  102030: field('STORAGE_ID_INVALID', 'after-change', 'Invalid storage id', 'Fetch the next id and approve again.'),
  102032: field('RECIPIENT_INVALID', 'after-change', 'Invalid recipient', 'Check the receiver.'),
  102040: field(
    'NFT_EXISTS',
    'after-change',
    'Same NFT exists already; needs forceToMint',
    'Mint more of it on purpose with forceToMint.',
  ),
  102117: document('NO_ORDER_TO_CANCEL', 'no', 'No orders to cancel', 'The order is no longer open.'),
  102118: document(
    'CANCEL_FAILED',
    'same-bytes',
    'Failed to cancel orders; retry later',
    'Try again; the same request is sent.',
  ),
  102119: field('HASH_INVALID', 'after-change', 'Invalid hash', 'Check the order hash.'),
  102120: document('ORDER_INVALID', 'after-change', 'Order is not valid', 'Check the order and sign a new one.'),
  102122: field('ORDER_CANCELLING', 'no', 'Order already being cancelled', 'Wait until the cancel has finished.'),
  102127: field('COLLECTION_NAME_TAKEN', 'after-change', 'Collection name taken', 'Choose another name.'),
  104001: document('API_KEY_EMPTY', 'after-change', 'Empty ApiKey', 'Unlock the account so that it can log in.'),
  104002: document('API_KEY_INVALID', 'after-change', 'Invalid ApiKey', 'Log in again for a new API key.'),
  104003: document('API_ACCOUNT_INVALID', 'after-change', 'Invalid Account ID', 'Log in with the right account.'),
  104004: document('SIGNATURE_MISSING', 'after-change', 'No signature information provided', 'Sign the request.'),
  104005: document(
    'SIGNATURE_WRONG',
    'after-change',
    'Wrong signature information',
    'Check that the account still has this key, then sign again.',
  ),
  104208: field('L1_NODE_ERROR', 'same-bytes', 'L1 node error', 'Try again in a moment.'),
  104209: field('BATCH_PARTLY_FAILED', 'after-change', 'Batch partly failed', 'Look at the open orders.'),
  105001: field('GAS_PRICE_UNAVAILABLE', 'safe', 'No gas price available', 'Try again in a moment.'),
  107001: document('USER_ID_EMPTY', 'after-change', 'User ID cannot be empty', 'Name the account.'),
  107002: field('ORDER_HASH_MISSING', 'after-change', 'Order hash missing', 'Name the order.'),
  107003: field('ORDER_NOT_FOUND', 'no', 'Order does not exist', 'Check the order hash.'),
  108000: field('MARKET_DATA_UNSUPPORTED', 'after-change', 'Market unsupported', 'Choose a listed market.'),
  108001: field('DEPTH_LEVEL_UNSUPPORTED', 'after-change', 'Depth level unsupported', 'Choose another depth level.'),
  108003: field('MINT_REFUSED', 'no', 'Mint refused without a text', 'Check the NFT and its contract.'),
  114001: field('FEE_TOKEN_NOT_ACCEPTED', 'after-change', 'Fee token unsupported', 'Choose another fee token.'),
  114002: field(
    'FEE_OUTDATED',
    'after-change',
    'Fee amount no longer valid; fees move at least every 15 minutes',
    'Fetch the fee again and approve it.',
  ),
} as const satisfies Record<number, RelayerErrorEntry>;

/** A refusal code that this table explains. */
export type RelayerErrorCode = keyof typeof relayerErrors;

/** `resultInfo.code` of older answers that carry data and no refusal. */
export const SUCCESS_CODE = 0;

/** True for a code of the table; a relayer may send others, which a client treats like 100000. */
export function isRelayerErrorCode(code: number): code is RelayerErrorCode {
  return Object.hasOwn(relayerErrors, code);
}

/** Codes of every call that demands an API key (interface document, "Authentication"). */
export const apiKeyCodes = [104001, 104002, 104003] as const satisfies readonly RelayerErrorCode[];

/** Codes of every call that demands a signature. */
export const signatureCodes = [104004, 104005] as const satisfies readonly RelayerErrorCode[];

/** Document: amm/exit, user/withdrawals, account and nft/validateOrder. */
export const offchainRequestCodes = [
  100000, 100001, 102001, 102021, 102022, 102023, 102024, 102025,
] as const satisfies readonly RelayerErrorCode[];

/**
 * Refusals that off-chain requests also meet at a running relayer: account, token, balance, storage id and outdated fee.
 */
export const offchainFieldCodes = [
  102002, 102003, 102011, 102014, 102030, 102032, 114001, 114002,
] as const satisfies readonly RelayerErrorCode[];
