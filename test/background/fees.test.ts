import { expect, test } from 'vitest';
import { CID, nftFactory } from '../support/nfts.ts';
import { relayerOfFile } from './relayerOfFile.ts';
import {
  approveRequest,
  finalStatus,
  movableClock,
  openOther,
  PASSWORD,
  question,
  resultOf,
  SITE,
  setUp,
  setUpNetwork,
} from './support.ts';

/** A relayer that names fees as it likes, and is consistent about it. */
const relayer = await relayerOfFile();

const LRC = 1;
const TRANSFER = { token: { tokenId: LRC, volume: '1000000000000000000' }, feeTokenId: 0 };

/** Quotes `fee` wei for everything as soon as it is set. */
async function withQuotes() {
  const quotes: { fee?: string } = {};
  const fetching: typeof fetch = (input, init) =>
    quotes.fee !== undefined && new URL(String(input)).pathname.endsWith('ffchainFee')
      ? Promise.resolve(Response.json({ gasPrice: '1', fees: [{ token: 'ETH', fee: quotes.fee, discount: 1 }] }))
      : fetch(input, init);
  const stage = await setUp(relayer, { fetch: fetching }, ['transfers', 'withdrawals', 'nfts', 'pools', 'key']);
  return { quotes, ...stage };
}

test.each([
  ['relayer_transfer', async () => ({ ...TRANSFER, payeeAddr: (await openOther(relayer)).owner })],
  ['relayer_withdraw', async () => TRANSFER],
] as const)(
  '%s: a fee of 9 of 10 ETH for moving one LRC is a danger and needs the password',
  async (method, intent) => {
    const { wallet, quotes } = await withQuotes();
    quotes.fee = '9000000000000000000';
    const answer = wallet.page(SITE, method, [await intent()]);
    const view = await question(wallet);
    const warnings = view.review?.warnings ?? [];
    const found = warnings.filter(({ rule }) => rule.startsWith('fee-'));
    expect(found.map(({ rule }) => rule)).toEqual(['fee-unusual-listed', 'fee-of-balance', 'fee-of-moved']);
    expect(found.every(({ severity, password }) => severity === 'stop' && password)).toBe(true);
    const decision = { id: view.id, digest: view.digest ?? '', account: view.account?.id ?? null };
    expect(await wallet.uiAnswer('approve', decision)).toMatchObject({ error: { code: 'password-needed' } });
    expect(await wallet.uiAnswer('approve', { ...decision, password: 'not the password' })).toMatchObject({
      error: { code: 'wrong-password' },
    });
    expect(await wallet.ui('getApproval', { id: view.id })).toMatchObject({ stage: 'ready' });
    await wallet.ui('approve', { ...decision, password: PASSWORD });
    expect(await answer).toMatchObject({ result: { requestId: expect.any(String) } });
  },
);

test('a fee of 9 ETH for sending an NFT is a danger beside any balance that the relayer names', async () => {
  const clock = movableClock();
  const wire = { lies: false };
  const { wallet } = await setUp(
    relayer,
    {
      now: clock.now,
      async fetch(input, init) {
        const answer = await fetch(input, init);
        const { pathname } = new URL(String(input));
        if (wire.lies && pathname.endsWith('/user/balances')) {
          const rows = (await answer.json()) as { total: string }[];
          return Response.json(rows.map((row) => ({ ...row, total: `${row.total}0000` })));
        }
        if (!wire.lies || !pathname.endsWith('/nft/offchainFee')) return answer;
        const fees = [{ token: 'ETH', fee: '9000000000000000000', discount: 1 }];
        return Response.json({ ...((await answer.json()) as object), fees });
      },
    },
    ['nfts'],
  );
  await wallet.ui('getHome', { refresh: true });
  const minted = await approveRequest(wallet, 'relayer_mintNft', { cid: CID, amount: '5', nftFactory });
  const { nftData, nftTokenId } = resultOf<{ nftData: string; nftTokenId: number }>(minted);
  expect(await finalStatus(wallet, clock)).toBe('processed');
  const token = { tokenId: nftTokenId, nftData, amount: '1' };
  const rules = async () => {
    wallet.page(SITE, 'relayer_transferNft', [{ token, toAddress: `0x${'12'.repeat(20)}` }]);
    const { id, review } = await question(wallet);
    await wallet.ui('reject', { id, block: false });
    return review?.warnings.filter(({ rule }) => rule.startsWith('fee-')) ?? [];
  };
  expect(await rules()).toEqual([]);
  wire.lies = true;
  // Beyond the age of the balance that was read for the honest request.
  clock.advance(40_000);
  expect(await rules()).toMatchObject([{ rule: 'fee-unusual-nft', severity: 'stop', password: true }]);
});

test('the fee is measured by what the account paid before', async () => {
  const { wallet, quotes } = await withQuotes();
  const payeeAddr = (await openOther(relayer)).owner;
  const rules = async (fee: string) => {
    quotes.fee = fee;
    wallet.page(SITE, 'relayer_transfer', [{ ...TRANSFER, payeeAddr, memo: fee }]);
    const view = await question(wallet);
    await wallet.ui('reject', { id: view.id, block: false });
    return view.review?.warnings.flatMap(({ rule }) => (rule.startsWith('fee-unusual') ? rule : [])) ?? [];
  };
  const honest = await approveRequest(wallet, 'relayer_transfer', { ...TRANSFER, payeeAddr });
  resultOf(honest);
  const [record] = await wallet.background().wallet.journal.list({ operations: ['transfer'] });
  const { maxFee } = (record?.draft ?? {}) as { maxFee?: { volume: string } };
  const paid = BigInt(maxFee?.volume ?? 0);
  expect(await rules((3n * paid).toString())).toEqual([]);
  expect(await rules((3n * paid + 1n).toString())).toEqual(['fee-unusual-paid']);
});

test('a list of fees that rises later does not raise what fees are measured by', async () => {
  let factor = 1n;
  const fetching: typeof fetch = async (input, init) => {
    const answer = await fetch(input, init);
    if (!new URL(String(input)).pathname.endsWith('/exchange/info') || factor === 1n) return answer;
    const info = (await answer.json()) as Record<string, unknown>;
    const dear = Object.entries(info).map(([name, value]) => [
      name,
      name.endsWith('Fees')
        ? (value as { fee: string }[]).map((one) => ({ ...one, fee: (BigInt(one.fee) * factor).toString() }))
        : value,
    ]);
    return Response.json(Object.fromEntries(dear));
  };
  const clock = movableClock();
  const { wallet, network } = await setUpNetwork(relayer, { fetch: fetching, now: clock.now });
  const { relayers, config } = wallet.background().wallet;
  const known = (await config.network(network.id)) as NonNullable<Awaited<ReturnType<typeof config.network>>>;
  const first = await relayers.listedFees(known);
  expect(BigInt(first[3]?.[0] ?? 0)).toBeGreaterThan(0n);
  factor = 1000n;
  await relayers.checkExchange(known, { anew: true });
  expect(await relayers.listedFees(known)).toEqual(first);
  const { at } = await relayers.facts(known);
  clock.advance(15 * 60_000);
  expect((await relayers.facts(known)).at).toBeGreaterThan(at);
  expect(await relayers.listedFees(known)).toEqual(first);
});

test('facts that are too old are read once for all who ask for them', async () => {
  const asked: string[] = [];
  const fetching: typeof fetch = async (input, init) => {
    asked.push(new URL(String(input)).pathname);
    return fetch(input, init);
  };
  const clock = movableClock();
  const { wallet, network } = await setUpNetwork(relayer, { fetch: fetching, now: clock.now });
  const { relayers, config } = wallet.background().wallet;
  const known = (await config.network(network.id)) as NonNullable<Awaited<ReturnType<typeof config.network>>>;
  await relayers.facts(known);
  for (let i = 0; i < 2; i++) {
    clock.advance(15 * 60_000);
    asked.splice(0);
    await Promise.all(Array.from({ length: 4 }, () => relayers.facts(known)));
    expect(asked.filter((path) => path.endsWith('/tokens'))).toHaveLength(1);
  }
});

test('an exchange that lists no fees at first is measured by the first that it lists', async () => {
  let isPriced = false;
  const fetching: typeof fetch = async (input, init) => {
    const answer = await fetch(input, init);
    if (!new URL(String(input)).pathname.endsWith('/exchange/info') || isPriced) return answer;
    const { chainId, exchangeAddress, depositAddress } = await answer.json();
    return Response.json({ chainId, exchangeAddress, depositAddress, onchainFees: [] });
  };
  const { wallet, network } = await setUpNetwork(relayer, { fetch: fetching });
  const { relayers, config } = wallet.background().wallet;
  const known = (await config.network(network.id)) as NonNullable<Awaited<ReturnType<typeof config.network>>>;
  expect(Object.values(await relayers.listedFees(known)).flatMap(Object.values)).toEqual([]);
  isPriced = true;
  expect(BigInt((await relayers.listedFees(known))[3]?.[0] ?? 0)).toBeGreaterThan(0n);
});
