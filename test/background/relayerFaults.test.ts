import { describe, expect, test } from 'vitest';
import { receiptOf } from '../../src/background/submissions/receiptOf.ts';
import { formatHash, keySeedText, orderHash } from '../../src/protocol/index.ts';
import { verifyReceipt } from '../../src/receipts/verifyReceipt.ts';
import { DEVELOPMENT_EXCHANGE } from '../../src/relayer/config.ts';
import { createWalletHarness } from '../support/wallet.ts';
import { relayerOfFile } from './relayerOfFile.ts';
import {
  approveAgain,
  approveOrder,
  lyingFetch,
  movableClock,
  moveRelayerClock,
  ORDER,
  ordersOf,
  PASSWORD,
  question,
  resultOf,
  SITE,
  setUp,
  until,
} from './support.ts';

const relayer = await relayerOfFile();

type Fault = (send: () => Promise<Response>) => Promise<Response>;

/** How a link to the relayer can fail for a submission. */
const faults = {
  'the request is lost on the way': async () => {
    throw new TypeError('fetch failed');
  },
  'the answer is lost on the way': async (send: () => Promise<Response>) => {
    await send();
    throw new TypeError('fetch failed');
  },
  'the answer is cut': async (send: () => Promise<Response>) =>
    new Response((await (await send()).text()).slice(0, 20), { status: 200 }),
  'a proxy answers 502 after the relayer took it': async (send: () => Promise<Response>) => {
    await send();
    return new Response('bad gateway', { status: 502 });
  },
  'the relayer answers off its schema': async (send: () => Promise<Response>) => {
    await send();
    return Response.json({ hash: 7 });
  },
} satisfies Record<string, Fault>;

/** What the page hears when all tries to send fail: the wallet has looked the order up. */
const firstAnswers: Record<keyof typeof faults, 'unknown' | 'acknowledged'> = {
  'the request is lost on the way': 'unknown',
  'the answer is lost on the way': 'acknowledged',
  'the answer is cut': 'acknowledged',
  'a proxy answers 502 after the relayer took it': 'acknowledged',
  'the relayer answers off its schema': 'acknowledged',
};

/** A fetch that breaks the first `count` submissions of orders. */
function breaking(fault: Fault, count: number) {
  const sent: string[] = [];
  let left = count;
  const broken: typeof fetch = async (input, init) => {
    const isOrder = init?.method === 'POST' && String(input).endsWith('/api/v3/order');
    if (!isOrder) return fetch(input, init);
    sent.push(String(init?.body));
    return left-- > 0 ? fault(() => fetch(input, init)) : fetch(input, init);
  };
  return { broken, sent };
}

describe.each(Object.entries(faults) as [keyof typeof faults, Fault][])('%s', (name, fault) => {
  test('once: the same bytes are found or sent again, and exactly one order exists', async () => {
    const { broken, sent } = breaking(fault, 1);
    const stage = await setUp(relayer, { fetch: broken });
    expect(await approveOrder(stage.wallet)).toMatchObject({ result: { status: 'acknowledged' } });
    expect(new Set(sent).size).toBe(1);
    expect(await ordersOf(stage)).toHaveLength(1);
  });

  test('every time: the page hears what is known, nothing is signed again; a later look finds the truth', async () => {
    let clock = Date.now();
    const { broken, sent } = breaking(fault, 3);
    const stage = await setUp(relayer, { fetch: broken, now: () => clock });
    const { wallet } = stage;
    const outcome = await approveOrder(wallet);
    const [record] = await wallet.background().wallet.journal.list();
    const first = { status: firstAnswers[name], hash: record?.hash };
    expect(outcome).toMatchObject(
      first.status === 'unknown' ? { error: { code: 4900, data: first } } : { result: first },
    );
    expect(await wallet.ui('getActivity', { limit: 1 })).toMatchObject([first]);
    clock += 60_000;
    wallet.restart();
    await wallet.background().ready;
    await wallet.background().onWake();
    expect(await wallet.ui('getActivity', { limit: 1 })).toMatchObject([
      { status: 'acknowledged', hash: record?.hash },
    ]);
    expect(new Set(sent).size).toBe(1);
    expect(await ordersOf(stage)).toMatchObject([{ hash: record?.hash }]);
  });
});

test('another browser used the storage ids: after the refusal the cursor moves up and the order is asked again', async () => {
  const stage = await setUp(relayer);
  await approveOrder(stage.wallet, { clientOrderId: 'a' });
  const other = await setUp(relayer);
  // The second wallet holds the same account with cursors of its own.
  const { wallet: second } = other;
  const { signer } = await second.ui('importSigner', { privateKey: stage.account.privateKey });
  const account = await second.ui('addAccount', { networkId: other.network.id, signer, label: 'Same' });
  await second.background().wallet.grants.grant(SITE, [account.id], ['orders']);
  await approveOrder(second, { clientOrderId: 'b', maxFeeBips: 30 });
  const answer = approveOrder(stage.wallet, { clientOrderId: 'c' });
  const again = await approveAgain(stage.wallet);
  expect(again.review?.warnings[0]?.text.values).toMatchObject({ copies: { value: 1 }, until: { kind: 'time' } });
  const placed = resultOf(await answer);
  expect(placed).toMatchObject({ clientOrderId: 'c' });
  const { wallet } = stage.wallet.background();
  const newest = await wallet.journal.byRequest(SITE, placed.requestId);
  expect(await verifyReceipt(newest && (await receiptOf(wallet, newest, 'user')))).toMatchObject({ valid: true });
  expect((await ordersOf(stage)).map(({ clientOrderId }) => clientOrderId).sort()).toEqual(['a', 'b', 'c']);
  const records = await stage.wallet.background().wallet.journal.list();
  expect(records.map(({ state }) => state).sort()).toEqual(['acknowledged', 'acknowledged', 'refused']);
});

test('a client order id that exists is refused once, without signing a second order', async () => {
  const stage = await setUp(relayer);
  await approveOrder(stage.wallet, { clientOrderId: 'same' });
  expect(await approveOrder(stage.wallet, { clientOrderId: 'same' })).toMatchObject({
    error: { code: -32003, data: { code: 102007, name: 'ORDER_EXISTS' } },
  });
  expect(await stage.wallet.background().wallet.journal.list()).toHaveLength(2);
});

describe('facts that cannot be read', () => {
  /** The relayer answers reads of the listing only when `up`. */
  const withListing = () => {
    const state = { up: true };
    const flaky: typeof fetch = async (input, init) => {
      if (!state.up) throw new TypeError('fetch failed');
      return fetch(input, init);
    };
    return { state, flaky };
  };

  test('the approval request stays, says why, and is completed by trying again', async () => {
    const { state, flaky } = withListing();
    const { wallet } = await setUp(relayer, { fetch: flaky });
    state.up = false;
    const answer = wallet.page(SITE, 'relayer_submitOrder', [ORDER]);
    const view = await question(wallet, 'unavailable');
    expect(view.problem).toMatchObject({ key: 'error_relayerUnreachable' });
    state.up = true;
    expect(await wallet.ui('retryApproval', { id: view.id })).toMatchObject({ stage: 'ready', problem: null });
    await wallet.ui('reject', { id: view.id, block: false });
    expect(await answer).toMatchObject({ error: { code: 4001 } });
  });

  test('an approval request that could not be completed asks for the password while the wallet is locked', async () => {
    const { state, flaky } = withListing();
    const { wallet } = await setUp(relayer, { fetch: flaky });
    state.up = false;
    const answer = wallet.page(SITE, 'relayer_submitOrder', [ORDER]);
    const { id } = await question(wallet, 'unavailable');
    state.up = true;
    await wallet.ui('lock', {});
    expect(await wallet.ui('getApproval', { id })).toMatchObject({ needsPassword: true });
    await wallet.ui('unlock', { password: PASSWORD });
    expect(await wallet.ui('getApproval', { id })).toMatchObject({ stage: 'unavailable' });
    expect(await wallet.ui('retryApproval', { id })).toMatchObject({ stage: 'ready' });
    await wallet.ui('reject', { id, block: false });
    expect(await answer).toMatchObject({ error: { code: 4001 } });
  });

  test('closing such an approval request gives the page the user’s no', async () => {
    const { state, flaky } = withListing();
    const { wallet } = await setUp(relayer, { fetch: flaky });
    state.up = false;
    const answer = wallet.page(SITE, 'relayer_submitOrder', [ORDER]);
    const view = await question(wallet, 'unavailable');
    await wallet.ui('reject', { id: view.id, block: false });
    expect(await answer).toMatchObject({ error: { code: 4001, data: { reason: 'unavailable' } } });
  });

  test('a relayer that goes away before the first storage id: nothing is signed and the page may ask again', async () => {
    const { state, flaky } = withListing();
    const { wallet } = await setUp(relayer, { fetch: flaky });
    const answer = wallet.page(SITE, 'relayer_submitOrder', [ORDER]);
    const view = await question(wallet);
    state.up = false;
    await wallet.ui('approve', { id: view.id, digest: view.digest ?? '', account: view.account?.id ?? null });
    expect(await answer).toMatchObject({ error: { code: 4900, data: { status: 'not-signed' } } });
    expect(await wallet.background().wallet.journal.list()).toEqual([]);
    state.up = true;
    expect(await approveOrder(wallet)).toHaveProperty('result');
  });
});

describe('a relayer that lies', () => {
  test.each([
    ['exchange address', { exchangeAddress: `0x${'1'.repeat(40)}` }],
    ['chain', { chainId: 1 }],
  ])('about the pinned %s cannot get an order signed', async (_what, lie) => {
    let clock = Date.now();
    const { lies, send } = lyingFetch();
    const { wallet } = await setUp(relayer, { now: () => clock, fetch: send });
    // The honest facts are read once and pinned; they are older than 15 minutes when the lie
    // begins.
    await wallet.page(SITE, 'relayer_submitOrder', [{ ...ORDER, sellToken: { tokenId: 999, volume: '1' } }]);
    clock += 16 * 60_000;
    await wallet.ui('unlock', { password: 'correct horse battery staple' });
    lies.set('/api/v3/exchange/info', (info: object) => ({ ...info, ...lie }));
    wallet.restart();
    wallet.page(SITE, 'relayer_submitOrder', [ORDER]);
    const { problem } = await question(wallet, 'unavailable');
    expect(problem).toMatchObject({ key: 'error_exchangeChanged' });
    expect(await wallet.background().wallet.journal.list()).toEqual([]);
  });

  test('with a second token of the same name: each is shown with its number', async () => {
    const { send } = lyingFetch([
      '/api/v3/exchange/tokens',
      (tokens: { tokenId: number; symbol: string }[]) => [
        ...tokens,
        {
          ...tokens.find(({ symbol }) => symbol === 'LRC'),
          tokenId: 777,
          symbol: 'lrc ',
          address: `0x${'2'.repeat(40)}`,
        },
      ],
    ]);
    const { wallet } = await setUp(relayer, { fetch: send });
    wallet.page(SITE, 'relayer_submitOrder', [ORDER]);
    const { review } = await question(wallet);
    expect(review?.sentence.values).toMatchObject({
      pay: { token: { tokenId: 1, symbol: '#1 LRC' } },
      receive: { token: { tokenId: 0, symbol: 'ETH' } },
    });
  });

  test('with tokens whose names look like that of another: each is shown with its number', async () => {
    const alike = [
      'LRС',
      'ꓡꓣꓚ',
      'ᏞᎡᏟ',
      'L\u200bRC',
      'ＬＲＣ',
      'ĹŔĆ',
      '1RC',
      'iRC',
      '|RC',
      'LRC.',
      'LRC             two',
    ];
    const others = ['РУБ', '人民', 'LRC2'];
    const { send } = lyingFetch([
      '/api/v3/exchange/tokens',
      (tokens: { tokenId: number; symbol: string }[]) => [
        ...tokens,
        ...[...alike, ...others].map((symbol, index) => ({ ...tokens[1], tokenId: 700 + index, symbol })),
      ],
    ]);
    const { wallet, network } = await setUp(relayer, { fetch: send });
    const { tokens } = await wallet.background().wallet.relayers.facts(network);
    const symbols = tokens.filter(({ tokenId }) => tokenId === 1 || tokenId >= 700).map(({ symbol }) => symbol);
    expect(symbols).toEqual(['#1 LRC', ...alike.map((symbol, index) => `#${700 + index} ${symbol}`), ...others]);
  });

  test('with a second token of the same name: fees are asked for and offered by the listed name', async () => {
    const { send } = lyingFetch([
      '/api/v3/exchange/tokens',
      (tokens: { tokenId: number; symbol: string }[]) => [
        ...tokens,
        ...['ETH', 'LRC'].map((symbol, index) => ({
          ...tokens.find((token) => token.symbol === symbol),
          tokenId: 777 + index,
          symbol: `${symbol} `,
          address: `0x${String(index + 2).repeat(40)}`,
        })),
      ],
    ]);
    const { wallet } = await setUp(relayer, { fetch: send }, ['withdrawals']);
    wallet.page(SITE, 'relayer_withdraw', [{ token: { tokenId: 1, volume: '1000000000000000000' } }]);
    const { review, problem } = await question(wallet);
    expect(problem).toBeNull();
    expect(review?.sentence.values).toMatchObject({ amount: { token: { tokenId: 1, symbol: '#1 LRC' } } });
    expect(review?.rows.find(({ label }) => label.key === 'review_fee')).toMatchObject({
      value: { kind: 'amount', token: { tokenId: 1, symbol: '#1 LRC' } },
    });
  });

  test('about the hash of an order is found out: the page gets the hash that was signed, the journal keeps the note, the user is told', async () => {
    const { send } = lyingFetch(['/api/v3/order', (ack: object) => ({ ...ack, hash: `0x${'3'.repeat(64)}` })]);
    const { wallet } = await setUp(relayer, { fetch: send });
    const outcome = await approveOrder(wallet);
    const [record] = await wallet.background().wallet.journal.list();
    expect(outcome).toMatchObject({ result: { hash: record?.hash } });
    expect(record?.history.map(({ note }) => note).join()).toContain(
      `the relayer reports the hash 0x${'3'.repeat(64)}`,
    );
    const [item] = await wallet.ui('getActivity', { limit: 1 });
    expect(item).toMatchObject({ hash: record?.hash, problem: { key: 'problem_otherHash' } });
  });

  test.each([
    ['another site’s log-in', 'Sign in to evil.example with nonce 0'],
    [
      'the text of another exchange',
      `Sign this message to access Loopring Exchange: 0x${'9'.repeat(40)} with key nonce: 0`,
    ],
    [
      'a nonce that the account never had',
      `Sign this message to access Loopring Exchange: ${DEVELOPMENT_EXCHANGE} with key nonce: 77`,
    ],
    [
      'the template with more behind it',
      `Sign this message to access Loopring Exchange: ${DEVELOPMENT_EXCHANGE} with key nonce: 0\nand send all`,
    ],
  ])('about the key seed (%s) reaches no signer', async (_what, keySeed) => {
    const { send } = lyingFetch(['/api/v3/account', (account: object) => ({ ...account, keySeed })]);
    const { account } = await setUp(relayer);
    const begun = async () => {
      const wallet = createWalletHarness({ fetch: send });
      await wallet.ui('createVault', { password: PASSWORD });
      const network = await wallet.ui('addNetwork', { baseUrl: relayer.url, name: 'Development' });
      const { signer } = await wallet.ui('importSigner', { privateKey: account.privateKey });
      return { wallet, network, place: { networkId: network.id, signer } };
    };
    const { wallet, network, place } = await begun();
    const signed: string[] = [];
    const { l1Signer } = wallet.background().wallet;
    const signText = l1Signer.signText;
    Object.assign(l1Signer, {
      signText: (signer: string, text: string) => {
        signed.push(text);
        return signText(signer, text);
      },
    });
    const text = keySeedText(network.exchangeAddress, 0);
    expect(await wallet.ui('deriveKey', place)).toMatchObject({ keySeed: text, matches: true });
    expect(signed).toEqual([text]);

    // With the key from elsewhere, the text is kept, so that no site gets it signed.
    const other = await begun();
    const key = { text: `0x${Buffer.from(account.secretKey).reverse().toString('hex')}`, password: null };
    await other.wallet.ui('importKey', { ...other.place, ...key });
    await other.wallet.ui('addAccount', { ...other.place, label: 'Main' });
    const { accounts } = await other.wallet.background().wallet.config.read();
    expect(accounts).toMatchObject([{ keySeed, key: { kind: 'imported' } }]);
  });
});

test('an order that fills or is cancelled elsewhere reaches its final state in the list', async () => {
  let clock = Date.now();
  const stage = await setUp(relayer, { now: () => clock });
  const { wallet } = stage;
  const outcome = (await approveOrder(wallet, { clientOrderId: 'gone' })) as { result: { hash: string } };
  const cancel = wallet.page(SITE, 'relayer_cancelOrder', [{ orderHash: outcome.result.hash }]);
  const view = await question(wallet);
  await wallet.ui('approve', { id: view.id, digest: view.digest ?? '', account: view.account?.id ?? null });
  expect(await cancel).toMatchObject({ result: { hash: outcome.result.hash } });
  await until(async () => {
    clock += 5_000;
    await wallet.background().onWake();
    const states = (await wallet.ui('getActivity', { limit: 2 })).map(
      ({ operation, status }) => `${operation} ${status}`,
    );
    return states.includes('submitOrder cancelled') && states.includes('cancelOrder processed');
  });
  expect(await wallet.background().wallet.journal.pending()).toEqual([]);
});

test.each([
  ['3.5E-4', '0.00035'],
  ['unknown', 'unknown'],
])('the price %s of a listed order stands there as %s', async (said, price) => {
  const stage = await setUp(relayer, {
    fetch: async (input, init) => {
      const answer = await fetch(input, init);
      return new Response((await answer.text()).replace(/"price":"[^"]+"/g, `"price":"${said}"`), answer);
    },
  });
  const { wallet, accountView: account } = stage;
  const { hash } = resultOf(await approveOrder(wallet));
  const { data } = await wallet.ui('getOrders', { account, refresh: true });
  expect(data?.open.find((order) => order.hash === hash)?.price).toBe(price);
});

test('an order is cancelled at a relayer that drops leading zeros of hashes', async () => {
  let clock = Date.now();
  const stage = await setUp(relayer, {
    now: () => clock,
    fetch: async (input, init) => {
      const answer = await fetch(input, init);
      const text = (await answer.text()).replace(/"hash":"0x(?=[0-9a-f]{64}")0+/g, '"hash":"0x');
      return new Response(text, answer);
    },
  });
  const { wallet, accountView: account } = stage;
  // An order of which the hash begins with a zero, as a third of all do.
  const { accountId, apiKey, exchange } = stage.account;
  const { orderId: storageId = 0 } = await stage.client.getStorageId({ query: { accountId, sellTokenId: 1 }, apiKey });
  const terms = { ...ORDER, maxFeeBips: 60, fillAmountBOrS: false, validUntil: Math.floor(clock / 1000) + 86_400 };
  while (!formatHash(orderHash({ ...terms, exchange, accountId, storageId })).startsWith('0x0')) terms.validUntil++;
  const clientOrderId = 'short';
  const { hash } = resultOf(await approveOrder(wallet, { ...terms, clientOrderId }));
  expect(hash).toMatch(/^0x0/);
  // What the wallet's own pages hand on, and what a site names.
  const { data } = await wallet.ui('getOrders', { account, refresh: true });
  expect(data?.open.map((order) => order.hash)).toContain(hash);
  const asked = { operation: 'cancelOrder', account, intent: { orderHash: hash } } as const;
  expect((await wallet.ui('previewOperation', asked)).review?.sentence.key).toBe('review_cancelOrder');
  const cancel = wallet.page(SITE, 'relayer_cancelOrder', [{ clientOrderId }]);
  const view = await question(wallet);
  await wallet.ui('approve', { id: view.id, digest: view.digest ?? '', account: view.account?.id ?? null });
  expect(await cancel).toMatchObject({ result: { hash } });
  await until(async () => {
    clock += 5_000;
    await wallet.background().onWake();
    const [latest] = await wallet.ui('getActivity', { limit: 1 });
    return latest?.operation === 'cancelOrder' && latest.status === 'processed';
  });
});

// The last one: it moves the clock of the relayer on.
describe('a signed order whose end has passed', () => {
  test('by the wallet’s clock alone: it is sent, because the relayer still takes it', async () => {
    const clock = movableClock();
    const { broken, sent } = breaking(faults['the request is lost on the way'], 3);
    const stage = await setUp(relayer, { fetch: broken, now: clock.now });
    expect(await approveOrder(stage.wallet)).toMatchObject({ error: { data: { status: 'unknown' } } });
    const [{ id = '' } = {}] = await stage.wallet.ui('getActivity', { limit: 1 });
    clock.advance(31 * 86_400_000);
    await stage.wallet.ui('unlock', { password: PASSWORD });
    expect(await stage.wallet.ui('checkSubmission', { id })).toMatchObject({ status: 'acknowledged' });
    expect(await ordersOf(stage)).toHaveLength(1);
    expect(new Set(sent).size).toBe(1);
  });

  test('by both clocks, before the relayer had it: the page is told that it cannot happen any more', async () => {
    const clock = movableClock();
    const stage = await setUp(relayer, { now: clock.now });
    const { wallet } = stage;
    const validUntil = Math.floor(clock.now() / 1000) + 600;
    const answer = wallet.page(SITE, 'relayer_submitOrder', [{ ...ORDER, validUntil }]);
    const view = await question(wallet);
    const { journal } = wallet.background().wallet as unknown as {
      journal: Record<string, (...given: unknown[]) => Promise<unknown>>;
    };
    const real = journal.markSent as (...given: unknown[]) => Promise<unknown>;
    const died = new Promise<void>((dead) => {
      journal.markSent = async (...given) => {
        await real(...given);
        dead();
        return new Promise(() => {});
      };
    });
    await wallet.ui('approve', { id: view.id, digest: view.digest ?? '', account: view.account?.id ?? null });
    await died;
    await moveRelayerClock(relayer, 800_000);
    clock.advance(800_000);
    wallet.restart();
    await wallet.ui('unlock', { password: PASSWORD });
    expect(await answer).toMatchObject({ error: { code: 4900, data: { status: 'expired' } } });
    expect(await ordersOf(stage)).toEqual([]);
  });
});
