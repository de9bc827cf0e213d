import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { operationMethods } from '../../src/background/rpc/page/operationMethod.ts';
import { dev } from '../support/dev.ts';
import { CID, nftFactory } from '../support/nfts.ts';
import { type Outcome, request } from './support/site.ts';
import { approveIn, ORDER, rejectIn, type Stage, setStage } from './support/stage.ts';
import { approveKeyUpdate } from './support/wizard.ts';

/**
 * Each operation's three ways to a no in a real browser: by the person, by the wallet's own rules
 * before anybody is asked, and by the relayer after the signature. The ways to a yes are in
 * `order`, `operations`, `families`, `standing` and `keyUpdate`.
 */
let stage: Stage;
let page: Page;
/** A page of the wallet's own. */
let own: Page;
const ETHER = 10n ** 18n;
const LP = 100;
/** DAI: pays fees at the relayer, and the account has none of it. */
const UNFUNDED = 3;
const NOBODY = `0x${'77'.repeat(20)}`;
const unknownHash = `0x${'1'.repeat(64)}`;
const lrc = { tokenId: 1, volume: String(ETHER) };
const tooMuch = { tokenId: 1, volume: String(900_000n * ETHER) };
const price = { tokenId: 0, amount: String(ETHER / 10n) };
const balanceInsufficient = { code: 102011, name: 'BALANCE_INSUFFICIENT' };

/**
 * Of the relayer: an order that is open, an NFT whose contract is deployed, one whose contract is
 * not, and the pool.
 */
interface Facts {
  readonly orderHash: string;
  readonly nft: { readonly tokenId: number; readonly nftData: string; readonly tokenAddress: string };
  readonly minted: { readonly nftData: string; readonly tokenAddress: string };
  readonly poolAddress: string;
}
let facts: Facts;

const nftsHeld = async () => {
  const { accountId, apiKey } = stage.account;
  return (await stage.client.getNftBalances({ query: { accountId }, apiKey })).data;
};

/**
 * The rejections in this file are more than a site may cause at once; the pause after them has its
 * own test.
 */
async function forgetRejections(): Promise<void> {
  await own.evaluate(() => chrome.storage.session.remove('request-rate'));
}

beforeAll(async () => {
  stage = await setStage();
  own = await stage.extension.open('src/ui/popup.html');
  page = await stage.connectedPage();
  const kinds = ['transfers', 'withdrawals', 'nfts', 'pools', 'key'].map((kind) => [`relayer_${kind}`, {}]);
  await stage.approve(page, 'wallet_requestPermissions', [Object.fromEntries(kinds)]);
  const { pools } = await stage.client.getAmmPools({});
  const contract = `0x${'ab'.repeat(20)}`;
  await dev(stage.relayer, 'nftDeposit', {
    owner: stage.account.owner,
    tokenAddress: contract,
    nftId: `0x${'17'.repeat(32)}`,
    amount: '3',
  });
  const { nftData } = await stage.approve<{ nftData: string }>(page, 'relayer_mintNft', [
    { cid: CID, amount: '5', nftFactory },
  ]);
  const held = await vi.waitFor(
    async () => {
      const rows = await nftsHeld();
      if (rows.length < 2) throw new Error(`${rows.length} of two NFTs have arrived`);
      return rows;
    },
    { timeout: 240_000, interval: 300 },
  );
  const nft = held.find(({ tokenAddress }) => tokenAddress.toLowerCase() === contract);
  const minted = held.find((row) => BigInt(row.nftData) === BigInt(nftData));
  if (!nft || !minted) throw new Error('the NFTs have not arrived');
  facts = {
    orderHash: unknownHash,
    nft,
    minted,
    poolAddress: pools.find(({ tokens }) => tokens.lp === LP)?.address ?? '',
  };
});
afterAll(() => stage?.close());

/** What the wallet refuses without a question, with the field and the rule. */
const broken = ({ nft }: Facts): Readonly<Record<string, readonly [object, string]>> => ({
  relayer_submitOrder: [{ ...ORDER, maxFeeBips: 64 }, 'maxFeeBips'],
  relayer_cancelOrder: [{ orderHash: unknownHash }, 'orderHash: this account has no such order'],
  relayer_cancelAllOrders: [{}, 'account: has no open order of this site'],
  relayer_replaceOrder: [{ ...ORDER, replaces: unknownHash }, 'replaces: was not signed by this wallet'],
  relayer_submitOneOf: [{ orders: [ORDER] }, 'orders'],
  relayer_hardCancel: [{ orderHash: unknownHash }, 'orderHash: was not signed by this wallet'],
  relayer_transfer: [{ token: lrc, payeeAddr: stage.account.owner }, 'payeeAddr: is the account that pays'],
  relayer_withdraw: [
    { token: lrc, fastWithdrawalMode: true, feeTokenId: 0 },
    'maxFee.tokenId: is not the token that is withdrawn',
  ],
  relayer_joinAmmPool: [{ poolAddress: NOBODY, joinTokens: joinOf(ETHER) }, 'poolAddress: is no pool of this exchange'],
  relayer_exitAmmPool: [
    { poolAddress: NOBODY, exitTokens: { burned: '1', unPooled: [lrc, { tokenId: 0, volume: '1' }] } },
    'poolAddress: is no pool of this exchange',
  ],
  relayer_mintNft: [{ cid: CID, amount: '5' }, 'nftFactory: chain 31337 has no official factory'],
  relayer_transferNft: [
    { token: { ...slotOf(nft), tokenId: nft.tokenId + 700 }, toAddress: NOBODY },
    'token.tokenId: nothing lies in slot',
  ],
  relayer_withdrawNft: [{ token: { ...slotOf(nft), amount: '4' } }, 'token.amount: slot'],
  relayer_deployNft: [{ nftData: nft.nftData, tokenAddress: nft.tokenAddress }, 'tokenAddress: is deployed already'],
  relayer_signNftOrder: [
    { sellToken: slotOf(nft), buyToken: { ...price, amount: '1' } },
    "buyToken.amount: is below the market's least",
  ],
  relayer_updateAccountKey: [{ publicKey: { x: '0x1', y: '0x2' } }, 'publicKey: is not a field of this request'],
});

/** What the person could approve. */
const asked = ({ nft, minted, poolAddress, orderHash }: Facts): Readonly<Record<string, object>> => ({
  relayer_submitOrder: ORDER,
  relayer_cancelOrder: { orderHash },
  relayer_cancelAllOrders: {},
  relayer_replaceOrder: { ...ORDER, replaces: orderHash },
  relayer_submitOneOf: { orders: [ORDER, { ...ORDER, orderType: 'MAKER_ONLY' }] },
  relayer_hardCancel: { orderHash },
  relayer_transfer: { token: lrc, payeeAddr: NOBODY },
  relayer_withdraw: { token: lrc },
  relayer_joinAmmPool: { poolAddress, joinTokens: joinOf(ETHER) },
  relayer_exitAmmPool: {
    poolAddress,
    exitTokens: { burned: String(ETHER), unPooled: [lrc, { tokenId: 0, volume: '1000' }] },
  },
  relayer_mintNft: { cid: CID, amount: '1', nftFactory, creatorFeeBips: 3 },
  relayer_transferNft: { token: slotOf(nft), toAddress: NOBODY },
  relayer_withdrawNft: { token: slotOf(nft) },
  relayer_deployNft: { nftData: minted.nftData, tokenAddress: minted.tokenAddress },
  relayer_signNftOrder: { sellToken: slotOf(nft), buyToken: price },
  relayer_updateAccountKey: {},
});

/**
 * The same, so that the wallet sees nothing wrong with it and the relayer does; with the relayer's
 * code.
 */
const refused = (given: Facts): Readonly<Record<string, readonly [object, object]>> => {
  const base = asked(given);
  const unpaid = (method: string) => [{ ...base[method], feeTokenId: UNFUNDED }, balanceInsufficient] as const;
  const { orderHash } = given;
  return {
    relayer_submitOrder: [{ ...ORDER, sellToken: tooMuch }, balanceInsufficient],
    relayer_replaceOrder: [{ ...ORDER, sellToken: tooMuch, replaces: orderHash }, balanceInsufficient],
    relayer_submitOneOf: [
      { orders: ['TAKER_ONLY', 'MAKER_ONLY'].map((orderType) => ({ ...ORDER, sellToken: tooMuch, orderType })) },
      balanceInsufficient,
    ],
    relayer_hardCancel: [
      { orderHash, sellVolume: tooMuch.volume, buyVolume: String(450n * ETHER) },
      balanceInsufficient,
    ],
    relayer_joinAmmPool: [
      { ...base.relayer_joinAmmPool, joinTokens: joinOf(BigInt(tooMuch.volume)) },
      balanceInsufficient,
    ],
    relayer_exitAmmPool: [base.relayer_exitAmmPool ?? {}, balanceInsufficient],
    relayer_signNftOrder: [{ ...base.relayer_signNftOrder, taker: NOBODY, validate: true }, { code: 102023 }],
    relayer_transfer: unpaid('relayer_transfer'),
    relayer_withdraw: unpaid('relayer_withdraw'),
    relayer_mintNft: unpaid('relayer_mintNft'),
    relayer_transferNft: unpaid('relayer_transferNft'),
    relayer_withdrawNft: unpaid('relayer_withdrawNft'),
    relayer_deployNft: unpaid('relayer_deployNft'),
    relayer_updateAccountKey: unpaid('relayer_updateAccountKey'),
  };
};

/** At the pool's ratio of 15,000 LRC to 1 ETH, for nine tenths of the LP tokens that it gives. */
const joinOf = (lrcVolume: bigint) => ({
  pooled: [
    { tokenId: 1, volume: String(lrcVolume) },
    { tokenId: 0, volume: String(lrcVolume / 15_000n) },
  ],
  minimumLp: { tokenId: LP, volume: String((lrcVolume * 9n) / 10n) },
});

const slotOf = ({ tokenId, nftData }: Facts['nft']) => ({ tokenId, nftData, amount: '1' });

/**
 * Signed with the layer-1 key, and the standing approval: questions that are no operation of the
 * relayer's.
 */
const otherQuestions = (): readonly (readonly [string, readonly unknown[]])[] => [
  ['wallet_requestPermissions', [{ relayer_transfers: {} }]],
  ['personal_sign', ['Log in to the desk', stage.account.owner]],
  [
    'eth_signTypedData_v4',
    [
      stage.account.owner,
      {
        domain: { name: 'Desk', chainId: 31337 },
        primaryType: 'Login',
        types: {
          EIP712Domain: [
            { name: 'name', type: 'string' },
            { name: 'chainId', type: 'uint256' },
          ],
          Login: [{ name: 'nonce', type: 'uint256' }],
        },
        message: { nonce: '7' },
      },
    ],
  ],
  [
    'relayer_requestStandingApproval',
    [
      {
        sellTokenId: 1,
        buyTokenId: 0,
        minPrice: '0.0001',
        orderVolume: lrc.volume,
        totalVolume: lrc.volume,
        rate: { requests: 5, seconds: 60 },
        validUntil: Math.floor(Date.now() / 1000) + 3600,
      },
    ],
  ],
];

const submissions = async () => (await stage.extension.ui('getActivity', { limit: 50 })).length;

test('every operation: what breaks a rule of the wallet is refused with the field, before anybody is asked', async () => {
  const before = await submissions();
  const cases = broken(facts);
  expect(Object.keys(cases).sort()).toEqual(operationMethods.map(({ name }) => name).sort());
  for (const [method, [intent, rule]] of Object.entries(cases)) {
    const outcome = (await request(page, method, [intent])) as Extract<Outcome, { error: unknown }>;
    expect(outcome, method).toMatchObject({ error: { code: -32602, message: expect.stringContaining(rule) } });
    expect(outcome.error.message.startsWith(rule.split(':')[0] ?? ''), `${method}: ${outcome.error.message}`).toBe(
      true,
    );
  }
  expect(await stage.extension.ui('listApprovals', {})).toEqual([]);
  expect(await submissions()).toBe(before);
});

test('every operation: rejected by the user it is 4001 for the page, and nothing is signed', async () => {
  const order = { ...ORDER, clientOrderId: 'open' };
  const { hash } = await stage.approve<{ hash: string }>(page, 'relayer_submitOrder', [order]);
  facts = { ...facts, orderHash: hash };
  const before = await submissions();
  const cases = asked(facts);
  expect(Object.keys(cases).sort()).toEqual(operationMethods.map(({ name }) => name).sort());
  const questions = [
    ...Object.entries(cases).map(([method, intent]) => [method, [intent]] as const),
    ...otherQuestions(),
  ];
  for (const [number, [method, params]] of questions.entries()) {
    if (number % 2 === 0) await forgetRejections();
    const { window, answer } = await stage.ask(page, method, params);
    const gone = window.waitForEvent('close');
    await rejectIn(window);
    expect(await answer, method).toMatchObject({ error: { code: 4001 } });
    await gone;
  }
  expect(await submissions()).toBe(before);
});

test('every operation: what the relayer refuses is -32003 with its code, and moves nothing', async () => {
  await forgetRejections();
  const cases = refused(facts);
  // What a relayer does not cancel is over, which the wallet looks up: no refusal is left for the
  // page.
  const cancels = ['relayer_cancelOrder', 'relayer_cancelAllOrders'];
  expect([...Object.keys(cases), ...cancels].sort()).toEqual(operationMethods.map(({ name }) => name).sort());
  const { client, account } = stage;
  const { accountId, apiKey } = account;
  const holdings = async () => [
    await client.getBalances({ query: { accountId }, apiKey }),
    (await nftsHeld()).map(({ nftData, total, locked }) => [nftData, total, locked]),
  ];
  const before = await holdings();
  for (const [method, [intent, data]] of Object.entries(cases)) {
    const { window, answer } = await stage.ask(page, method, [intent]);
    if (method === 'relayer_updateAccountKey') await approveKeyUpdate(window, 'DAI');
    else await approveIn(window);
    expect(await answer, method).toMatchObject({ error: { code: -32003, data } });
    await window.close();
  }
  const order = await client.getOrder({ query: { accountId, orderHash: facts.orderHash as `0x${string}` }, apiKey });
  expect(order.status).toBe('processing');
  expect(await holdings()).toEqual(before);
  await stage.leave(page);
});
