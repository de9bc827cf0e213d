/**
 * A session of the operator's public SDK with a relayer, step by step. Prints one JSON line a step:
 * its name, the body that the SDK signed, and the relayer's answer. Knows nothing of this project's
 * code.
 *
 * Environment: RELAYER_URL, L1_KEY, PAYEE (address), CHAIN_ID.
 */
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
// The SDK logs keys and signatures; standard output belongs to the steps.
const print = console.log;
for (const level of ['log', 'debug', 'info', 'warn', 'error']) console[level] = () => {};
const sdk = require('@loopring-web/loopring-sdk');
const { Wallet, utils } = require('ethers');

const baseUrl = process.env.RELAYER_URL;
const chainId = Number(process.env.CHAIN_ID);
const l1 = new Wallet(process.env.L1_KEY);
const owner = l1.address;
const payee = process.env.PAYEE;

/** An EIP-1193 provider with the one L1 key, in the shape that the SDK expects of web3. */
async function request({ method, params }) {
  if (method === 'eth_chainId') return `0x${chainId.toString(16)}`;
  if (method === 'net_version') return String(chainId);
  if (method !== 'eth_signTypedData_v4') throw new Error(`not supported: ${method}`);
  const { domain, types, message } = JSON.parse(params[1]);
  const { EIP712Domain: _domain, ...structs } = types;
  // The SDK writes no bytes as an empty text, which wallets take for empty bytes.
  if (message.extraData === '') message.extraData = '0x';
  return l1._signTypedData(domain, structs, message);
}
const web3 = {
  currentProvider: {
    request,
    isConnected: true,
    sendAsync: (payload, done) =>
      request(payload).then(
        (result) => done(null, { id: payload.id, jsonrpc: '2.0', result }),
        (error) => done(error),
      ),
  },
  eth: {
    personal: {
      sign: (text, _account, _password, done) =>
        l1
          .signMessage(text.startsWith('0x') ? utils.arrayify(text) : text)
          .then((signature) => done(null, signature), done),
    },
  },
};

const userApi = new sdk.UserAPI({ chainId, baseUrl }, 20_000);
const exchangeApi = new sdk.ExchangeAPI({ chainId, baseUrl });
const ammApi = new sdk.AmmpoolAPI({ chainId, baseUrl });

/** Reports a step; the SDK returns refusals as `{code, message}`. */
function report(step, answer, body = undefined) {
  print(
    JSON.stringify({ step, body, answer: answer?.raw_data ?? answer }, (_, value) =>
      typeof value === 'bigint' ? value.toString() : value,
    ),
  );
  return answer;
}

const { exchangeInfo } = report('exchangeInfo', await exchangeApi.getExchangeInfo());
const exchange = exchangeInfo.exchangeAddress;
/** Asks until there is something to see; gives up after a while. */
async function until(what, look) {
  for (let tries = 0; tries < 150; tries++) {
    const seen = await look();
    if (seen) return seen;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`waited in vain for ${what}`);
}

let { accInfo } = report('account', await exchangeApi.getAccount({ owner }));

/** The text whose signature is the key's seed; the SDK's template has its own placeholders. */
const seedAt = (nonce) =>
  sdk.BaseAPI.KEY_MESSAGE.replace(/\$\{exchangeAddress\}/, exchange).replace(/\$\{nonce\}/, String(nonce));

const keyAt = (nonce) =>
  sdk.generateKeyPair({
    web3,
    address: owner,
    keySeed: seedAt(nonce),
    walletType: sdk.ConnectorNames.MetaMask,
    chainId,
    accountId: accInfo.accountId,
  });

const validUntil = Math.floor(Date.now() / 1000) + 30 * 86_400;
const fee = (tokenId = 0) => ({ tokenId, volume: '1000000000000000' });
const nftFee = { tokenId: 0, amount: '1000000000000000' };

/** Registers the key of the current nonce and waits until it is in force. */
async function activate(step) {
  const pair = await keyAt(accInfo.nonce);
  const body = {
    exchange,
    owner,
    accountId: accInfo.accountId,
    publicKey: { x: pair.formatedPx, y: pair.formatedPy },
    maxFee: fee(),
    keySeed: seedAt(accInfo.nonce),
    validUntil,
    nonce: accInfo.nonce,
  };
  report(
    step,
    await userApi.updateAccount({ request: body, web3, chainId, walletType: sdk.ConnectorNames.MetaMask }),
    body,
  );
  const { nonce } = accInfo;
  accInfo = await until('the new key', async () => {
    const { accInfo: now } = await exchangeApi.getAccount({ owner });
    return now.nonce > nonce && now;
  });
  return pair.sk;
}

let eddsaKey = await activate('accountUpdate');
const { accountId } = accInfo;
let { apiKey } = report('apiKey', await userApi.getUserApiKey({ accountId }, eddsaKey));
const storageId = (sellTokenId) => userApi.getNextStorageId({ accountId, sellTokenId }, apiKey);
report('storageId', await storageId(1));
report('balances', await userApi.getUserBalances({ accountId, tokens: '0,1' }, apiKey));
report('offchainFee', await userApi.getOffchainFeeAmt({ accountId, requestType: 1, tokenSymbol: 'LRC' }, apiKey));

const order = {
  exchange,
  accountId,
  storageId: (await storageId(1)).orderId,
  sellToken: { tokenId: 1, volume: '100000000000000000000' },
  buyToken: { tokenId: 0, volume: '1000000000000000000' },
  allOrNone: false,
  fillAmountBOrS: false,
  validUntil,
  maxFeeBips: 63,
  orderType: sdk.OrderType.LimitOrder,
  tradeChannel: sdk.TradeChannel.ORDER_BOOK,
  clientOrderId: 'foreign-1',
};
const submitted = report('submitOrder', await userApi.submitOrder(order, eddsaKey, apiKey), order);
report('orders', await userApi.getOrders({ accountId }, apiKey));
report('cancelOrder', await userApi.cancelOrder({ accountId, orderHash: submitted.hash }, eddsaKey, apiKey));

const signing = { web3, chainId, walletType: sdk.ConnectorNames.MetaMask, eddsaKey, apiKey };
const transfer = {
  exchange,
  payerId: accountId,
  payerAddr: owner,
  payeeId: 0,
  payeeAddr: payee,
  token: { tokenId: 1, volume: '5000000000000000000' },
  maxFee: fee(),
  storageId: (await storageId(1)).offchainId,
  validUntil,
  memo: 'from a foreign client',
};
report('transfer', await userApi.submitInternalTransfer({ request: transfer, ...signing }), transfer);

const withdrawal = {
  exchange,
  accountId,
  owner,
  token: { tokenId: 1, volume: '6000000000000000000' },
  maxFee: fee(),
  storageId: (await storageId(1)).offchainId,
  validUntil,
  minGas: 0,
  to: owner,
  extraData: '',
  fastWithdrawalMode: false,
};
report('withdrawal', await userApi.submitOffchainWithdraw({ request: withdrawal, ...signing }), withdrawal);

const nftFactory = sdk.NFTFactory[chainId];
const { tokenAddress } = new sdk.NFTAPI({ chainId, baseUrl }).computeNFTAddress({
  nftOwner: owner,
  nftFactory,
  nftBaseUri: '',
});
const mint = {
  exchange,
  minterId: accountId,
  minterAddress: owner,
  toAccountId: accountId,
  toAddress: owner,
  nftType: 0,
  tokenAddress,
  nftId: `0x${'0f'.repeat(32)}`,
  amount: '10',
  validUntil,
  storageId: (await storageId(0)).offchainId,
  maxFee: nftFee,
  royaltyPercentage: 5,
  counterFactualNftInfo: { nftFactory, nftOwner: owner, nftBaseUri: '' },
  forceToMint: false,
};
const minted = report('nftMint', await userApi.submitNFTMint({ request: mint, ...signing }), mint);
const nft = { tokenId: minted.nftTokenId, nftData: minted.nftData };
const nfts = await until('the minted NFT', async () => {
  const { userNFTBalances } = await userApi.getUserNFTBalances({ accountId, limit: 20, offset: 0 }, apiKey);
  return userNFTBalances.length > 0 && userNFTBalances;
});
report('nftBalances', nfts);

const nftTransfer = {
  exchange,
  fromAccountId: accountId,
  fromAddress: owner,
  toAccountId: 0,
  toAddress: payee,
  token: { ...nft, amount: '2' },
  maxFee: nftFee,
  storageId: (await storageId(nft.tokenId)).offchainId,
  validUntil,
};
report('nftTransfer', await userApi.submitNFTInTransfer({ request: nftTransfer, ...signing }), nftTransfer);

const { broker } = await userApi.getAvailableBroker({ type: 0 });
const deployFee = { tokenId: 0, volume: '20000000000000000' };
report(
  'nftDeploy',
  await userApi.submitDeployNFT({
    request: {
      tokenAddress,
      nftData: nft.nftData,
      transfer: {
        exchange,
        payerId: accountId,
        payerAddr: owner,
        payeeId: 0,
        payeeAddr: broker,
        token: deployFee,
        maxFee: { tokenId: 0, volume: '0' },
        storageId: (await storageId(0)).offchainId,
        validUntil,
      },
    },
    ...signing,
  }),
);
const delegate = new sdk.DelegateAPI({ chainId, baseUrl });
await until('the deployed contract', async () => ((await delegate.getCode(tokenAddress))?.result ?? '0x') !== '0x');

const nftWithdrawal = {
  exchange,
  accountId,
  owner,
  to: owner,
  token: { ...nft, amount: '1' },
  maxFee: nftFee,
  storageId: (await storageId(nft.tokenId)).offchainId,
  validUntil,
  minGas: 0,
  extraData: '',
};
report('nftWithdrawal', await userApi.submitNFTWithdraw({ request: nftWithdrawal, ...signing }), nftWithdrawal);

const described = { accountId, metadata: true };
report('nftTransferHistory', await userApi.getUserNFTTransferHistory(described, apiKey));
report('nftTransactionHistory', await userApi.getUserNFTTransactionHistory(described, apiKey));
const extra = { accountId, requestType: sdk.OffchainFeeReqType.EXTRA_TYPES, extraType: 1 };
report('extraFee', await userApi.getOffchainFeeAmt(extra, apiKey));
report('nftExtraFee', await userApi.getNFTOffchainFeeAmt(extra, apiKey));

const { ammpools } = report('ammPools', await ammApi.getAmmPoolConf());
const pool = ammpools['AMM-LRC-ETH'];
const [lrc, eth] = pool.tokens.pooled;
report('poolSnapshot', await ammApi.getAmmPoolSnapshot({ poolAddress: pool.address }));
const patch = { chainId, ammName: pool.name, poolAddress: pool.address, eddsaKey };
const join = {
  owner,
  poolAddress: pool.address,
  joinTokens: {
    pooled: [
      { tokenId: lrc, volume: '150000000000000000000' },
      { tokenId: eth, volume: '10000000000000000' },
    ],
    minimumLp: { tokenId: pool.tokens.lp, volume: '1' },
  },
  storageIds: [(await storageId(lrc)).offchainId, (await storageId(eth)).offchainId],
  fee: '1000000000000000',
  validUntil,
};
report('ammJoin', await ammApi.joinAmmPool(join, patch, apiKey), join);
const lp = await until('the LP tokens', async () => {
  const { userBalances } = await userApi.getUserBalances({ accountId, tokens: String(pool.tokens.lp) }, apiKey);
  const { total = '0' } = Object.values(userBalances ?? {})[0] ?? {};
  return total !== '0' && total;
});
const exit = {
  owner,
  poolAddress: pool.address,
  exitTokens: {
    unPooled: [
      { tokenId: lrc, volume: '1' },
      { tokenId: eth, volume: '1' },
    ],
    burned: { tokenId: pool.tokens.lp, volume: lp },
  },
  storageId: (await storageId(pool.tokens.lp)).offchainId,
  maxFee: '1000000000000000',
  validUntil,
  domainSeparator: pool.domainSeparator,
};
report('ammExit', await ammApi.exitAmmPool(exit, patch, apiKey), exit);

const oldApiKey = apiKey;
eddsaKey = await activate('secondAccountUpdate');
report('oldApiKey', await userApi.getUserBalances({ accountId, tokens: '0' }, oldApiKey));
({ apiKey } = report('newApiKey', await userApi.getUserApiKey({ accountId }, eddsaKey)));
report('replacedApiKey', await userApi.updateUserApiKey({ accountId }, apiKey, eddsaKey));
