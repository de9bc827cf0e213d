import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { nftFactories } from '../../src/protocol/index.ts';
import { createLyingRelayer, type LyingRelayer } from './support/lyingRelayer.ts';
import { type Outcome, request } from './support/site.ts';
import { approveIn, ORDER, type Stage, setStage } from './support/stage.ts';

/**
 * Threat 22 in a real browser: the relayer lies about an address, a fee, a hash, a storage id, a
 * key, and its exchange.
 */
let liar: LyingRelayer;
let stage: Stage;
let page: Page;

beforeAll(async () => {
  liar = await createLyingRelayer();
  stage = await setStage({ relayer: liar.relayer, url: liar.url });
  page = await stage.connectedPage();
  const kinds = { relayer_nfts: {}, relayer_withdrawals: {} };
  const { window, answer } = await stage.ask(page, 'wallet_requestPermissions', [kinds]);
  await approveIn(window);
  await answer;
  await window.close();
});
afterAll(async () => {
  await stage?.close();
  await liar?.close();
});

async function approved(method: string, intent: object): Promise<Outcome> {
  const { window, answer } = await stage.ask(page, method, [intent]);
  await approveIn(window);
  const outcome = await answer;
  await window.close();
  return outcome;
}

const activity = () => stage.extension.ui('getActivity', { limit: 50 });

test('about the address of an NFT contract: the mint is refused, and nobody is asked', async () => {
  liar.tell({
    path: '/api/v3/nft/info/computeTokenAddress',
    method: 'GET',
    tell: () => ({ tokenAddress: `0x${'5'.repeat(40)}` }),
  });
  const cid = 'QmbWqxBEKC3P8tqsKc98xmWNzrzDtRLMiMPL8wBuTGsMnR';
  const [factory] = nftFactories;
  const intent = { cid, amount: '1', nftFactory: factory?.nftFactory };
  const opening = stage.extension.context.waitForEvent('page');
  expect(await request(page, 'relayer_mintNft', [intent])).toMatchObject({
    error: { code: -32602, message: expect.stringMatching(/^tokenAddress: the relayer says 0x5{40}/) },
  });
  expect(await stage.extension.ui('listApprovals', {})).toEqual([]);
  // The window that opened while the relayer was asked goes by itself.
  const window = await opening;
  if (!window.isClosed()) await window.waitForEvent('close');
});

test('about a storage id of the wrong kind: nothing is signed', async () => {
  liar.tell({ path: '/api/v3/storageId', method: 'GET', tell: (ids) => ({ ...ids, orderId: 7 }) });
  expect(await approved('relayer_submitOrder', ORDER)).toMatchObject({ error: { data: { status: 'not-signed' } } });
  expect(liar.received.filter(({ path }) => path === '/api/v3/order')).toEqual([]);
});

test('about the hash of an order: the page gets the hash that was signed', async () => {
  const false64 = `0x${'3'.repeat(64)}`;
  liar.tell({ path: '/api/v3/order', method: 'POST', tell: (ack) => ({ ...ack, hash: false64 }) });
  const outcome = (await approved('relayer_submitOrder', ORDER)) as { result: { hash: string } };
  expect(outcome.result.hash).toMatch(/^0x[0-9a-f]{64}$/);
  expect(outcome.result.hash).not.toBe(false64);
  const [listed] = await activity();
  expect(listed?.hash).toBe(outcome.result.hash);
});

test('about a fee, after it was shown: the signature allows no more than what was shown', async () => {
  liar.tell(null);
  const intent = { token: { tokenId: 1, volume: '1000000000000000000' }, feeTokenId: 0 };
  const { window, answer } = await stage.ask(page, 'relayer_withdraw', [intent]);
  await window.getByTestId('approve').waitFor();
  const id = new URL(window.url()).searchParams.get('id') ?? '';
  const view = await stage.extension.ui('getApproval', { id });
  const shown = view.review?.bound.find(({ path }) => path === 'maxFee.volume')?.value;
  liar.tell({
    path: '/api/v3/user/offchainFee',
    method: 'GET',
    tell: ({ fees, ...rest }) => ({
      ...rest,
      fees: fees.map((fee: { fee: string }) => ({ ...fee, fee: `${fee.fee}000` })),
    }),
  });
  await approveIn(window);
  expect(await answer).toHaveProperty('result');
  const [sent] = liar.received.filter(({ path }) => path === '/api/v3/user/withdrawals');
  const { maxFee } = JSON.parse(sent?.body ?? '{}') as { maxFee: { volume: string } };
  expect(BigInt(maxFee.volume)).toBeGreaterThan(0n);
  expect(maxFee.volume).toBe(shown);
  await window.close();
});

test('about the key of the account: it is listed as something that needs the user', async () => {
  const other = { x: `0x${'1'.repeat(64)}`, y: `0x${'2'.repeat(64)}` };
  liar.tell({ path: '/api/v3/account', method: 'GET', tell: (account) => ({ ...account, publicKey: other }) });
  const items = await stage.extension.ui('getAttention', { refresh: true });
  expect(items.map(({ kind }) => kind)).toContain('key-mismatch');
  liar.tell(null);
  expect(await stage.extension.ui('getAttention', { refresh: true })).toEqual([]);
});

test.each([
  ['exchange address', { exchangeAddress: `0x${'1'.repeat(40)}` }],
  ['chain', { chainId: 1 }],
])('about the pinned %s: the network is refused', async (_what, change) => {
  liar.tell({ path: '/api/v3/exchange/info', method: 'GET', tell: (info) => ({ ...info, ...change }) });
  await expect(stage.extension.ui('addNetwork', { baseUrl: liar.url, name: 'Again' })).rejects.toThrow(
    'error_exchangeChanged',
  );
});
