import { expect, test } from 'vitest';
import { knownAddresses } from '../../src/background/settings/knownAddresses.ts';
import { lookalikeOf } from '../../src/operations/recipient.ts';
import { callerOf } from '../relayer/support/caller.ts';
import { CID, nftFactory } from '../support/nfts.ts';
import { relayerOfFile } from './relayerOfFile.ts';
import {
  approveOrder,
  approveRequest,
  finalStatus,
  movableClock,
  ORDER,
  PASSWORD,
  question,
  resultOf,
  setUp,
  until,
} from './support.ts';

const relayer = await relayerOfFile();

const ETHER = 10n ** 18n;

/** A wallet whose clock the test moves, and whose network can be taken away. */
async function stage(kinds: Parameters<typeof setUp>[2] = [], twin?: { readonly of: number; readonly as: number }) {
  const clock = movableClock();
  let away = false;
  /** Rows that the relayer is asked for at once, in the place of the wallet's own number. */
  let rows: string | null = null;
  /** What the relayer answers in the place of the account's fills. */
  let fills: object | null = null;
  const made = await setUp(
    relayer,
    {
      now: clock.now,
      fetch: (input, init) => {
        const url = new URL(String(input));
        if (rows !== null && url.searchParams.has('limit')) url.searchParams.set('limit', rows);
        if (fills !== null && url.pathname.endsWith('/user/trades')) return Promise.resolve(Response.json(fills));
        if (twin && url.pathname.endsWith('/exchange/tokens'))
          return fetch(url, init).then(async (answer) => {
            const tokens = (await answer.json()) as { tokenId: number }[];
            const one = tokens.find(({ tokenId }) => tokenId === twin.of);
            return Response.json([
              ...tokens,
              { ...one, tokenId: twin.as, address: `0x${'7'.repeat(40)}`, decimals: 6 },
            ]);
          });
        return away ? Promise.reject(new TypeError('fetch failed')) : fetch(url, init);
      },
    },
    kinds,
  );
  const { wallet, accountView: account } = made;
  return {
    ...made,
    clock,
    goAway: () => {
      away = true;
    },
    askForRows: (number: number) => {
      rows = String(number);
    },
    answerFills: (trades: readonly (readonly string[])[]) => {
      fills = { totalNum: trades.length, trades };
    },
    history: (refresh: boolean) => wallet.ui('getHistory', { account, refresh }),
  };
}

async function transfer(
  { wallet, accountView: account, clock }: Awaited<ReturnType<typeof stage>>,
  payeeAddr: string,
  end = 'processed',
) {
  await wallet.ui('startOperation', {
    operation: 'transfer',
    account,
    intent: { token: { tokenId: 1, volume: String(7n * ETHER) }, payeeAddr, feeTokenId: 0, memo: 'for lunch' },
  });
  const view = await question(wallet);
  await wallet.ui('approve', { id: view.id, digest: view.digest ?? '', account: view.account?.id ?? null });
  expect(await finalStatus(wallet, clock)).toBe(end);
}

test('an amount has the token that its storage slot names, and none where two have its symbol', async () => {
  const all = await stage([], { of: 1, as: 99 });
  const receiver = await stage();
  await transfer(all, receiver.account.owner);
  const events = (await all.history(true)).data?.events ?? [];
  expect(events.find(({ kind }) => kind === 'sent')?.amount.token).toMatchObject({ tokenId: 1, decimals: 18 });
  const deposits = events.filter(({ kind }) => kind === 'deposited').map(({ amount }) => amount.token?.symbol);
  expect(deposits.sort()).toEqual(['ETH', undefined]);
});

test('the history has what others sent, what was deposited and what left, each with its amount and block', async () => {
  const [sender, receiver] = [await stage(), await stage()];
  await transfer(sender, receiver.account.owner);
  const { data, problem } = await receiver.history(true);
  expect(problem).toBe(null);
  expect(Object.values(data?.reached ?? {}).map(({ next }) => next)).toEqual([null, null, null]);
  const [received, ...deposits] = data?.events ?? [];
  expect(received).toMatchObject({
    kind: 'received',
    status: 'processed',
    amount: { token: { symbol: 'LRC' }, volume: String(7n * ETHER) },
    fee: null,
    memo: 'for lunch',
    sentence: { key: 'history_received', values: { other: { kind: 'address' } } },
  });
  expect(JSON.stringify(received?.sentence).toLowerCase()).toContain(sender.account.owner.toLowerCase());
  expect(received?.block).toBeGreaterThan(0);
  expect(deposits.map(({ kind, amount }) => [kind, amount.token?.symbol, amount.volume]).sort()).toEqual([
    ['deposited', 'ETH', String(10n * ETHER)],
    ['deposited', 'LRC', String(100_000n * ETHER)],
  ]);

  const [sent] = (await sender.history(true)).data?.events ?? [];
  expect(sent).toMatchObject({ kind: 'sent', fee: { token: { symbol: 'ETH' } }, hash: received?.hash });
  expect(JSON.stringify(sent?.sentence).toLowerCase()).toContain(receiver.account.owner.toLowerCase());
  // The entry of the wallet itself carries the same hash, so that the list shows both as one.
  expect(await sender.wallet.ui('getActivity', { limit: 1 })).toMatchObject([{ hash: sent?.hash }]);
});

test('an address is compared with the receivers in it once the journal is lost, and with no sender', async () => {
  const [sender, receiver] = [await stage(), await stage()];
  await transfer(sender, receiver.account.owner);
  const twinOf = (address: string) => `${address.slice(0, 6)}${'0'.repeat(32)}${address.slice(-4)}`;
  const like = async ({ wallet, network, history }: typeof sender, address: string) => {
    await history(true);
    // As after a restored backup.
    const lost = { ...wallet.background().wallet, journal: { list: async () => [] } };
    return lookalikeOf(twinOf(address), await knownAddresses(lost, network.id));
  };
  const { owner } = receiver.account;
  const found = { address: expect.stringMatching(new RegExp(owner, 'i')), source: 'history' };
  expect(await like(sender, owner)).toEqual(found);
  expect(await like(receiver, sender.account.owner)).toBeUndefined();
});

test('what is damaged in it is compared with nothing', async () => {
  const { wallet, network, accountView: account } = await stage();
  const other = { kind: 'address', address: `0x${'5'.repeat(40)}` };
  const events = [{ kind: 'sent' }, { kind: 'sent', sentence: { values: { other: {} } } }];
  const whole = { kind: 'withdrew', sentence: { key: 'history_withdrew', values: { other } } };
  const { wallet: parts } = wallet.background();
  await parts.ports.local.set({ [`history:${account}`]: { at: 1, data: { events: [...events, whole] } } });
  const known = await knownAddresses(parts, network.id);
  expect(known.filter(({ source }) => source === 'history')).toEqual([{ address: other.address, source: 'history' }]);
});

test('a transfer that failed stands in it with the amount that was asked for, and no fee', async () => {
  const [sender, receiver] = [await stage(), await stage()];
  await callerOf(relayer.url)('POST', '/dev/failNext', { body: { step: 'settle' } });
  await transfer(sender, receiver.account.owner, 'failed');
  const [sent] = (await sender.history(true)).data?.events ?? [];
  expect(sent).toMatchObject({ kind: 'sent', status: 'failed', amount: { volume: String(7n * ETHER) }, fee: null });
});

test('NFTs that are minted, sent and received stand in it by number', async () => {
  const [sender, receiver] = [await stage(['nfts']), await stage()];
  const approved = async (method: string, intent: object) => {
    const { nftData, nftTokenId } = resultOf<{ nftData: string; nftTokenId: number }>(
      await approveRequest(sender.wallet, method, intent),
    );
    expect(await finalStatus(sender.wallet, sender.clock)).toBe('processed');
    return { nftData, tokenId: nftTokenId };
  };
  const nft = await approved('relayer_mintNft', {
    cid: CID,
    amount: '5',
    nftFactory,
    creatorFeeBips: 3,
  });
  await approved('relayer_transferNft', {
    toAddress: receiver.account.owner,
    token: { tokenId: nft.tokenId, nftData: nft.nftData, amount: '2' },
  });
  const nftsIn = async ({ history }: typeof sender) =>
    (await history(true)).data?.events.filter(({ amount }) => amount.token === null) ?? [];
  expect(await nftsIn(receiver)).toMatchObject([
    { kind: 'received', amount: { volume: '2' }, nftData: nft.nftData, fee: null, block: expect.any(Number) },
  ]);
  expect(await nftsIn(sender)).toMatchObject([
    { kind: 'sent', amount: { volume: '2' }, sentence: { key: 'history_sent' } },
    { kind: 'minted', amount: { volume: '5' }, sentence: { key: 'history_minted_short' } },
  ]);
});

test('a fill is an event of its own, with size, price and fee as the exchange booked them', async () => {
  const { wallet, account, client, history } = await stage();
  const other = await stage();
  // The second order asks for exactly what the first one gives.
  resultOf(await approveOrder(wallet));
  resultOf(
    await approveOrder(other.wallet, { sellToken: ORDER.buyToken, buyToken: ORDER.sellToken, orderType: 'TAKER_ONLY' }),
  );
  const [row] = await until(async () => {
    const query = { accountId: account.accountId };
    const { trades } = await client.getUserTrades({ query, apiKey: account.apiKey });
    return trades.length > 0 && trades;
  });
  const fillsIn = async (read: typeof history, kind: string) =>
    (await read(true)).data?.events.filter((event) => event.kind === kind) ?? [];
  const fills = await fillsIn(history, 'sold');
  expect(fills).toHaveLength(1);
  expect(fills[0]).toMatchObject({
    id: `fill:${row?.[1]}:SELL`,
    hash: row?.[12],
    status: 'processed',
    amount: { token: { symbol: 'LRC' }, volume: row?.[3] },
    sentence: { key: 'history_sold', values: { price: { kind: 'price', value: row?.[4], quote: 'ETH', base: 'LRC' } } },
    at: Number(row?.[0]),
  });
  const bought = await fillsIn(other.history, 'bought');
  expect(bought).toMatchObject([
    { id: `fill:${row?.[1]}:BUY`, amount: { token: { symbol: 'LRC' }, volume: row?.[3] }, block: fills[0]?.block },
  ]);
  // Of a cut price the buyer paid at most the next digit.
  expect(bought[0]?.sentence.values).toMatchObject({ price: { paid: true } });
});

test('the price of a fill in scientific notation is shown as a plain one', async () => {
  const { answerFills, history } = await stage();
  answerFills(
    ['3.5669E-4', 'cheap'].map((price, id) => [
      '1',
      `${id}`,
      'SELL',
      '5',
      price,
      'LRC-ETH',
      '0',
      '1',
      '0',
      '1',
      '1',
      '0',
      '0x1',
    ]),
  );
  const { data } = await history(true);
  expect(data?.events.filter(({ kind }) => kind === 'sold').map(({ sentence }) => sentence)).toEqual([
    {
      key: 'history_sold',
      values: { price: { kind: 'price', value: '0.00035669', exact: false, paid: false, quote: 'ETH', base: 'LRC' } },
    },
    { key: 'history_sold_short' },
  ]);
});

test('older pages go on where the newest one ends, up to the end of the list', async () => {
  const [sender, receiver] = [await stage(), await stage()];
  await transfer(sender, receiver.account.owner);
  const whole = (await receiver.history(true)).data?.events ?? [];
  expect(whole).toHaveLength(3);
  receiver.askForRows(1);
  const { data } = await receiver.history(true);
  expect(data?.events).toEqual(whole.slice(0, 1));
  expect(data?.reached).toEqual({
    request: { next: 1, oldest: whole[0]?.at },
    fill: { next: null, oldest: null },
    nft: { next: null, oldest: null },
  });
  const page = (offset: number) =>
    receiver.wallet.ui('getHistoryPage', { account: receiver.accountView, source: 'request', offset });
  expect(await page(1)).toEqual({ events: whole.slice(1, 2), reach: { next: 2, oldest: whole[1]?.at } });
  expect(await page(2)).toEqual({ events: whole.slice(2), reach: { next: null, oldest: whole[2]?.at } });
  expect(await page(3)).toEqual({ events: [], reach: { next: null, oldest: null } });
});

test('what an earlier version stored without saying how far it had read is read again', async () => {
  const { wallet, accountView: account, history } = await stage();
  await wallet.ports.local.set({ [`history:${account}`]: { at: 1, data: { events: [], more: true } } });
  expect(await history(false)).toEqual({ data: null, at: null, problem: null });
  expect((await history(true)).data?.events).toHaveLength(2);
});

test('a relayer that is away leaves what was read, with the reason', async () => {
  const { goAway, history } = await stage();
  expect(await history(false)).toEqual({ data: null, at: null, problem: null });
  const known = await history(true);
  expect(known.data?.events).toHaveLength(2);
  goAway();
  expect(await history(true)).toEqual({
    ...known,
    problem: expect.objectContaining({ key: 'error_relayerUnreachable' }),
  });
});

test('what was read goes with the account', async () => {
  const { wallet, accountView: account, history } = await stage();
  const keys = () => Object.keys(wallet.kept().local).filter((key) => key.startsWith('history:'));
  await history(true);
  expect(keys()).toEqual([`history:${account}`]);
  await wallet.ui('removeAccount', { account, password: PASSWORD });
  expect(keys()).toEqual([]);
});
