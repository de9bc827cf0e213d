import type { RunningRelayer } from '../../src/relayer/createRelayer.ts';
import {
  approveRequest,
  finalStatus,
  type movableClock,
  ORDER,
  openOther,
  PASSWORD,
  question,
  resultOf,
  type SetUp,
  SITE,
  until,
} from '../background/support.ts';
import { LP, lrcEthPool } from './dev.ts';
import { CID, nftFactory } from './nfts.ts';

const ETHER = 10n ** 18n;

export interface Done {
  readonly operation: string;
  /** What the site got. */
  readonly result: Readonly<Record<string, unknown>> & { readonly requestId: string; readonly hash: string };
}

type Stage = SetUp & { readonly clock: ReturnType<typeof movableClock> };

/**
 * Every operation that a site can ask for, once, approved and carried out, in an order in which
 * each is possible.
 */
export async function everyOperation(relayer: RunningRelayer, stage: Stage): Promise<readonly Done[]> {
  const { wallet, clock, client, account } = stage;
  const done: Done[] = [];
  const processed = async (operation: string) => {
    const status = await finalStatus(wallet, clock);
    if (status !== 'processed') throw new Error(`${operation} ended as ${status}`);
  };
  const ask = async (operation: string, intent: object, wait = true) => {
    const result = resultOf<Done['result']>(await approveRequest(wallet, `relayer_${operation}`, intent));
    done.push({ operation, result });
    if (wait) await processed(operation);
    return result;
  };
  const friend = await openOther(relayer);
  const order = await ask('submitOrder', { ...ORDER, clientOrderId: 'one' }, false);
  await ask('cancelOrder', { orderHash: order.hash });
  const replaced = await ask('submitOrder', ORDER, false);
  await ask('replaceOrder', { ...ORDER, replaces: replaced.hash }, false);
  const orders = ['TAKER_ONLY', 'MAKER_ONLY'].map((orderType) => ({ ...ORDER, orderType }));
  const one = await ask('submitOneOf', { orders: orders.map(({ tradeChannel: _, ...rest }) => rest) }, false);
  await ask('hardCancel', { orderHash: one.hash });
  await ask('cancelAllOrders', {});
  const token = { tokenId: 1, volume: String(7n * ETHER) };
  await ask('transfer', { token, payeeAddr: friend.owner, memo: 'lunch' });
  await ask('withdraw', { token });

  const poolAddress = await lrcEthPool(relayer);
  await ask('joinAmmPool', {
    poolAddress,
    joinTokens: {
      pooled: [
        { tokenId: 1, volume: String(15_000n * ETHER) },
        { tokenId: 0, volume: String(ETHER) },
      ],
      minimumLp: { tokenId: LP, volume: String(14_000n * ETHER) },
    },
  });
  const burned = await until(async () => {
    const query = { accountId: account.accountId, tokens: String(LP) };
    const [lp] = await client.getBalances({ query, apiKey: account.apiKey });
    return lp && lp.total !== '0' ? lp.total : undefined;
  });
  const unPooled = [
    { tokenId: 1, volume: String(14_000n * ETHER) },
    { tokenId: 0, volume: String((9n * ETHER) / 10n) },
  ];
  await ask('exitAmmPool', { poolAddress, exitTokens: { burned, unPooled } });

  const minted = await ask('mintNft', { cid: CID, amount: '5', nftFactory });
  const nft = { tokenId: minted.nftTokenId as number, nftData: minted.nftData as `0x${string}` };
  await ask('transferNft', { token: { ...nft, amount: '1' }, toAddress: friend.owner });
  const price = { tokenId: 0, amount: String(ETHER / 10n) };
  await ask('signNftOrder', { sellToken: { ...nft, amount: '1' }, buyToken: price, validate: true }, false);
  await ask('signNftOrder', { sellToken: { ...nft, amount: '1' }, buyToken: price }, false);
  const { apiKey, accountId } = account;
  const { data } = await client.getNftBalances({ query: { accountId }, apiKey });
  await ask('deployNft', { nftData: nft.nftData, tokenAddress: data[0]?.tokenAddress });
  await ask('withdrawNft', { token: { ...nft, amount: '1' } });

  // Answered by a standing approval, without a window.
  const limits = {
    sellTokenId: 1,
    buyTokenId: 0,
    minPrice: '0.0001',
    orderVolume: ORDER.sellToken.volume,
    totalVolume: ORDER.sellToken.volume,
    rate: { requests: 5, seconds: 60 },
    validUntil: Math.floor(clock.now() / 1000) + 3600,
  };
  resultOf(await approveRequest(wallet, 'relayer_requestStandingApproval', limits));
  const validUntil = Math.floor(clock.now() / 1000) + 600;
  const byRule = await wallet.page(SITE, 'relayer_submitOrder', [{ ...ORDER, validUntil }]);
  done.push({ operation: 'submitOrder', result: resultOf(byRule) });

  // What a site gets of these is the signature alone.
  const signedText = async (operation: string, method: string, params: readonly unknown[]) => {
    const answer = wallet.page(SITE, method, params);
    const view = await question(wallet);
    await wallet.ui('approve', {
      id: view.id,
      digest: view.digest ?? '',
      account: view.account?.id ?? null,
      password: PASSWORD,
    });
    resultOf(await answer);
    const [newest] = resultOf<Done['result'][]>(await wallet.page(SITE, 'relayer_getRequests', [{ limit: 1 }]));
    if (!newest) throw new Error(`${operation} is not among the requests of its site`);
    done.push({ operation, result: newest });
  };
  await signedText('signMessage', 'personal_sign', ['Log in to the desk', account.owner]);
  const typed = {
    domain: { name: 'Desk', version: '1', chainId: 31337 },
    primaryType: 'Login',
    types: {
      EIP712Domain: [
        { name: 'name', type: 'string' },
        { name: 'version', type: 'string' },
        { name: 'chainId', type: 'uint256' },
      ],
      Login: [
        { name: 'exchange', type: 'string' },
        { name: 'walletOwner', type: 'string' },
      ],
    },
    // Named like fields of the exchange's own requests, of which the document is none.
    message: { exchange: 'Desk', walletOwner: 'me' },
  };
  await signedText('signTypedData', 'eth_signTypedData_v4', [account.owner, JSON.stringify(typed)]);

  const updated = wallet.page(SITE, 'relayer_updateAccountKey', [{}]);
  const approval = await until(async () => (await wallet.ui('listApprovals', {}))[0]?.id);
  await wallet.ui('startKeyUpdate', { account: stage.accountView, approval, kind: 'derived', feeTokenId: null });
  const { approval: ready } = await wallet.ui('getKeyUpdate', { account: stage.accountView, approval });
  await wallet.ui('approve', {
    id: approval,
    digest: ready?.digest ?? '',
    account: stage.accountView,
    password: PASSWORD,
  });
  done.push({ operation: 'updateAccountKey', result: resultOf(await updated) });
  await processed('updateAccountKey');
  return done;
}
