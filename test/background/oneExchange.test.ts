import { clear } from 'idb-keyval';
import { describe, expect, test } from 'vitest';
import { createWalletHarness } from '../support/wallet.ts';
import { relayerOfFile } from './relayerOfFile.ts';
import {
  approveAgain,
  approveOrder,
  approveRequest,
  finalStatus,
  movableClock,
  ORDER,
  openOther,
  ordersOf,
  PASSWORD,
  question,
  refusal,
  restoredElsewhere,
  resultOf,
  SITE,
  seal,
  setUp,
  until,
} from './support.ts';

type Stage = Awaited<ReturnType<typeof setUp>>;

const relayer = await relayerOfFile();

test('one exchange under two URLs signs no storage id twice', async () => {
  const stage = await setUp(relayer);
  const { wallet } = stage;
  const again = await wallet.ui('addNetwork', { baseUrl: relayer.url.replace('127.0.0.1', 'localhost'), name: 'Twin' });
  expect(again.id).not.toBe(stage.network.id);
  const { grants, journal, config } = wallet.background().wallet;
  const signer = (await config.read()).signers[0]?.id ?? '';
  const { id } = await wallet.ui('addAccount', { networkId: again.id, signer, label: 'Twin' });
  const kinds = ['read', 'orders'] as const;
  const places = [stage.accountView, id, stage.accountView, id];
  for (const [index, account] of places.entries()) {
    await grants.prefer(SITE, [account], [...kinds]);
    await approveOrder(wallet, { clientOrderId: `order-${index}` });
  }
  const ids = (await journal.list()).map(({ slot }) => slot?.storageId);
  expect(new Set(ids).size).toBe(4);
  expect(new Set((await journal.list()).map(({ networkId }) => networkId)).size).toBe(2);
});

test('a key update that runs under another URL of the exchange is shown, and no second one is started', async () => {
  const stage = await setUp(relayer);
  const { wallet, network, account } = stage;
  const again = await wallet.ui('addNetwork', { baseUrl: relayer.url.replace('127.0.0.1', 'localhost'), name: 'Twin' });
  const { config } = wallet.background().wallet;
  const signer = (await config.read()).signers[0]?.id ?? '';
  const { id } = await wallet.ui('addAccount', { networkId: again.id, signer, label: 'Twin' });
  const asked = { kind: 'random', feeTokenId: null, approval: null } as const;
  const { id: running } = await wallet.ui('startKeyUpdate', { ...asked, account: stage.accountView });
  const { journal } = wallet.background().wallet;
  const { id: record } = await journal.reserve({
    ...{ networkId: network.id, accountId: account.accountId, origin: 'https://any.example', requestId: running },
    ...{ operation: 'updateAccountKey', reviewDigest: '0x1', validUntil: 2_000_000_000 },
    draft: { publicKey: { x: '0x1', y: '0x1' }, nonce: 1 },
  });
  await journal.markSigned(record, { wire: { endpoint: 'updateAccount', bodyText: '{}' } });
  expect((await wallet.ui('getKeyUpdate', { account: id, approval: null })).approval).toMatchObject({ id: running });
  expect(await wallet.uiAnswer('startKeyUpdate', { ...asked, account: id })).toMatchObject({
    error: { code: 'key-update-open' },
  });
});

describe('a server of a site’s own that leads to the user’s exchange', () => {
  /** Everything that it says is true, but for what the test makes of an answer. */
  async function twin() {
    const lies = new Map<string, (answer: never) => unknown>();
    const lie: typeof fetch = async (input, init) => {
      const answer = await fetch(input, init);
      const { hostname, pathname } = new URL(String(input));
      const lied = hostname === 'localhost' ? lies.get(pathname) : undefined;
      return lied ? Response.json(lied((await answer.json()) as never)) : answer;
    };
    const stage = await setUp(relayer, { fetch: lie });
    const { wallet } = stage;
    await wallet.ui('getHome', { refresh: true });
    const add = () => wallet.ui('addNetwork', { baseUrl: relayer.url.replace('127.0.0.1', 'localhost'), name: 'Twin' });
    return { ...stage, lies, add };
  }

  test('cannot give one of its tokens another name', async () => {
    const { wallet, lies, add } = await twin();
    lies.set('/api/v3/exchange/tokens', (tokens: { symbol: string }[]) =>
      tokens.map((token) => (token.symbol === 'LRC' ? { ...token, symbol: 'PLAY', name: 'Play money' } : token)),
    );
    const again = await add();
    const { grants, config } = wallet.background().wallet;
    const signer = (await config.read()).signers[0]?.id ?? '';
    const { id } = await wallet.ui('addAccount', { networkId: again.id, signer, label: 'Twin' });
    await grants.prefer(SITE, [id], ['read', 'orders']);
    void wallet.page(SITE, 'relayer_submitOrder', [ORDER]);
    const view = await until(async () => {
      const [open] = await wallet.ui('listApprovals', {});
      const shown = open && (await wallet.ui('getApproval', { id: open.id }));
      return shown && shown.stage !== 'waiting' && shown;
    });
    expect(view).toMatchObject({ stage: 'unavailable', problem: { key: 'error_tokenChanged' } });
    const [change] = await wallet.ui('getTokenChanges', { networkId: again.id });
    expect(change).toMatchObject({ before: { tokenId: 1, symbol: 'LRC' }, now: { tokenId: 1, symbol: 'PLAY' } });
  });

  test('cannot raise what a fee is measured by, nor show another state of a block', async () => {
    const { wallet, network, lies, add } = await twin();
    await seal(relayer);
    const { relayers, publishedBlocks } = wallet.background().wallet;
    const [fees, first] = [await relayers.listedFees(network), await publishedBlocks.rootOf(network, 1)];
    lies.set('/api/v3/exchange/info', (info: { transferFees: { fee: string }[] }) => ({
      ...info,
      transferFees: info.transferFees.map((one) => ({ ...one, fee: `${one.fee}000` })),
    }));
    const forged = `0x${'2'.padStart(64, '0')}`;
    lies.set('/api/v3/block/bytes', (answer: { blocks: object[] }) => ({
      blocks: answer.blocks.map((block) => ({ ...block, rootAfter: forged })),
    }));
    const again = await add();
    expect(Object.keys(fees)).not.toEqual([]);
    expect(await relayers.listedFees(again)).toEqual(fees);
    expect(first).toMatchObject({ rule: null });
    expect(await publishedBlocks.rootOf(again, 1)).toEqual(first);
  });

  test('takes nothing with it that was pinned of the exchange; the last network does', async () => {
    const { wallet, network, accountView, add } = await twin();
    const pinned = () => Object.keys(wallet.kept().local).filter((key) => /^(pins|fees):/.test(key));
    const before = pinned();
    expect(before).toHaveLength(2);
    const again = await add();
    await wallet.background().wallet.relayers.facts(again);
    await wallet.ui('removeNetwork', { networkId: again.id });
    expect(pinned()).toEqual(before);
    await wallet.ui('removeAccount', { account: accountView, password: PASSWORD });
    await wallet.ui('removeNetwork', { networkId: network.id });
    expect(pinned()).toEqual([]);
  });
});

/** The first two answers arrive at the same time. */
function together(send: typeof fetch): typeof fetch {
  const waiting: (() => void)[] = [];
  return async (input, init) => {
    const answer = (await (await send(input, init)).json()) as object;
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
      if (waiting.length >= 2) for (const go of waiting) go();
    });
    return Response.json(answer);
  };
}

describe('an exchange that is known on another chain is not added', () => {
  const other = 'http://127.0.0.1:9';
  const sepolia = { baseUrl: other, name: 'Sepolia test' };
  const lie: typeof fetch = async (input, init) => {
    if (!String(input).startsWith(other)) return fetch(input, init);
    const answer = await fetch(String(input).replace(other, relayer.url), init);
    return Response.json({ ...((await answer.json()) as object), chainId: 11155111 });
  };

  test('while its network is listed', async () => {
    const { wallet, network } = await setUp(relayer, { fetch: lie });
    expect(await wallet.uiAnswer('addNetwork', sepolia)).toMatchObject({
      error: {
        code: 'exchange-other-chain',
        values: { known: String(network.chainId), chain: '11155111' },
      },
    });
  });

  test('after its network was removed, when something was signed for it', async () => {
    const clock = movableClock();
    const { wallet, network, accountView } = await setUp(relayer, { fetch: lie, now: clock.now });
    const { hash } = resultOf(await approveOrder(wallet));
    await approveRequest(wallet, 'relayer_cancelOrder', { orderHash: hash });
    await finalStatus(wallet, clock, 'submitOrder');
    await wallet.ui('removeAccount', { account: accountView, password: PASSWORD });
    await wallet.ui('removeNetwork', { networkId: network.id });
    expect(await wallet.uiAnswer('addNetwork', sepolia)).toMatchObject({
      error: {
        code: 'exchange-other-chain',
        values: { known: String(network.chainId), chain: '11155111' },
      },
    });
    expect(await wallet.ui('addNetwork', { baseUrl: relayer.url, name: 'Again' })).toMatchObject({
      chainId: network.chainId,
    });
  });

  test('when both are added at the same time', async () => {
    const wallet = createWalletHarness({ fetch: together(lie) });
    await wallet.ui('createVault', { password: PASSWORD });
    const answers = await Promise.all(
      [{ baseUrl: relayer.url, name: 'Development' }, sepolia].map((one) => wallet.uiAnswer('addNetwork', one)),
    );
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    expect((await wallet.ui('getState', {})).networks).toHaveLength(1);
  });
});

test.each([
  ['another URL of the exchange replaced its network', relayer.url.replace('127.0.0.1', 'localhost')],
  ['its network was removed and added again', relayer.url],
] as const)('a payment that was refused is named to whoever repeats it after %s', async (_what, baseUrl) => {
  const lie: typeof fetch = async (input, init) =>
    init?.method === 'POST' && new URL(String(input)).pathname === '/api/v3/transfer'
      ? refusal(114002)
      : fetch(input, init);
  const { wallet, network, accountView } = await setUp(relayer, { fetch: lie });
  const { owner } = await openOther(relayer);
  const intent = { token: { tokenId: 1, volume: ORDER.sellToken.volume }, payeeAddr: owner, feeTokenId: 0 };
  const asked = async (account: string) => {
    const { id } = await wallet.ui('startOperation', { operation: 'transfer', account, intent });
    return until(async () => {
      const view = await wallet.ui('getApproval', { id });
      return view.stage === 'ready' && view;
    });
  };
  const { id: first, digest } = await asked(accountView);
  await wallet.ui('approve', { id: first, digest: digest ?? '', account: accountView, password: PASSWORD });
  await until(async () => (await wallet.ui('getApproval', { id: first })).stage === 'done');
  await wallet.ui('removeAccount', { account: accountView, password: PASSWORD });
  await wallet.ui('removeNetwork', { networkId: network.id });
  const { id: networkId } = await wallet.ui('addNetwork', { baseUrl, name: 'Again' });
  const signer = (await wallet.background().wallet.config.read()).signers[0]?.id ?? '';
  const { id } = await wallet.ui('addAccount', { networkId, signer, label: 'Again' });
  expect(networkId).not.toBe(network.id);
  expect(await wallet.ui('getActivity', { account: id, limit: 5 })).toMatchObject([{ requestId: first }]);
  const { review } = await asked(id);
  expect(review?.warnings[0]).toMatchObject({ rule: 'signed-before', severity: 'danger' });
});

test('one URL that is added twice at the same time is one network', async () => {
  const wallet = createWalletHarness({ fetch: together(fetch) });
  await wallet.ui('createVault', { password: PASSWORD });
  const add = () => wallet.ui('addNetwork', { baseUrl: relayer.url, name: 'Development' });
  const [first, second] = await Promise.all([add(), add()]);
  expect(second).toEqual(first);
  expect((await wallet.ui('getState', {})).networks).toEqual([first]);
});

describe('a relayer that names a storage id far ahead', () => {
  const far = () => {
    const state = { on: false };
    const lie: typeof fetch = async (input, init) =>
      state.on && new URL(String(input)).pathname === '/api/v3/storageId'
        ? Response.json({ orderId: 4_294_967_294, offchainId: 4_294_967_295 })
        : fetch(input, init);
    return { state, lie };
  };
  const asked = (wallet: Awaited<ReturnType<typeof setUp>>['wallet']) =>
    until(async () => {
      const view = await question(wallet);
      return view.review?.warnings[0]?.rule === 'storage-id-jump' && view;
    });

  test('is shown as a danger, nothing is signed, and the next honest answer works, also after a restart', async () => {
    const { state, lie } = far();
    const stage = await setUp(relayer, { fetch: lie });
    const { wallet } = stage;
    state.on = true;
    const answer = approveOrder(wallet);
    const view = await asked(wallet);
    expect(view.review?.warnings[0]).toMatchObject({
      severity: 'danger',
      text: { values: { known: { value: 0 }, named: { value: 4_294_967_294 } } },
    });
    expect(await wallet.background().wallet.journal.list()).toEqual([]);
    await wallet.ui('reject', { id: view.id, block: false });
    expect(await answer).toMatchObject({ error: { code: 4001 } });
    state.on = false;
    wallet.restart();
    await wallet.ui('unlock', { password: PASSWORD });
    expect(resultOf(await approveOrder(wallet, { clientOrderId: 'later' })).storageId).toBe(0);
  });

  test('is believed when the user approves what was shown', async () => {
    const { state, lie } = far();
    const stage = await setUp(relayer, { fetch: lie });
    const { wallet } = stage;
    state.on = true;
    const answer = approveOrder(wallet);
    const view = await asked(wallet);
    const decision = { id: view.id, digest: view.digest ?? '', account: view.account?.id ?? null };
    // Numbers that are skipped are lost for good.
    expect(await wallet.uiAnswer('approve', decision)).toMatchObject({ error: { code: 'password-needed' } });
    await wallet.ui('approve', { ...decision, password: PASSWORD });
    expect(resultOf(await answer).storageId).toBe(4_294_967_294);
  });
});

test.each([
  [
    'the data were lost',
    async ({ wallet }: Stage) => {
      await clear(wallet.ports.journalStore);
      return wallet;
    },
  ],
  ['a backup was restored in another browser', restoredElsewhere],
] as const)('open orders from before %s keep their slots', async (_, goOn) => {
  const stage = await setUp(relayer);
  const before = resultOf(await approveOrder(stage.wallet, { clientOrderId: 'before' })).storageId ?? 0;
  const wallet = await goOn(stage);
  // This journal knows nothing of it, and the account has gone once around its slots.
  const around = before + 2 ** 14;
  const { id: networkId } = stage.network;
  const { accountId } = stage.account;
  await wallet.background().wallet.journal.resyncCursor({ networkId, accountId, tokenId: 1, parity: 'order' }, around);
  const next = resultOf(await approveOrder(wallet, { clientOrderId: 'after' }));
  expect(next.storageId).toBe(around + 2);
  expect((await ordersOf(stage)).map(({ clientOrderId, status }) => [clientOrderId, status]).sort()).toEqual([
    ['after', 'processing'],
    ['before', 'processing'],
  ]);
});

describe('an account in two browsers', () => {
  /** This browser replaces an order: the new id raises the relayer’s counter by a turn. */
  const replaceOrder = ({ wallet }: Stage, replaces: string) =>
    approveRequest(wallet, 'relayer_replaceOrder', { ...ORDER, replaces, clientOrderId: 'replaced' });
  const place = async (wallet: Stage['wallet'], clientOrderId: string) =>
    resultOf(await approveOrder(wallet, { clientOrderId }));

  test('an order of another browser stays open, also where that one began in a later turn of the slots', async () => {
    const stage = await setUp(relayer);
    const { wallet } = stage;
    const first = await place(wallet, 'first');
    const passed = [await place(wallet, 'second'), await place(wallet, 'third')];
    resultOf(await replaceOrder(stage, first.hash));
    for (const { hash } of passed) resultOf(await approveRequest(wallet, 'relayer_cancelOrder', { orderHash: hash }));
    const elsewhere = await restoredElsewhere(stage);
    await place(elsewhere, 'theirs 1');
    const own = await place(wallet, 'own');
    await place(elsewhere, 'theirs 2');
    await place(elsewhere, 'theirs 3');
    expect((await ordersOf(stage)).find(({ hash }) => hash === own.hash)).toMatchObject({ status: 'processing' });
  });

  test('a number that the other one used is asked about again, also after an own replacement', async () => {
    const stage = await setUp(relayer);
    const { wallet } = stage;
    const first = await place(wallet, 'first');
    const elsewhere = await restoredElsewhere(stage);
    await place(elsewhere, 'theirs');
    resultOf(await replaceOrder(stage, first.hash));
    // Other terms: the very same order, signed in the same second, would be theirs once more.
    const buyToken = { ...ORDER.buyToken, volume: `${ORDER.buyToken.volume}0` };
    const answer = wallet.page(SITE, 'relayer_submitOrder', [{ ...ORDER, buyToken }]);
    const { id, digest } = await question(wallet);
    await wallet.ui('approve', { id, digest: digest ?? '', account: stage.accountView });
    const again = approveAgain(wallet);
    expect(resultOf(await answer)).toMatchObject({ status: 'acknowledged' });
    await again;
  });
});
