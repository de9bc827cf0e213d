import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type DemoAccount, openAccount } from '../../scripts/demo/openAccount.ts';
import { request } from './support/site.ts';
import { addSmartAccount, approveOnL1, type SmartAccount } from './support/smartAccount.ts';
import { approveIn, type Stage, setStage, statusOf, totalOf } from './support/stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await setStage();
});
afterAll(() => stage?.close());

const ETHER = 10n ** 18n;
/**
 * Waits between looks at a submission grow with its age; this is the longest that a test waits for
 * the end.
 */
const END_MS = 240_000;

type Holder = Pick<DemoAccount, 'accountId' | 'apiKey'>;
const total = (account: Holder, tokenId: number) => totalOf(stage, account, tokenId);

test.each([
  ['relayer_transfer', 'transfers'],
  ['relayer_withdraw', 'withdrawals'],
])('%s is allowed, approved, signed by both keys and carried out', async (method, kind) => {
  const { client, account, relayer } = stage;
  const friend = await openAccount({
    client,
    baseUrl: relayer.url,
    funds: { ETH: '1' },
  });
  const page = await stage.connectedPage();
  await stage.approve(page, 'wallet_requestPermissions', [{ [`relayer_${kind}`]: {} }]);
  const before = await total(account, 1);
  const token = { tokenId: 1, volume: String(7n * ETHER) };
  const intent = method === 'relayer_transfer' ? { token, payeeAddr: friend.owner } : { token };
  const { window, answer } = await stage.ask(page, method, [{ ...intent, feeTokenId: 0 }]);
  await window.getByText('LRC').first().waitFor();
  await approveIn(window);
  const outcome = (await answer) as { result: { hash: string; requestId: string } };
  expect(outcome.result.hash).toMatch(/^0x[0-9a-f]{64}$/);
  const status = () => statusOf(page, outcome.result.requestId);
  await expect.poll(status, { timeout: END_MS, interval: 500 }).toBe('processed');
  expect(await total(account, 1)).toBe(before - 7n * ETHER);
  if (method === 'relayer_transfer') expect(await total(friend, 1)).toBe(7n * ETHER);
  await stage.leave(page);
});

describe('the account of a smart wallet', () => {
  const LRC_MOVED = 7n * ETHER;
  let page: Page;

  /** The site sees the account that was just selected, and may move its tokens. */
  async function asSite(): Promise<void> {
    page = await stage.page();
    // A site that has accounts is asked about those.
    await request(page, 'wallet_revokePermissions', [{ eth_accounts: {} }]);
    const wanted = { eth_accounts: {}, relayer_read: {}, relayer_transfers: {}, relayer_withdrawals: {} };
    await stage.approve(page, 'wallet_requestPermissions', [wanted]);
  }
  const token = { tokenId: 1, volume: String(LRC_MOVED) };

  test('that is not deployed yet: its owner signs, the request says how it is derived, and the tokens move', async () => {
    const smart: SmartAccount = await addSmartAccount(stage, 'counterfactual');
    await asSite();
    expect(await request(page, 'eth_accounts')).toEqual({ result: [smart.owner] });
    const before = await total(smart, 1);
    const { window, answer } = await stage.ask(page, 'relayer_withdraw', [{ token, feeTokenId: 0 }]);
    await window.getByText('LRC').first().waitFor();
    await approveIn(window);
    const { result } = (await answer) as { result: { requestId: string } };
    await window.close();
    await expect.poll(() => statusOf(page, result.requestId), { timeout: END_MS, interval: 500 }).toBe('processed');
    expect(before - (await total(smart, 1))).toBe(LRC_MOVED);
    await stage.leave(page);
  });

  test('that is a contract: the window names the hash to approve, and the tokens move once layer 1 has approved it', async () => {
    const smart: SmartAccount = await addSmartAccount(stage, 'contract');
    await asSite();
    const before = await total(smart, 1);
    const { window, answer } = await stage.ask(page, 'relayer_transfer', [
      { token, payeeAddr: stage.account.owner, feeTokenId: 0 },
    ]);
    await window.getByText('LRC').first().waitFor();
    await approveIn(window);
    const { result } = (await answer) as { result: { requestId: string; status: string; approveHash: string } };
    expect(result).toMatchObject({
      status: 'awaiting-approval',
      approveHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    });
    await window.getByText(result.approveHash.slice(0, 6)).first().waitFor();
    await window.close();
    expect(await total(smart, 1)).toBe(before);
    const receiver = await total(stage.account, 1);

    await approveOnL1(stage, smart.owner, result.approveHash);
    const [{ id } = { id: '' }] = await stage.extension.ui('getActivity', { limit: 1 });
    await stage.extension.ui('checkSubmission', { id });
    await expect.poll(() => statusOf(page, result.requestId), { timeout: END_MS, interval: 500 }).toBe('processed');
    expect(before - (await total(smart, 1))).toBe(LRC_MOVED);
    expect((await total(stage.account, 1)) - receiver).toBe(LRC_MOVED);
    await stage.leave(page);
  });
});
