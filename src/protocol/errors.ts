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
  /** `document`: listed in the interface document. `field`: met at a running relayer. */
  readonly source: 'document' | 'field';
}

const document = <Code extends number>(code: Code, retry: RetryRule, meaning = '') =>
  ({ code, meaning, retry, source: 'document' }) as const;
const field = <Code extends number>(code: Code, retry: RetryRule, meaning = '') =>
  ({ code, meaning, retry, source: 'field' }) as const;

/** Every refusal by its stable name for programs and logs. Code `0` is no refusal. */
export const relayerErrors = {
  UNKNOWN_ERROR: document(100000, 'same-bytes', doc?.('Unknown error')),
  INVALID_ARGUMENT: document(100001, 'after-change', doc?.('Invalid argument')),
  REQUEST_TIMEOUT: field(100002, 'same-bytes', doc?.('Request timeout')),
  UPDATE_FAILED: field(100202, 'same-bytes', doc?.('Update failed')),
  PERSISTENCE_FAILED: field(100203, 'same-bytes', doc?.('Persistence failed')),
  DUPLICATE_REQUEST: field(100204, 'same-bytes', doc?.('Duplicate request')),
  ADDRESS_NOT_FOUND: field(101001, 'after-change', doc?.('Address not found')),
  ACCOUNT_NOT_FOUND: field(101002, 'after-change', doc?.('Account not found')),
  EXCHANGE_ID_INCORRECT: document(102001, 'after-change', doc?.('Exchange ID is incorrect')),
  TOKEN_UNSUPPORTED: document(102002, 'after-change', doc?.('Unsupported token id in the order')),
  ACCOUNT_ID_INVALID: document(102003, 'after-change', doc?.('Invalid account ID')),
  ORDER_ID_INVALID: document(102004, 'after-change', doc?.('Invalid order ID')),
  MARKET_UNSUPPORTED: document(102005, 'after-change', doc?.('Market not supported')),
  RATE_ILLEGAL: document(102006, 'after-change', doc?.('Illegal rate field')),
  ORDER_EXISTS: document(102007, 'no', doc?.('Order already exists')),
  ORDER_EXPIRED: document(102008, 'after-change', doc?.('Order has expired')),
  ORDER_SIGNATURE_MISSING: document(102010, 'after-change', doc?.('Order is missing signature information')),
  BALANCE_INSUFFICIENT: document(102011, 'after-change', doc?.('Insufficient user balance')),
  ORDER_TOO_SMALL: document(102012, 'after-change', doc?.('Order amount too small')),
  FREEZE_FAILED: document(102014, 'same-bytes', doc?.('Failed to freeze the amount; retry later')),
  ORDER_TOO_LARGE: document(102020, 'after-change', doc?.('Exceeded the maximum order amount')),
  NONCE_INVALID: document(102021, 'after-change', doc?.('Nonce is invalid')),
  SENDER_INVALID: document(102022, 'after-change', doc?.('Transfer sender is invalid')),
  RECEIVER_INVALID: document(102023, 'after-change', doc?.('Transfer receiver is invalid')),
  FEE_TOKEN_UNSUPPORTED: document(102024, 'after-change', doc?.('Fee token is unsupported')),
  FEE_TOKEN_INCONSISTENT: document(102025, 'after-change', doc?.('Transfer token is not consistent with fee token')),
  ORDER_SUBMIT_FAILED: document(102027, 'same-bytes', doc?.('Submit order failed')),
  STORAGE_ID_EXHAUSTED: field(102028, 'after-change', doc?.('No storage id available')),
  STORAGE_ID_INVALID: field(102030, 'after-change', doc?.('Invalid storage id')),
  RECIPIENT_INVALID: field(102032, 'after-change', doc?.('Invalid recipient')),
  NFT_EXISTS: field(102040, 'after-change', doc?.('Same NFT exists already; needs forceToMint')),
  NO_ORDER_TO_CANCEL: document(102117, 'no', doc?.('No orders to cancel')),
  CANCEL_FAILED: document(102118, 'same-bytes', doc?.('Failed to cancel orders; retry later')),
  HASH_INVALID: field(102119, 'after-change', doc?.('Invalid hash')),
  ORDER_INVALID: document(102120, 'after-change', doc?.('Order is not valid')),
  ORDER_CANCELLING: field(102122, 'no', doc?.('Order already being cancelled')),
  COLLECTION_NAME_TAKEN: field(102127, 'after-change', doc?.('Collection name taken')),
  API_KEY_EMPTY: document(104001, 'after-change', doc?.('Empty ApiKey')),
  API_KEY_INVALID: document(104002, 'after-change', doc?.('Invalid ApiKey')),
  API_ACCOUNT_INVALID: document(104003, 'after-change', doc?.('Invalid Account ID')),
  SIGNATURE_MISSING: document(104004, 'after-change', doc?.('No signature information provided')),
  SIGNATURE_WRONG: document(104005, 'after-change', doc?.('Wrong signature information')),
  L1_NODE_ERROR: field(104208, 'same-bytes', doc?.('L1 node error')),
  BATCH_PARTLY_FAILED: field(104209, 'after-change', doc?.('Batch partly failed')),
  GAS_PRICE_UNAVAILABLE: field(105001, 'safe', doc?.('No gas price available')),
  USER_ID_EMPTY: document(107001, 'after-change', doc?.('User ID cannot be empty')),
  ORDER_HASH_MISSING: field(107002, 'after-change', doc?.('Order hash missing')),
  ORDER_NOT_FOUND: field(107003, 'no', doc?.('Order does not exist')),
  MARKET_DATA_UNSUPPORTED: field(108000, 'after-change', doc?.('Market unsupported')),
  DEPTH_LEVEL_UNSUPPORTED: field(108001, 'after-change', doc?.('Depth level unsupported')),
  MINT_REFUSED: field(108003, 'no', doc?.('Mint refused without a text')),
  FEE_TOKEN_NOT_ACCEPTED: field(114001, 'after-change', doc?.('Fee token unsupported')),
  FEE_OUTDATED: field(114002, 'after-change', doc?.('Fee amount no longer valid; fees move at least every 15 minutes')),
} as const satisfies Record<string, RelayerErrorEntry>;

/** Name of a refusal that this table explains. */
export type RelayerErrorName = keyof typeof relayerErrors;

const namesByCode: ReadonlyMap<number, RelayerErrorName> = new Map(
  (Object.keys(relayerErrors) as RelayerErrorName[]).map((name) => [relayerErrors[name].code, name]),
);

/**
 * The name of a refusal code; `undefined` for one that the table does not have, which a client
 * treats like UNKNOWN_ERROR.
 */
export const relayerErrorNamed = (code: number): RelayerErrorName | undefined => namesByCode.get(code);

/** Refusals after which a user does the same, by the one that stands for them. */
const sameRemedies: Readonly<Record<string, readonly RelayerErrorName[]>> = {
  UNKNOWN_ERROR: [
    'REQUEST_TIMEOUT',
    'UPDATE_FAILED',
    'PERSISTENCE_FAILED',
    'FREEZE_FAILED',
    'ORDER_SUBMIT_FAILED',
    'CANCEL_FAILED',
    'L1_NODE_ERROR',
  ],
  INVALID_ARGUMENT: [
    'ORDER_SIGNATURE_MISSING',
    'SENDER_INVALID',
    'HASH_INVALID',
    'API_ACCOUNT_INVALID',
    'SIGNATURE_MISSING',
    'USER_ID_EMPTY',
    'ORDER_HASH_MISSING',
    'DEPTH_LEVEL_UNSUPPORTED',
  ],
  STORAGE_ID_INVALID: ['ORDER_ID_INVALID', 'ORDER_EXISTS'],
  MARKET_UNSUPPORTED: ['MARKET_DATA_UNSUPPORTED'],
  RECIPIENT_INVALID: ['RECEIVER_INVALID'],
  FEE_TOKEN_UNSUPPORTED: ['FEE_TOKEN_NOT_ACCEPTED'],
  GAS_PRICE_UNAVAILABLE: ['API_KEY_EMPTY', 'API_KEY_INVALID'],
};

/** The refusal whose remedy stands in the catalogs, as `relayer_NAME`, for this one as well. */
export const remedyFor = (name: RelayerErrorName): string =>
  Object.keys(sameRemedies).find((one) => sameRemedies[one]?.includes(name)) ?? name;

/** Codes of every call by whether it takes an API key (interface document, "Authentication"). */
export const apiKeyCodes = {
  required: ['API_KEY_EMPTY', 'API_KEY_INVALID', 'API_ACCOUNT_INVALID'],
  optional: ['API_KEY_INVALID', 'API_ACCOUNT_INVALID'],
  none: [],
} as const satisfies Readonly<Record<string, readonly RelayerErrorName[]>>;

/** Codes of every call that demands a signature. */
export const signatureCodes = ['SIGNATURE_MISSING', 'SIGNATURE_WRONG'] as const satisfies readonly RelayerErrorName[];

/** Document: amm/exit, user/withdrawals, account and nft/validateOrder. */
export const offchainRequestCodes = [
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
