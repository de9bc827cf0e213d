import { expect, test } from 'vitest';
import { pageSender, type WalletHarness } from '../support/wallet.ts';
import { relayerOfFile } from './relayerOfFile.ts';
import { approveOrder, ORDER, ordersOf, question, resultOf, SITE, setUp, until } from './support.ts';

const relayer = await relayerOfFile();

const LEFT = {
  error: {
    code: 4001,
    message: 'The page was closed or left before the user decided. Nothing was signed.',
    data: { reason: 'pageLeft', status: 'withdrawn' },
  },
};
const TAB = 7;

const ask = (wallet: WalletHarness, documentId: string, id?: string, tabId = TAB, intent: object = ORDER) =>
  wallet.page(SITE, 'relayer_submitOrder', [intent], id, tabId, documentId);
/** The page says that it goes. */
const goes = (wallet: WalletHarness, documentId: string, tabId = TAB, origin = SITE) => {
  if (origin === SITE && tabId === TAB) wallet.gone.add(documentId);
  return wallet.message({ type: 'gone', documentId }, pageSender(origin, tabId));
};
const waiting = async (wallet: WalletHarness) => (await wallet.ui('listApprovals', {})).length;
const click = (wallet: WalletHarness, { id, digest, account }: Awaited<ReturnType<typeof question>>) =>
  wallet.uiAnswer('approve', { id, digest: digest ?? '', account: account?.id ?? null });

test('a pending request ends with the page that asked: the window says so, and nothing can be approved', async () => {
  const stage = await setUp(relayer);
  const { wallet } = stage;
  const id = crypto.randomUUID();
  const answer = ask(wallet, 'one', id);
  const shown = await question(wallet);
  await goes(wallet, 'one');
  expect(await waiting(wallet)).toBe(0);
  await until(async () => wallet.badge() === 0);
  expect(await wallet.ui('getApproval', { id: shown.id })).toMatchObject({
    stage: 'closed',
    problem: { key: 'problem_pageLeft' },
  });
  expect(await click(wallet, shown)).toMatchObject({ ok: false, error: { code: 'approval-gone' } });
  expect(await answer).toEqual(LEFT);
  // The page that comes after it learns what became of the request, and asks anew under its own
  // name.
  expect(await wallet.page(SITE, 'relayer_getRequest', [{ requestId: id }])).toMatchObject({
    result: { status: 'closed' },
  });
  expect(await ordersOf(stage)).toEqual([]);
  resultOf(await approveOrder(wallet));
  expect(await ordersOf(stage)).toHaveLength(1);
});

test('a page that went unheard is found at the click, on display, at a full queue and at the start of a worker', async () => {
  let isStarted = false;
  const stage = await setUp(relayer, {
    watchIdle() {
      isStarted = true;
    },
  });
  const { wallet } = stage;
  // What the first start looks for comes with this, and is no part of what follows.
  await until(async () => isStarted);
  const atClick = ask(wallet, 'one');
  const shown = await question(wallet);
  wallet.gone.add('one');
  expect(await click(wallet, shown)).toMatchObject({ ok: false, error: { code: 'approval-gone' } });
  expect(await atClick).toEqual(LEFT);

  const onDisplay = ask(wallet, 'two');
  const { id } = await question(wallet);
  wallet.gone.add('two');
  await wallet.ui('getApproval', { id });
  expect(await onDisplay).toEqual(LEFT);

  const filling = Array.from({ length: 10 }, (_, index) =>
    ask(wallet, 'three', undefined, TAB, { ...ORDER, validUntil: 2_000_000_000 + index }),
  );
  await until(async () => (await waiting(wallet)) === 10);
  expect(await ask(wallet, 'four')).toMatchObject({ error: { code: -32005 } });
  wallet.gone.add('three');
  const admitted = ask(wallet, 'four');
  expect(await Promise.all(filling)).toEqual(Array(10).fill(LEFT));
  await question(wallet);

  wallet.gone.add('four');
  wallet.restart();
  expect(await admitted).toEqual(LEFT);
  expect(await waiting(wallet)).toBe(0);
  expect(await ordersOf(stage)).toEqual([]);
});

test('a request that another page has joined waits until both are gone', async () => {
  const { wallet } = await setUp(relayer);
  const answers = [ask(wallet, 'one'), ask(wallet, 'other', undefined, 8)];
  const shown = await question(wallet);
  await until(async () => (await wallet.background().wallet.approvals.get(shown.id))?.requestIds.length === 2);
  await goes(wallet, 'one');
  expect(await waiting(wallet)).toBe(1);
  wallet.gone.add('other');
  await goes(wallet, 'other', 8);
  expect(await waiting(wallet)).toBe(0);
  expect(await Promise.all(answers)).toEqual([LEFT, LEFT]);
});

test('a page ends no request of another document, tab or site', async () => {
  const { wallet } = await setUp(relayer);
  const answer = ask(wallet, 'one');
  const shown = await question(wallet);
  await goes(wallet, 'two');
  await goes(wallet, 'one', 8);
  await goes(wallet, 'one', TAB, 'https://other.example');
  await wallet.message({ type: 'gone', documentId: { length: 1 } }, pageSender(SITE, TAB));
  await wallet.message({ type: 'gone', documentId: 'one' }, { ...pageSender(SITE, TAB), frameId: 3 });
  expect(await waiting(wallet)).toBe(1);
  expect(await click(wallet, shown)).toMatchObject({ ok: true });
  resultOf(await answer);
});

test('one tab that walks over many origins leaves nothing of those that it left', async () => {
  const { wallet } = await setUp(relayer);
  const sites = Array.from({ length: 4 }, (_, index) => `https://site${index}.test`);
  for (const [index, site] of sites.entries()) {
    const answer = wallet.page(site, 'wallet_requestPermissions', [{ relayer_read: {} }], undefined, TAB, site);
    await until(async () => (await waiting(wallet)) === 1);
    // Half of them say that they go; the others are stopped, and found when the next one is shown.
    wallet.gone.add(site);
    if (index % 2 === 0) await wallet.message({ type: 'gone', documentId: site }, pageSender(site, TAB));
    else await wallet.ui('getApproval', { id: (await wallet.ui('listApprovals', {}))[0]?.id ?? '' });
    expect(await answer).toEqual(LEFT);
    expect(await waiting(wallet)).toBe(0);
  }
});

test('what the user approved goes on when its page is gone', async () => {
  const stage = await setUp(relayer);
  const { wallet } = stage;
  const answer = ask(wallet, 'one');
  const shown = await question(wallet);
  const clicked = click(wallet, shown);
  await until(async () => (await wallet.background().wallet.approvals.get(shown.id))?.stage !== 'ready');
  await goes(wallet, 'one');
  expect(await clicked).toMatchObject({ ok: true });
  resultOf(await answer);
  expect(await ordersOf(stage)).toHaveLength(1);
});

test('what the user asks in the wallet itself has no page that it could end with', async () => {
  const { wallet, accountView } = await setUp(relayer);
  const intent = { token: { tokenId: 1, volume: '1000000000000000000' }, payeeAddr: `0x${'9'.repeat(40)}` };
  const { id } = await wallet.ui('startOperation', { operation: 'transfer', account: accountView, intent });
  await question(wallet);
  await goes(wallet, 'one');
  await wallet.background().wallet.leftPages.end();
  expect(await wallet.ui('getApproval', { id })).toMatchObject({ stage: 'ready' });
});
