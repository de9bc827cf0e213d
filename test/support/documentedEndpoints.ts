import type { EndpointName, RelayerErrorName } from '../../src/protocol/index.ts';

const codes = (...list: RelayerErrorName[]) => list;

const orderCodes = codes(
  'UNKNOWN_ERROR',
  'INVALID_ARGUMENT',
  'EXCHANGE_ID_INCORRECT',
  'TOKEN_UNSUPPORTED',
  'ACCOUNT_ID_INVALID',
  'ORDER_ID_INVALID',
  'MARKET_UNSUPPORTED',
  'RATE_ILLEGAL',
  'ORDER_EXISTS',
  'ORDER_EXPIRED',
  'ORDER_SIGNATURE_MISSING',
  'BALANCE_INSUFFICIENT',
  'ORDER_TOO_SMALL',
  'FREEZE_FAILED',
  'ORDER_TOO_LARGE',
  'NONCE_INVALID',
  'ORDER_SUBMIT_FAILED',
  'ORDER_INVALID',
  'API_KEY_EMPTY',
  'API_KEY_INVALID',
  'API_ACCOUNT_INVALID',
  'SIGNATURE_MISSING',
  'SIGNATURE_WRONG',
);
const offchainCodes = codes(
  'UNKNOWN_ERROR',
  'INVALID_ARGUMENT',
  'EXCHANGE_ID_INCORRECT',
  'NONCE_INVALID',
  'SENDER_INVALID',
  'RECEIVER_INVALID',
  'FEE_TOKEN_UNSUPPORTED',
  'FEE_TOKEN_INCONSISTENT',
);
const readCodes = codes('UNKNOWN_ERROR', 'API_KEY_EMPTY', 'API_KEY_INVALID', 'API_ACCOUNT_INVALID');
const historyCodes = codes('UNKNOWN_ERROR', 'USER_ID_EMPTY', 'API_KEY_EMPTY', 'API_KEY_INVALID', 'API_ACCOUNT_INVALID');

/** The interface document: path and method, API key header, signature header, rate limit, codes. */
export const documented: {
  readonly [N in EndpointName]?: {
    readonly call: string;
    readonly key: boolean;
    readonly signature?: 'eddsa' | 'ecdsa';
    readonly limited?: true;
    readonly codes?: readonly RelayerErrorName[];
  };
} = {
  computeTokenAddress: { call: 'GET /api/v3/nft/info/computeTokenAddress', key: false },
  getCode: { call: 'POST /api/v3/delegator/getCode', key: false },
  getNftOffchainFee: { call: 'GET /api/v3/user/nft/offchainFee', key: false },
  getAvailableBroker: { call: 'GET /api/v3/getAvailableBroker', key: false },
  deployTokenAddress: { call: 'POST /api/v3/nft/deployTokenAddress', key: false, signature: 'eddsa' },
  mintNft: { call: 'POST /api/v3/nft/mint', key: false },
  transferNft: { call: 'POST /api/v3/nft/transfer', key: false },
  withdrawNft: { call: 'POST /api/v3/nft/withdrawal', key: false },
  getNftData: { call: 'GET /api/v3/nft/info/nftData', key: true, limited: true, codes: readCodes },
  getNftOrderUserRateAmount: {
    call: 'GET /api/v3/nft/info/orderUserRateAmount',
    key: true,
    codes: codes('UNKNOWN_ERROR'),
  },
  getNftOrderFee: { call: 'GET /api/v3/user/nft/orderFee', key: true, codes: codes('UNKNOWN_ERROR') },
  validateOrder: { call: 'POST /api/v3/nft/validateOrder', key: true, limited: true, codes: offchainCodes },
  getNftDeposits: { call: 'GET /api/v3/user/nft/deposits', key: true, limited: true, codes: readCodes },
  getNftTransfers: { call: 'GET /api/v3/user/nft/transfers', key: true, limited: true, codes: readCodes },
  submitOrder: { call: 'POST /api/v3/order', key: true, limited: true, codes: orderCodes },
  cancelOrder: {
    call: 'DELETE /api/v3/order',
    key: true,
    signature: 'eddsa',
    limited: true,
    codes: codes(
      'UNKNOWN_ERROR',
      'NO_ORDER_TO_CANCEL',
      'CANCEL_FAILED',
      'API_KEY_EMPTY',
      'API_KEY_INVALID',
      'API_ACCOUNT_INVALID',
    ),
  },
  getOrderUserRateAmount: { call: 'GET /api/v3/user/orderUserRateAmount', key: true, codes: codes('UNKNOWN_ERROR') },
  getStorageId: { call: 'GET /api/v3/storageId', key: true, limited: true, codes: readCodes },
  getBalances: { call: 'GET /api/v3/user/balances', key: true, limited: true, codes: readCodes },
  getTransfers: { call: 'GET /api/v3/user/transfers', key: true, limited: true, codes: historyCodes },
  submitWithdrawal: {
    call: 'POST /api/v3/user/withdrawals',
    key: true,
    signature: 'ecdsa',
    limited: true,
    codes: offchainCodes,
  },
  updateAccount: { call: 'POST /api/v3/account', key: false, signature: 'ecdsa', limited: true, codes: offchainCodes },
  exitAmmPool: { call: 'POST /api/v3/amm/exit', key: true, limited: true, codes: offchainCodes },
  // The document lists the header here; the protocol's public SDK has no key to send in this call.
  getAmmBalance: { call: 'GET /api/v3/amm/balance', key: false, limited: true, codes: codes('UNKNOWN_ERROR') },
  getAmmTransactions: { call: 'GET /api/v3/amm/user/transactions', key: false, limited: true, codes: historyCodes },
  getBlock: { call: 'GET /api/v3/block/getBlock', key: true, codes: codes('UNKNOWN_ERROR') },
};
