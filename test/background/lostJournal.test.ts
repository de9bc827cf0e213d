import { clear } from 'idb-keyval';
import { expect, test } from 'vitest';
import { relayerOfFile } from './relayerOfFile.ts';
import {
  approveOrder,
  approveRequest,
  ORDER,
  ordersOf,
  PASSWORD,
  question,
  resultOf,
  SITE,
  setUp,
  until,
} from './support.ts';

/** The browser has lost the journal, and nothing else. */
const relayer = await relayerOfFile();

/** An order that the relayer has and whose answer the worker did not live to see. */
async function lostOrder(isLeft = false) {
  const wire = { isHeld: true };
  const { wallet, ...stage } = await setUp(relayer, {
    fetch: async (input, init) => {
      const answer = await fetch(input, init);
      const isOrder = init?.method === 'POST' && new URL(String(input)).pathname === '/api/v3/order';
      return isOrder && wire.isHeld ? new Promise(() => {}) : answer;
    },
  });
  const asked = wallet.page(SITE, 'relayer_submitOrder', [ORDER], undefined, 1, 'page');
  const { id, digest, account } = await question(wallet);
  void wallet.uiAnswer('approve', { id, digest: digest ?? '', account: account?.id ?? null });
  await until(async () => (await ordersOf(stage)).length === 1);
  wallet.stop();
  wire.isHeld = false;
  await clear(wallet.ports.journalStore);
  if (isLeft) wallet.gone.add('page');
  wallet.restart();
  await wallet.ui('unlock', { password: PASSWORD });
  const again = await question(wallet);
  expect([again.id, again.review?.warnings[0]?.text.key]).toEqual([id, 'warning_recordsLost']);
  expect(await ordersOf(stage)).toHaveLength(1);
  return { wallet, stage, asked, id, again };
}

test('what was approved and perhaps sent before is not signed again unasked', async () => {
  const { wallet, stage, id, again } = await lostOrder();
  // The relayer’s next id counts.
  await wallet.ui('approve', { id, digest: again.digest ?? '', account: again.account?.id ?? null });
  await until(async () => (await ordersOf(stage)).length === 2);
});

test('it stays for the user when its page is gone, and a rejection does not tell that nothing was signed', async () => {
  const { wallet, stage, asked, id } = await lostOrder(true);
  await wallet.background().wallet.leftPages.end();
  expect(await wallet.ui('listApprovals', {})).toMatchObject([{ id }]);
  await wallet.ui('reject', { id, block: false });
  expect(await asked).toMatchObject({ error: { code: 4900, data: { status: 'unknown', requestId: id } } });
  expect(await wallet.page(SITE, 'relayer_getRequest', [{ requestId: id }])).toMatchObject({
    result: { status: 'unknown' },
  });
  expect(await ordersOf(stage)).toHaveLength(1);
});

test('it says so also when it was approved once more, too late', async () => {
  const { wallet, id } = await lostOrder();
  const { approvals, putBack } = wallet.background().wallet;
  await approvals.update(id, (current) =>
    current.kind === 'operation' && current.stage === 'ready'
      ? { ...current, stage: 'approved', decidedAt: Date.now() }
      : null,
  );
  const approved = await approvals.get(id);
  if (approved) await putBack(approved, 'late');
  expect((await question(wallet)).review?.warnings[0]?.text.key).toBe('warning_recordsLost');
});

test('nothing is signed within a standing approval that was given before', async () => {
  const { wallet } = await setUp(relayer);
  resultOf(
    await approveRequest(wallet, 'relayer_requestStandingApproval', {
      sellTokenId: 1,
      buyTokenId: 0,
      minPrice: '0.0004',
      orderVolume: ORDER.sellToken.volume,
      totalVolume: ORDER.sellToken.volume,
      rate: { requests: 5, seconds: 60 },
      validUntil: Math.floor(Date.now() / 1000) + 3_600,
    }),
  );
  await clear(wallet.ports.journalStore);
  wallet.restart();
  await wallet.ui('unlock', { password: PASSWORD });
  resultOf(await approveOrder(wallet));
  await until(async () => (await wallet.background().wallet.standing.list()).every(({ ended }) => ended !== null));
});
