import { generatePrivateKey } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openAccount } from '../../src/demo/openAccount.ts';
import { request } from './support/site.ts';
import { approveIn, type Stage, setStage } from './support/stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await setStage();
});
afterAll(() => stage?.close());

const ETHER = 10n ** 18n;
/** Waits between looks at a submission grow with its age; this is the longest that a test waits for the end. */
const END_MS = 60_000;

const total = async (account: { accountId: number; apiKey: string }, tokenId: number) => {
  const query = { accountId: account.accountId, tokens: String(tokenId) };
  return BigInt((await stage.client.getBalances({ query, apiKey: account.apiKey }))[0]?.total ?? 0);
};

test.each([
  ['relayer_transfer', 'transfers'],
  ['relayer_withdraw', 'withdrawals'],
])('%s is allowed, approved, signed by both keys and carried out', async (method, kind) => {
  const { client, account, relayer } = stage;
  const friend = await openAccount({
    client,
    baseUrl: relayer.url,
    privateKey: generatePrivateKey(),
    funds: { ETH: '1' },
  });
  const page = await stage.connectedPage();
  const permission = await stage.ask(page, 'wallet_requestPermissions', [{ [`relayer_${kind}`]: {} }]);
  await approveIn(permission.window);
  await permission.answer;
  await permission.window.close();
  const before = await total(account, 1);
  const token = { tokenId: 1, volume: String(7n * ETHER) };
  const intent = method === 'relayer_transfer' ? { token, payeeAddr: friend.owner } : { token };
  const { window, answer } = await stage.ask(page, method, [{ ...intent, feeTokenId: 0 }]);
  await window.getByText('LRC').first().waitFor();
  await approveIn(window);
  const outcome = (await answer) as { result: { hash: string; requestId: string } };
  expect(outcome.result.hash).toMatch(/^0x[0-9a-f]{64}$/);
  await expect
    .poll(
      async () => {
        const { result } = (await request(page, 'relayer_getRequests')) as {
          result: { requestId: string; status: string }[];
        };
        return result.find(({ requestId }) => requestId === outcome.result.requestId)?.status;
      },
      { timeout: END_MS, interval: 500 },
    )
    .toBe('processed');
  expect(await total(account, 1)).toBe(before - 7n * ETHER);
  if (method === 'relayer_transfer') expect(await total(friend, 1)).toBe(7n * ETHER);
  await stage.leave(page);
});
