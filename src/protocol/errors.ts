import { doc } from './doc.ts';

/**
 * Allowed repetition after a refusal: `safe` – the same call may be repeated later, nothing was
 * taken; `same-bytes` – only the identical signed bytes may be sent again; `after-change` – a
 * corrected request may be made; `no` – repeating cannot help.
 */
export type RetryRule = 'safe' | 'same-bytes' | 'after-change' | 'no';

/** One refusal code of the relayer. */
export interface RelayerErrorEntry {
  /** `resultInfo.code` on the wire. */
  readonly code: number;
  /** Meaning of the refusal at the relayer. */
  readonly meaning: string;
  readonly retry: RetryRule;
  /** Advice to the user, in one sentence. */
  readonly action: string;
  /** `document`: listed in the interface document. `field`: met at a running relayer. */
  readonly source: 'document' | 'field';
}

const document = <Code extends number>(code: Code, retry: RetryRule, meaning = '', action = '') =>
  ({ code, meaning, retry, action, source: 'document' }) as const;
const field = <Code extends number>(code: Code, retry: RetryRule, meaning = '', action = '') =>
  ({ code, meaning, retry, action, source: 'field' }) as const;

/**
 * Every refusal by its stable name for programs and logs. Code `0` is no refusal and stands apart
 * (`SUCCESS_CODE`).
 */
export const relayerErrors = {
  UNKNOWN_ERROR: document(100000, 'same-bytes', doc?.('Unknown error'), doc?.('Check Activity, then try again.')),
  INVALID_ARGUMENT: document(
    100001,
    'after-change',
    doc?.('Invalid argument'),
    doc?.('The site or the wallet made a mistake in the request. Report it with the error code.'),
  ),
  REQUEST_TIMEOUT: field(100002, 'same-bytes', doc?.('Request timeout'), doc?.('Check Activity, then try again.')),
  UPDATE_FAILED: field(100202, 'same-bytes', doc?.('Update failed'), doc?.('Check Activity, then try again.')),
  PERSISTENCE_FAILED: field(
    100203,
    'same-bytes',
    doc?.('Persistence failed'),
    doc?.('Check Activity, then try again.'),
  ),
  DUPLICATE_REQUEST: field(
    100204,
    'same-bytes',
    doc?.('Duplicate request'),
    doc?.('Look in Activity: the request is already there.'),
  ),
  ADDRESS_NOT_FOUND: field(101001, 'after-change', doc?.('Address not found'), doc?.('Check the address.')),
  ACCOUNT_NOT_FOUND: field(
    101002,
    'after-change',
    doc?.('Account not found'),
    doc?.('Deposit to this exchange first; the account appears with the first deposit or incoming transfer.'),
  ),
  EXCHANGE_ID_INCORRECT: document(
    102001,
    'after-change',
    doc?.('Exchange ID is incorrect'),
    doc?.('Check the exchange under Settings → Exchanges.'),
  ),
  TOKEN_UNSUPPORTED: document(
    102002,
    'after-change',
    doc?.('Unsupported token id in the order'),
    doc?.('Choose a listed token.'),
  ),
  ACCOUNT_ID_INVALID: document(
    102003,
    'after-change',
    doc?.('Invalid account ID'),
    doc?.('Connect the account again.'),
  ),
  ORDER_ID_INVALID: document(
    102004,
    'after-change',
    doc?.('Invalid order ID'),
    doc?.('Use the next storage number under “Needs attention”.'),
  ),
  MARKET_UNSUPPORTED: document(102005, 'after-change', doc?.('Market not supported'), doc?.('Choose a listed market.')),
  RATE_ILLEGAL: document(
    102006,
    'after-change',
    doc?.('Illegal rate field'),
    doc?.('Allow a fee that the exchange accepts.'),
  ),
  ORDER_EXISTS: document(
    102007,
    'no',
    doc?.('Order already exists'),
    doc?.('Use the next storage number under “Needs attention”.'),
  ),
  ORDER_EXPIRED: document(
    102008,
    'after-change',
    doc?.('Order has expired'),
    doc?.('Choose a later expiry; check the clock.'),
  ),
  ORDER_SIGNATURE_MISSING: document(
    102010,
    'after-change',
    doc?.('Order is missing signature information'),
    doc?.('The site or the wallet made a mistake in the request. Report it with the error code.'),
  ),
  BALANCE_INSUFFICIENT: document(
    102011,
    'after-change',
    doc?.('Insufficient user balance'),
    doc?.('Lower the amount or free funds that open orders hold.'),
  ),
  ORDER_TOO_SMALL: document(102012, 'after-change', doc?.('Order amount too small'), doc?.('Raise the amount.')),
  FREEZE_FAILED: document(
    102014,
    'same-bytes',
    doc?.('Failed to freeze the amount; retry later'),
    doc?.('Check Activity, then try again.'),
  ),
  ORDER_TOO_LARGE: document(
    102020,
    'after-change',
    doc?.('Exceeded the maximum order amount'),
    doc?.('Lower the amount.'),
  ),
  NONCE_INVALID: document(102021, 'after-change', doc?.('Nonce is invalid'), doc?.('The account has changed.')),
  SENDER_INVALID: document(
    102022,
    'after-change',
    doc?.('Transfer sender is invalid'),
    doc?.('The site or the wallet made a mistake in the request. Report it with the error code.'),
  ),
  RECEIVER_INVALID: document(
    102023,
    'after-change',
    doc?.('Transfer receiver is invalid'),
    doc?.('Check the recipient.'),
  ),
  FEE_TOKEN_UNSUPPORTED: document(
    102024,
    'after-change',
    doc?.('Fee token is unsupported'),
    doc?.('Choose another fee token.'),
  ),
  FEE_TOKEN_INCONSISTENT: document(
    102025,
    'after-change',
    doc?.('Transfer token is not consistent with fee token'),
    doc?.('Pay the fee in the token that is moved.'),
  ),
  ORDER_SUBMIT_FAILED: document(
    102027,
    'same-bytes',
    doc?.('Submit order failed'),
    doc?.('Check Activity, then try again.'),
  ),
  STORAGE_ID_EXHAUSTED: field(
    102028,
    'after-change',
    doc?.('No storage id available'),
    doc?.('Cancel open orders first.'),
  ),
  STORAGE_ID_INVALID: field(
    102030,
    'after-change',
    doc?.('Invalid storage id'),
    doc?.('Use the next storage number under “Needs attention”.'),
  ),
  RECIPIENT_INVALID: field(102032, 'after-change', doc?.('Invalid recipient'), doc?.('Check the recipient.')),
  NFT_EXISTS: field(
    102040,
    'after-change',
    doc?.('Same NFT exists already; needs forceToMint'),
    doc?.('Choose another IPFS name, or let a site mint more of it.'),
  ),
  NO_ORDER_TO_CANCEL: document(102117, 'no', doc?.('No orders to cancel'), doc?.('The order is no longer open.')),
  CANCEL_FAILED: document(
    102118,
    'same-bytes',
    doc?.('Failed to cancel orders; retry later'),
    doc?.('Check Activity, then try again.'),
  ),
  HASH_INVALID: field(
    102119,
    'after-change',
    doc?.('Invalid hash'),
    doc?.('The site or the wallet made a mistake in the request. Report it with the error code.'),
  ),
  ORDER_INVALID: document(
    102120,
    'after-change',
    doc?.('Order is not valid'),
    doc?.('Check the order and sign a new one.'),
  ),
  ORDER_CANCELLING: field(
    102122,
    'no',
    doc?.('Order already being cancelled'),
    doc?.('Wait until the cancel has finished.'),
  ),
  COLLECTION_NAME_TAKEN: field(102127, 'after-change', doc?.('Collection name taken'), doc?.('Choose another name.')),
  API_KEY_EMPTY: document(104001, 'after-change', doc?.('Empty ApiKey'), doc?.('Try again in a moment.')),
  API_KEY_INVALID: document(104002, 'after-change', doc?.('Invalid ApiKey'), doc?.('Try again in a moment.')),
  API_ACCOUNT_INVALID: document(
    104003,
    'after-change',
    doc?.('Invalid Account ID'),
    doc?.('The site or the wallet made a mistake in the request. Report it with the error code.'),
  ),
  SIGNATURE_MISSING: document(
    104004,
    'after-change',
    doc?.('No signature information provided'),
    doc?.('The site or the wallet made a mistake in the request. Report it with the error code.'),
  ),
  SIGNATURE_WRONG: document(
    104005,
    'after-change',
    doc?.('Wrong signature information'),
    doc?.('Check that the account still has this key, then sign again.'),
  ),
  L1_NODE_ERROR: field(104208, 'same-bytes', doc?.('L1 node error'), doc?.('Check Activity, then try again.')),
  BATCH_PARTLY_FAILED: field(104209, 'after-change', doc?.('Batch partly failed'), doc?.('Look at the open orders.')),
  GAS_PRICE_UNAVAILABLE: field(105001, 'safe', doc?.('No gas price available'), doc?.('Try again in a moment.')),
  USER_ID_EMPTY: document(
    107001,
    'after-change',
    doc?.('User ID cannot be empty'),
    doc?.('The site or the wallet made a mistake in the request. Report it with the error code.'),
  ),
  ORDER_HASH_MISSING: field(
    107002,
    'after-change',
    doc?.('Order hash missing'),
    doc?.('The site or the wallet made a mistake in the request. Report it with the error code.'),
  ),
  ORDER_NOT_FOUND: field(107003, 'no', doc?.('Order does not exist'), doc?.('The exchange knows no such order.')),
  MARKET_DATA_UNSUPPORTED: field(108000, 'after-change', doc?.('Market unsupported'), doc?.('Choose a listed market.')),
  DEPTH_LEVEL_UNSUPPORTED: field(
    108001,
    'after-change',
    doc?.('Depth level unsupported'),
    doc?.('The site or the wallet made a mistake in the request. Report it with the error code.'),
  ),
  MINT_REFUSED: field(108003, 'no', doc?.('Mint refused without a text'), doc?.('Check the NFT and its contract.')),
  FEE_TOKEN_NOT_ACCEPTED: field(
    114001,
    'after-change',
    doc?.('Fee token unsupported'),
    doc?.('Choose another fee token.'),
  ),
  FEE_OUTDATED: field(
    114002,
    'after-change',
    doc?.('Fee amount no longer valid; fees move at least every 15 minutes'),
    doc?.('The fee has changed.'),
  ),
} as const satisfies Record<string, RelayerErrorEntry>;

/** Name of a refusal that this table explains. */
export type RelayerErrorName = keyof typeof relayerErrors;

/** `resultInfo.code` of older answers that carry data and no refusal. */
export const SUCCESS_CODE = 0;

const namesByCode: ReadonlyMap<number, RelayerErrorName> = new Map(
  (Object.keys(relayerErrors) as RelayerErrorName[]).map((name) => [relayerErrors[name].code, name]),
);

/**
 * The name of a refusal code; `undefined` for one that the table does not have, which a client
 * treats like UNKNOWN_ERROR.
 */
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
 * Refusals that off-chain requests also meet at a running relayer: account, token, balance, storage
 * id, fee, and an L1 chain that does not answer.
 */
export const offchainFieldCodes = [
  'TOKEN_UNSUPPORTED',
  'ACCOUNT_ID_INVALID',
  'BALANCE_INSUFFICIENT',
  'FREEZE_FAILED',
  'STORAGE_ID_INVALID',
  'RECIPIENT_INVALID',
  'L1_NODE_ERROR',
  'GAS_PRICE_UNAVAILABLE',
  'FEE_TOKEN_NOT_ACCEPTED',
  'FEE_OUTDATED',
] as const satisfies readonly RelayerErrorName[];

/** Refusals that orders of tokens and of NFTs share. */
export const orderFieldCodes = [
  'TOKEN_UNSUPPORTED',
  'ACCOUNT_ID_INVALID',
  'ORDER_ID_INVALID',
  'RATE_ILLEGAL',
  'ORDER_EXISTS',
  'ORDER_EXPIRED',
  'ORDER_SIGNATURE_MISSING',
  'BALANCE_INSUFFICIENT',
  'ORDER_TOO_SMALL',
  'FREEZE_FAILED',
  'ORDER_TOO_LARGE',
  'STORAGE_ID_INVALID',
  'ORDER_INVALID',
  'GAS_PRICE_UNAVAILABLE',
] as const satisfies readonly RelayerErrorName[];
