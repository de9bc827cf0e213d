import { describe, expect, test } from 'vitest';
import { heldBy } from '../../src/background/rpc/ui/heldBy.ts';
import { formatHash } from '../../src/protocol/index.ts';
import {
  type Block,
  decodeBlock,
  encodeBlock,
  publicDataHash,
  type Transaction,
  type TransactionOf,
} from '../../src/protocol/rollup/index.ts';
import type { Receipt } from '../../src/receipts/receipt.ts';
import { verifyReceipt } from '../../src/receipts/verifyReceipt.ts';
import { CID, nftFactory } from '../support/nfts.ts';
import { relayerOfFile } from './relayerOfFile.ts';
import {
  approveOrder,
  approveRequest,
  buyLrc,
  openOther,
  resultOf,
  SITE,
  seal,
  setUp,
  submitTrade,
  until,
} from './support.ts';

const BYTES = '/api/v3/block/bytes';
const TRANSFERS = '/api/v3/user/transfers';
const ETHER = 10n ** 18n;

/** A relayer that seals a block when it is told to. */
const relayer = await relayerOfFile({ blockAgeMs: 3_600_000 });

type Lie = (answer: never) => unknown;

/** A wallet behind a wire that can change each answer of a path. */
async function behindWire() {
  const lies = new Map<string, Lie>();
  const send: typeof fetch = async (input, init) => {
    const lie = lies.get(new URL(String(input)).pathname);
    const answer = await fetch(input, init);
    if (!lie) return answer;
    const said = await lie((await answer.json()) as never);
    return said instanceof Response ? said : Response.json(said);
  };
  const stage = await setUp(relayer, { fetch: send }, ['transfers', 'nfts']);
  const { wallet } = stage;
  async function receipt(requestId: string): Promise<Receipt> {
    const records = await wallet.background().wallet.journal.list({ origin: SITE });
    const record = records.find((one) => one.requestId === requestId);
    return JSON.parse((await wallet.ui('exportReceipt', { id: record?.id ?? '' })).text);
  }
  /** Sends LRC to somebody, and returns the number of the request. */
  async function send7(payeeAddr: string): Promise<string> {
    const token = { tokenId: 1, volume: String(7n * ETHER) };
    return resultOf(await approveRequest(wallet, 'relayer_transfer', { token, payeeAddr })).requestId;
  }
  return { ...stage, lies, receipt, send7 };
}

/** Seals a block and waits until it is published. */
async function publish(): Promise<void> {
  await seal(relayer);
  await until(async () => {
    const [open] = await relayer.db.query(
      `SELECT 1 FROM blocks WHERE status <> 'open' AND operator_id > 0 AND data IS NULL`,
    );
    return open === undefined;
  });
}

const blockCheck = async (receipt: unknown) =>
  (await verifyReceipt(receipt)).checks.find(({ name }) => name === 'block');

/** The receipt with one of its blocks made anew, with a hash that fits. */
function remade(receipt: Receipt, change: (block: Block) => Partial<Block>, at = 0): Receipt {
  const copy = structuredClone(receipt);
  const claimed = copy.inclusion?.blocks[at];
  if (!claimed) throw new Error('the receipt has no such block');
  const block = decodeBlock(new Uint8Array(Buffer.from(claimed.data.slice(2), 'hex')));
  const { header, transactions } = { ...block, ...change(block) };
  const bytes = encodeBlock(header, transactions);
  claimed.data = `0x${Buffer.from(bytes).toString('hex')}`;
  claimed.publicDataHash = formatHash(publicDataHash(bytes));
  return copy;
}

const replaced =
  <Type extends Transaction['type']>(
    type: Type,
    change: (transaction: TransactionOf<Type>) => Partial<TransactionOf<Type>>,
  ) =>
  ({ transactions }: Block): Partial<Block> => ({
    transactions: transactions.map((one) =>
      one.type === type ? ({ ...one, ...change(one as TransactionOf<Type>) } as Transaction) : one,
    ),
  });

describe('a transfer', () => {
  test('has no block before it is published, and stands in it afterwards', async () => {
    const { receipt, send7 } = await behindWire();
    const friend = await openOther(relayer);
    const requestId = await send7(friend.owner);
    const early = await receipt(requestId);
    expect(early.inclusion).toEqual({ blocks: [], missing: 'notYet' });
    expect(await blockCheck(early)).toEqual({ name: 'block', outcome: 'none', reason: 'notYet' });
    expect((await verifyReceipt(early)).valid).toBe(true);

    await publish();
    const late = await receipt(requestId);
    expect(late.inclusion).toMatchObject({ blocks: [{ blockId: expect.any(Number) }], missing: null });
    expect(await blockCheck(late)).toEqual({ name: 'block', outcome: 'holds' });
    const finding = await verifyReceipt(late);
    expect(finding.unproven).toContain('inclusion');
    expect(finding.receipt?.blocks).toEqual([
      expect.objectContaining({ root: late.inclusion?.blocks[0]?.root, blockId: late.inclusion?.blocks[0]?.blockId }),
    ]);
  });

  test('stands in a block of any length', async () => {
    const { receipt, send7 } = await behindWire();
    for (let i = 0; i < 12; i++) await openOther(relayer, { ETH: '1', LRC: '1' });
    const requestId = await send7((await openOther(relayer)).owner);
    await publish();
    const { inclusion, ...rest } = await receipt(requestId);
    const [block] = inclusion?.blocks ?? [];
    expect(
      block && decodeBlock(new Uint8Array(Buffer.from(block.data.slice(2), 'hex'))).transactions.length,
    ).toBeGreaterThan(30);
    expect(await blockCheck({ ...rest, inclusion })).toEqual({ name: 'block', outcome: 'holds' });
  });

  test('is not proven by what was changed, and the reason is named', async () => {
    const { receipt, send7 } = await behindWire();
    const friend = await openOther(relayer);
    const before = await send7(friend.owner);
    await publish();
    const requestId = await send7(friend.owner);
    await publish();
    const honest = await receipt(requestId);
    const other = await receipt(before);
    const withBlock = (change: object): Receipt => {
      const copy = structuredClone(honest);
      Object.assign(copy.inclusion?.blocks[0] ?? {}, change);
      return copy;
    };
    const data = honest.inclusion?.blocks[0]?.data ?? '';
    const faults: readonly (readonly [string, Receipt])[] = [
      // A byte of the time, on which neither state nor transaction depends.
      ['hash', withBlock({ data: `${data.slice(0, 176)}${data[176] === '0' ? '1' : '0'}${data.slice(177)}` })],
      ['hash', withBlock({ publicDataHash: `0x${'1'.repeat(64)}` })],
      ['hash', withBlock({ data: '0x' })],
      ['root', withBlock({ root: other.inclusion?.blocks[0]?.root })],
      ['exchange', remade(honest, ({ header }) => ({ header: { ...header, exchange: 1n } }))],
      ['absent', { ...honest, inclusion: other.inclusion }],
      [
        'absent',
        remade(
          honest,
          replaced('Transfer', ({ fromId }) => ({ fromId: fromId + 1 })),
        ),
      ],
      [
        'absent',
        remade(
          honest,
          replaced('Transfer', ({ storageId }) => ({ storageId: storageId + 2 })),
        ),
      ],
      [
        'terms',
        remade(
          honest,
          replaced('Transfer', ({ to }) => ({ to: to + 1n })),
        ),
      ],
      [
        'terms',
        remade(
          honest,
          replaced('Transfer', () => ({ to: 0n })),
        ),
      ],
      [
        'terms',
        remade(
          honest,
          replaced('Transfer', ({ amount }) => ({ amount: amount / 2n })),
        ),
      ],
      [
        'terms',
        remade(
          honest,
          replaced('Transfer', () => ({ fee: ETHER })),
        ),
      ],
      [
        'terms',
        remade(
          honest,
          replaced('Transfer', ({ feeTokenId }) => ({ feeTokenId: feeTokenId + 1 })),
        ),
      ],
      // Carried out twice.
      ['terms', remade(honest, ({ transactions }) => ({ transactions: [...transactions, ...transactions] }))],
    ];
    for (const [index, [reason, changed]] of faults.entries()) {
      expect([index, await blockCheck(changed)]).toEqual([index, { name: 'block', outcome: 'fails', reason }]);
      expect((await verifyReceipt(changed)).valid).toBe(false);
    }
    const cut = new Uint8Array(Buffer.from(data.slice(2, -2), 'hex'));
    const shorter = { data: data.slice(0, -2), publicDataHash: formatHash(publicDataHash(cut)) };
    expect(await blockCheck(withBlock(shorter))).toMatchObject({ outcome: 'fails', reason: 'bytes' });
    // One block under two numbers.
    const [block] = honest.inclusion?.blocks ?? [];
    const twice = [block, { ...block, blockId: (block?.blockId ?? 0) + 1 }];
    const doubled = { ...honest, inclusion: { blocks: twice, missing: null } };
    expect(await blockCheck(doubled)).toEqual({ name: 'block', outcome: 'fails', reason: 'hash' });
    expect(await verifyReceipt(doubled)).toMatchObject({ valid: false, signed: true });
    expect(await blockCheck(honest)).toEqual({ name: 'block', outcome: 'holds' });
  });
});

test('both sides of an NFT trade have its block, and no other trade in its place', async () => {
  const [seller, buyer] = [await behindWire(), await behindWire()];
  const minting = { cid: CID, amount: '5', nftFactory, creatorFeeBips: 3 };
  const minted = resultOf<{ nftData: string; nftTokenId: number }>(
    await approveRequest(seller.wallet, 'relayer_mintNft', minting),
  );
  await publish();
  const price = { tokenId: 0, amount: String(ETHER / 10n) };
  const two = { nftData: minted.nftData, tokenId: minted.nftTokenId, amount: '2' };
  const signed = async ({ wallet }: typeof seller, intent: object) =>
    resultOf<{ requestId: string; order: object }>(
      await approveRequest(wallet, 'relayer_signNftOrder', { ...intent, maxFeeBips: 60 }),
    );
  const sale = await signed(seller, { sellToken: two, buyToken: price, validate: true });
  const purchase = await signed(buyer, { sellToken: price, buyToken: two });
  expect((await seller.receipt(sale.requestId)).inclusion).toEqual({ blocks: [], missing: 'notYet' });
  const sides = { maker: sale.order, makerFeeBips: 60, taker: purchase.order, takerFeeBips: 60 };
  await submitTrade(relayer, buyer, sides);
  await publish();
  for (const [{ receipt, account }, { requestId }] of [
    [seller, sale],
    [buyer, purchase],
  ] as const) {
    const saved = await receipt(requestId);
    expect(saved.inclusion?.blocks).toHaveLength(1);
    expect(await blockCheck(saved)).toEqual({ name: 'block', outcome: 'holds' });
    const other = remade(
      saved,
      replaced('SpotTrade', ({ accountA, fillA, fillB }) =>
        // Less for what this account gives.
        accountA === account.accountId ? { fillB: fillB / 2n } : { fillA: fillA / 2n },
      ),
    );
    expect(await blockCheck(other)).toEqual({ name: 'block', outcome: 'fails', reason: 'terms' });
  }
});

test('an order has the block of each fill, and no more than was signed fits', async () => {
  const { receipt, wallet } = await behindWire();
  const buyer = await openOther(relayer, { ETH: '5' });
  const { requestId } = resultOf(await approveOrder(wallet));
  expect((await receipt(requestId)).inclusion).toEqual({ blocks: [], missing: 'notYet' });
  for (const part of [40n, 30n]) {
    await buyLrc(relayer, buyer, (part * ETHER) / 2_000n, part * ETHER);
    await publish();
  }
  const filled = await receipt(requestId);
  expect(filled.inclusion?.blocks).toHaveLength(2);
  expect(await blockCheck(filled)).toEqual({ name: 'block', outcome: 'holds' });

  const changed = (change: Partial<TransactionOf<'SpotTrade'>>, at = 1) =>
    blockCheck(
      remade(
        filled,
        replaced('SpotTrade', () => change),
        at,
      ),
    );
  const terms = { name: 'block', outcome: 'fails', reason: 'terms' };
  const isTaker = (trade: TransactionOf<'SpotTrade'>) => trade.tokenA === 1;
  const [trade] = decodeBlock(
    new Uint8Array(Buffer.from(filled.inclusion?.blocks[1]?.data.slice(2) ?? '', 'hex')),
  ).transactions.filter(({ type }) => type === 'SpotTrade') as TransactionOf<'SpotTrade'>[];
  if (!trade) throw new Error('the block has no trade');
  const [sold, bought, flags, feeHigh, boughtToken] = isTaker(trade)
    ? (['fillA', 'fillB', 'flagsA', 'feeHighA', 'boughtTokenA'] as const)
    : (['fillB', 'fillA', 'flagsB', 'feeHighB', 'boughtTokenB'] as const);
  // Together with the first fill above the amount; at a worse price; counted by the other side; for
  // a higher fee; for another token.
  expect(await changed({ [sold]: trade[sold] * 3n, [bought]: trade[bought] * 3n })).toEqual(terms);
  expect(await changed({ [bought]: (trade[bought] * 9n) / 10n })).toEqual(terms);
  expect(await changed({ [flags]: trade[flags] | 0x80 })).toEqual(terms);
  expect(await changed({ [feeHigh]: 1 })).toEqual(terms);
  expect(await changed({ [boughtToken]: 2 })).toEqual(terms);
  // The rounding that the protocol allows is no worse price.
  expect(await changed({ [bought]: trade[bought] - trade[bought] / 2_000n })).toEqual({
    name: 'block',
    outcome: 'holds',
  });
  expect(
    await blockCheck(
      remade(
        filled,
        replaced('SpotTrade', () => ({ accountA: 3, accountB: 4 })),
      ),
    ),
  ).toMatchObject({
    reason: 'absent',
  });
});

describe('a relayer', () => {
  test('without the block, or with another one: the receipt says so, and stays valid', async () => {
    const { receipt, send7, lies } = await behindWire();
    const requestId = await send7((await openOther(relayer)).owner);
    await publish();
    for (const [what, path, lie, reason] of [
      ['without published blocks', BYTES, () => Response.json({ error: 'not found' }, { status: 404 }), 'noBlocks'],
      ['that publishes something else', BYTES, () => ({ blocks: [{ blockId: 1, data: '0x1' }] }), 'noBlocks'],
      ['that has not published the block', BYTES, () => ({ blocks: [] }), 'notYet'],
      ['that cannot be reached', BYTES, () => new Response('', { status: 503 }), 'unread'],
      ['whose history cannot be read', TRANSFERS, () => new Response('', { status: 503 }), 'unread'],
      [
        'that names another block',
        TRANSFERS,
        (answer: { transactions: object[] }) => ({
          ...answer,
          transactions: answer.transactions.map((row) => ({ ...row, blockId: 1, blockIdInfo: undefined })),
        }),
        'absent',
      ],
      [
        'that publishes other bytes than it hashes',
        BYTES,
        ({ blocks }: { blocks: { data: string }[] }) => ({
          blocks: blocks.map((block) => ({ ...block, data: `${block.data.slice(0, -2)}ff` })),
        }),
        'hash',
      ],
    ] as const) {
      lies.clear();
      lies.set(path, lie as Lie);
      const saved = await receipt(requestId);
      expect(saved.inclusion, what).toEqual({ blocks: [], missing: reason });
      expect(await verifyReceipt(saved)).toMatchObject({ valid: true, signed: true });
      expect(await blockCheck(saved)).toEqual({ name: 'block', outcome: 'none', reason });
    }
  });

  test('that shows another state of a block than before is named, whatever the block holds', async () => {
    const { receipt, send7, lies, wallet, accountView } = await behindWire();
    const requestId = await send7((await openOther(relayer)).owner);
    await publish();
    const { config, balanceProofs } = wallet.background().wallet;
    const { account, network } = await config.place(accountView);
    if (!account || !network) throw new Error('no account');
    await wallet.ui('getHome', { refresh: true });
    await balanceProofs.refresh(account, network, await heldBy(wallet.ports, account));
    const honest = await receipt(requestId);
    lies.set(BYTES, ({ blocks }: { blocks: { data: string; rootAfter: string; publicDataHash: string }[] }) => ({
      blocks: blocks.map((block) => {
        const { data, publicDataHash: hash } =
          remade(honest, ({ header }) => ({ header: { ...header, rootAfter: 5n } })).inclusion?.blocks[0] ?? block;
        return { ...block, data, publicDataHash: hash, rootAfter: formatHash(5n) };
      }),
    }));
    expect((await receipt(requestId)).inclusion).toEqual({ blocks: [], missing: 'root' });
  });
});
