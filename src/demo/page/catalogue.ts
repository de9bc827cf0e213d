/** Facts that the page knows so far, for examples that fit the connected account. */
export interface Known {
  readonly owner: string;
  readonly orderHash: string;
  readonly requestId: string;
  readonly nft: { readonly tokenId: number; readonly nftData: string; readonly tokenAddress: string };
  readonly lpAmount: string;
  readonly standingId: string;
}

export interface Entry {
  /** Of the method; without `relayer_` where it has that. */
  readonly name: string;
  readonly says: string;
  /**
   * Example argument: an object, or the list of parameters for Ethereum's own methods. None for
   * calls that take nothing.
   */
  readonly example?: (known: Known) => object;
}

/** Ethereum's own methods carry their names whole; the others are the relayer's. */
export const methodOf = ({ name }: Pick<Entry, 'name'>): string =>
  /^(eth|wallet|personal)_/.test(name) ? name : `relayer_${name}`;

export interface Group {
  readonly title: string;
  readonly entries: readonly Entry[];
}

/** Any account of the exchange: the second of the well-known development keys. */
export const friend = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const poolAddress = '0x18920d6E6Fb7EbE057a4DD9260D6D95845c95036';
const nftFactory = '0xc852aC7aAe4b0f0a0Deb9e8A391ebA2047d80026';
/** IPFS name of the NFTs that the demo mints. */
export const cid = 'QmbWqxBEKC3P8tqsKc98xmWNzrzDtRLMiMPL8wBuTGsMnR';
const ETHER = '000000000000000000';

const sale = {
  sellToken: { tokenId: 1, volume: `100${ETHER}` },
  buyToken: { tokenId: 0, volume: '50000000000000000' },
};
const hourFromNow = () => Math.floor(Date.now() / 1000) + 3600;
const nftSlot = ({ nft: { tokenId, nftData } }: Known) => ({ tokenId, nftData, amount: '1' });

/** Signed by nobody but the user; says what it is for. */
const login = {
  domain: { name: 'Demo dApp', version: '1', chainId: 31337 },
  primaryType: 'Login',
  types: {
    EIP712Domain: [
      { name: 'name', type: 'string' },
      { name: 'version', type: 'string' },
      { name: 'chainId', type: 'uint256' },
    ],
    Login: [
      { name: 'account', type: 'address' },
      { name: 'purpose', type: 'string' },
    ],
  },
};

/**
 * Every call of the wallet, grouped by what it is about. A test compares with what the wallet says
 * it has.
 */
export const catalogue: readonly Group[] = [
  {
    title: 'Orders',
    entries: [
      { name: 'submitOrder', says: 'Places an order.', example: () => sale },
      {
        name: 'replaceOrder',
        says: 'Puts another in its place, and has the exchange cancel the old one.',
        example: ({ orderHash }) => ({ replaces: orderHash, ...sale }),
      },
      {
        name: 'submitOneOf',
        says: 'Several orders, one of which is meant to fill.',
        example: () => ({
          orders: [
            { ...sale, orderType: 'TAKER_ONLY' },
            { ...sale, orderType: 'MAKER_ONLY' },
          ],
        }),
      },
      {
        name: 'hardCancel',
        says: 'Ends an order for good, by a least trade in its slot.',
        example: ({ orderHash }) => ({ orderHash }),
      },
      { name: 'cancelOrder', says: 'Cancels one order.', example: ({ orderHash }) => ({ orderHash }) },
      { name: 'cancelAllOrders', says: 'Cancels what this site has placed.', example: () => ({}) },
      { name: 'getOrders', says: 'Orders of the account.', example: () => ({ limit: 5 }) },
      { name: 'getOrder', says: 'One order.', example: ({ orderHash }) => ({ orderHash }) },
      {
        name: 'getOrderUserRateAmount',
        says: 'Least amounts and fee rates of a market.',
        example: () => ({ market: 'LRC-ETH' }),
      },
      { name: 'getUserTrades', says: 'Fills.', example: () => ({ market: 'LRC-ETH' }) },
    ],
  },
  {
    title: 'Orders without a window',
    entries: [
      {
        name: 'requestStandingApproval',
        says: 'Asks once for orders within limits.',
        example: () => ({
          sellTokenId: 1,
          buyTokenId: 0,
          minPrice: '0.000066',
          orderVolume: `100${ETHER}`,
          totalVolume: `1000${ETHER}`,
          rate: { requests: 10, seconds: 60 },
          validUntil: hourFromNow(),
        }),
      },
      { name: 'getStandingApprovals', says: 'What is in force, and what is used of it.', example: () => ({}) },
      { name: 'revokeStandingApproval', says: 'Gives it back.', example: ({ standingId }) => ({ id: standingId }) },
    ],
  },
  {
    title: 'Transfers and withdrawals',
    entries: [
      {
        name: 'transfer',
        says: 'Sends tokens to another account.',
        example: () => ({ token: { tokenId: 1, volume: `5${ETHER}` }, payeeAddr: friend }),
      },
      {
        name: 'withdraw',
        says: 'Pays tokens out to layer 1.',
        example: () => ({ token: { tokenId: 1, volume: `100${ETHER}` } }),
      },
      { name: 'getTransfers', says: 'Transfers so far.', example: () => ({ limit: 5 }) },
      { name: 'getWithdrawals', says: 'Withdrawals so far.', example: () => ({ limit: 5 }) },
      { name: 'getDeposits', says: 'Deposits so far.', example: () => ({ limit: 5 }) },
      { name: 'getUserTransactions', says: 'All of these.', example: () => ({ types: 'transfer', limit: 5 }) },
      { name: 'getOffchainFee', says: 'What a request costs.', example: () => ({ requestType: 3 }) },
    ],
  },
  {
    title: 'NFTs',
    entries: [
      { name: 'mintNft', says: 'Mints five of an IPFS name.', example: () => ({ cid, amount: '5', nftFactory }) },
      {
        name: 'transferNft',
        says: 'Sends one to another account.',
        example: (known) => ({ token: nftSlot(known), toAddress: friend }),
      },
      {
        name: 'signNftOrder',
        says: 'Signs a sale, for the site that finds the buyer.',
        example: (known) => ({
          sellToken: nftSlot(known),
          buyToken: { tokenId: 0, amount: '100000000000000000' },
          validate: true,
        }),
      },
      {
        name: 'deployNft',
        says: 'Has its contract deployed on layer 1.',
        example: ({ nft: { nftData, tokenAddress } }) => ({ nftData, tokenAddress }),
      },
      { name: 'withdrawNft', says: 'Pays one out to layer 1.', example: (known) => ({ token: nftSlot(known) }) },
      { name: 'getNftBalances', says: 'What the account holds.', example: () => ({ limit: 10 }) },
      { name: 'getNfts', says: 'What the relayer knows of them.', example: ({ nft }) => ({ nftDatas: [nft.nftData] }) },
      {
        name: 'getNftData',
        says: 'The identifier of an NFT.',
        example: ({ owner, nft: { tokenAddress } }) => ({ minter: owner, tokenAddress, nftId: '0x1' }),
      },
      { name: 'getNftOffchainFee', says: 'What a request costs.', example: () => ({ requestType: 11 }) },
      {
        name: 'getNftOrderUserRateAmount',
        says: 'Fee rates of NFT orders.',
        example: ({ nft: { tokenAddress } }) => ({ nftTokenAddress: tokenAddress }),
      },
      {
        name: 'getNftOrderFee',
        says: 'Fee of one NFT order.',
        example: ({ nft: { tokenAddress } }) => ({
          nftTokenAddress: tokenAddress,
          quoteToken: 0,
          quoteAmount: '100000000000000000',
        }),
      },
      {
        name: 'computeTokenAddress',
        says: 'The contract that an owner’s mints get.',
        example: ({ owner }) => ({ nftFactory, nftOwner: owner }),
      },
      {
        name: 'getCode',
        says: 'The code of a contract on layer 1.',
        example: ({ nft }) => ({ address: nft.tokenAddress }),
      },
      { name: 'getAvailableBroker', says: 'Who deploys contracts.', example: () => ({ type: 0 }) },
      { name: 'getNftMints', says: 'Mints so far.', example: () => ({ limit: 5 }) },
      { name: 'getNftTransfers', says: 'Transfers so far.', example: () => ({ limit: 5 }) },
      { name: 'getNftWithdrawals', says: 'Withdrawals so far.', example: () => ({ limit: 5 }) },
      { name: 'getNftDeposits', says: 'Deposits so far.', example: () => ({ limit: 5 }) },
      { name: 'getNftTrades', says: 'Trades so far.', example: () => ({ limit: 5 }) },
      { name: 'getNftTransactions', says: 'All of these.', example: () => ({ limit: 5 }) },
    ],
  },
  {
    title: 'Market data',
    entries: [
      {
        name: 'getCandlestick',
        says: 'Candles of an order book.',
        example: () => ({ market: 'LRC-ETH', interval: '15min' }),
      },
      {
        name: 'getMixCandlestick',
        says: 'Candles of a market with its pool.',
        example: () => ({ market: 'AMM-LRC-ETH', interval: '1d' }),
      },
      { name: 'getTrades', says: 'The newest trades of a market.', example: () => ({ market: 'LRC-ETH', limit: 5 }) },
      { name: 'getAmmTrades', says: 'Trades of a pool.', example: () => ({ ammPoolAddress: poolAddress, limit: 5 }) },
      { name: 'getDepth', says: 'An order book.', example: () => ({ market: 'LRC-ETH', level: 1, limit: 5 }) },
      { name: 'getMixDepth', says: 'An order book with the pool.', example: () => ({ market: 'LRC-ETH', limit: 5 }) },
      {
        name: 'getTicker',
        says: 'The last 24 hours of order books.',
        example: () => ({ market: ['LRC-ETH', 'LRC-USDT'] }),
      },
      { name: 'getMixTicker', says: 'The last 24 hours with pools.', example: () => ({ market: 'LRC-ETH' }) },
      { name: 'getPrice', says: 'Prices of tokens.', example: () => ({ legal: 'USD' }) },
      { name: 'getLatestTokenPrices', says: 'Prices of tokens by address.' },
      { name: 'getAmmPoolsStats', says: 'Pools in numbers.', example: () => ({ ammPoolMarkets: ['AMM-LRC-ETH'] }) },
      { name: 'getFeeInfo', says: 'What the exchange charges.' },
      { name: 'getUserFeeRates', says: 'Rates of the account.', example: () => ({ markets: ['LRC-ETH'] }) },
      {
        name: 'getUserOrderFee',
        says: 'Rates that an order pays.',
        example: () => ({ market: 'LRC-ETH', tokenB: 0, amountB: '1000000000000000000' }),
      },
      { name: 'getWithdrawalAgents', says: 'How much can be withdrawn fast.', example: () => ({ tokenId: 1 }) },
    ],
  },
  {
    title: 'Pools',
    entries: [
      {
        name: 'joinAmmPool',
        says: 'Puts both tokens into a pool.',
        example: () => ({
          poolAddress,
          joinTokens: {
            pooled: [
              { tokenId: 1, volume: `1500${ETHER}` },
              { tokenId: 0, volume: '100000000000000000' },
            ],
            minimumLp: { tokenId: 100, volume: `1480${ETHER}` },
          },
        }),
      },
      {
        name: 'exitAmmPool',
        says: 'Takes the tokens out of a pool.',
        example: ({ lpAmount }) => ({
          poolAddress,
          exitTokens: {
            burned: lpAmount,
            unPooled: [
              { tokenId: 1, volume: `1000${ETHER}` },
              { tokenId: 0, volume: '50000000000000000' },
            ],
          },
        }),
      },
      { name: 'getAmmPools', says: 'All pools.' },
      { name: 'getAmmBalances', says: 'What they hold.' },
      { name: 'getAmmBalance', says: 'What one holds.', example: () => ({ poolAddress }) },
      { name: 'getAmmTransactions', says: 'Joins and exits so far.', example: () => ({ limit: 5 }) },
    ],
  },
  {
    title: 'Account and key',
    entries: [
      { name: 'getBalances', says: 'Token balances.', example: () => ({}) },
      { name: 'getAccount', says: 'The account at the relayer.', example: ({ owner }) => ({ owner }) },
      { name: 'getStorageId', says: 'Next storage ids of a token.', example: () => ({ sellTokenId: 1 }) },
      { name: 'getCounterFactualInfo', says: 'A smart wallet’s facts, if it is one.', example: () => ({}) },
      { name: 'updateAccountKey', says: 'Asks for a new account key.', example: () => ({}) },
    ],
  },
  {
    title: 'This site’s requests',
    entries: [
      { name: 'getRequests', says: 'What this site has asked, and how it stands.', example: () => ({ limit: 5 }) },
      { name: 'getRequest', says: 'One of them, by its number.', example: ({ requestId }) => ({ requestId }) },
      {
        name: 'withdrawRequest',
        says: 'Withdraws a request that is still pending.',
        example: ({ requestId }) => ({ requestId }),
      },
      { name: 'getReceipt', says: 'What was signed and sent.', example: ({ requestId }) => ({ requestId }) },
      {
        name: 'subscribe',
        says: 'Tells what changes, as events.',
        example: () => ({ topic: 'ticker', market: 'LRC-ETH' }),
      },
      {
        name: 'unsubscribe',
        says: 'Ends a subscription.',
        example: ({ requestId }) => ({ subscription: requestId }),
      },
    ],
  },
  {
    title: 'Texts and typed data',
    entries: [
      {
        name: 'personal_sign',
        says: 'A text, such as a log-in.',
        example: ({ owner }) => [`Log in to the demo dApp as ${owner}`, owner],
      },
      {
        name: 'eth_signTypedData_v4',
        says: 'A document with named fields.',
        example: ({ owner }) => [owner, { ...login, message: { account: owner, purpose: 'Log in to the demo dApp' } }],
      },
    ],
  },
  {
    title: 'The connection',
    entries: [
      { name: 'eth_requestAccounts', says: 'Asks to connect; answers at once when connected.' },
      { name: 'eth_accounts', says: 'Accounts that this site sees.' },
      { name: 'eth_chainId', says: 'Its chain.' },
      { name: 'wallet_getCapabilities', says: 'What can be asked here.' },
      { name: 'wallet_getPermissions', says: 'What this site may do.' },
      {
        name: 'wallet_requestPermissions',
        says: 'Asks for more, or for other accounts.',
        example: () => [{ eth_accounts: {}, relayer_transfers: {} }],
      },
      {
        name: 'wallet_revokePermissions',
        says: 'Gives some back; eth_accounts is all.',
        example: () => [{ relayer_transfers: {} }],
      },
      {
        name: 'wallet_addEthereumChain',
        says: 'Names an exchange for the setup to offer.',
        example: () => [{ chainId: '0x7a69', chainName: 'Development', rpcUrls: ['http://127.0.0.1:4510'] }],
      },
      {
        name: 'wallet_switchEthereumChain',
        says: 'Goes on with another network.',
        example: () => [{ chainId: '0x7a69' }],
      },
    ],
  },
  {
    title: 'The exchange',
    entries: [
      { name: 'getTimestamp', says: 'The relayer’s clock.' },
      { name: 'getExchangeInfo', says: 'Contracts and chain.' },
      { name: 'getBlockBytes', says: 'Blocks as bytes.', example: () => ({ limit: 1 }) },
      { name: 'getBalanceProof', says: 'Proof of a balance.', example: () => ({ tokenId: 0 }) },
      { name: 'getTokens', says: 'Tokens.' },
      { name: 'getMarkets', says: 'Order book markets.' },
      { name: 'getMixMarkets', says: 'Markets of books and pools.' },
      { name: 'getBlock', says: 'A block.', example: () => ({}) },
    ],
  },
];

/**
 * Parameters that the catalogue passes to one of its methods.
 * @throws {Error} There is no such entry, or it passes nothing.
 */
export function exampleOf(name: string, known: Known): object {
  const entry = catalogue.flatMap(({ entries }) => entries).find((candidate) => candidate.name === name);
  if (!entry?.example) throw new Error(`The catalogue has no example of ${name}`);
  return entry.example(known);
}
