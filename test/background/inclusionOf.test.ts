import { describe, expect, test } from 'vitest';
import { createConfig, readableConfig } from '../../src/background/settings/config.ts';
import { inclusionOf } from '../../src/background/submissions/inclusionOf.ts';
import { receiptOf } from '../../src/background/submissions/receiptOf.ts';
import { createRelayerClient, RelayerClientError } from '../../src/client/index.ts';
import type { SubmissionRecord } from '../../src/journal/index.ts';
import { formatHash } from '../../src/protocol/index.ts';
import {
  encodeBlock,
  publicDataHash,
  TRANSACTION_BYTES,
  type Transaction,
  type TransactionOf,
} from '../../src/protocol/rollup/index.ts';
import { listenForReports } from '../../src/report/report.ts';
import { HEADER, transfer } from '../protocol/rollup/support.ts';

const NOW = 1_800_000_000_000;
const HASH = `0x${'0a'.repeat(32)}` as const;
const EXCHANGE = `0x${'0'.repeat(36)}eeee`;
const PAYER = `0x${'c'.repeat(40)}`;
const PAYEE = `0x${'d'.repeat(40)}`;
const ROOT = `0x${'0'.repeat(62)}ab` as const;

const draft = {
  ...{ exchange: EXCHANGE, payerId: 7, payerAddr: PAYER, payeeId: 8, payeeAddr: PAYEE },
  ...{ token: { tokenId: 1, volume: '1000' }, maxFee: { tokenId: 0, volume: '10' }, validUntil: 1_800_000_600 },
};
const recordOf = (changes: Partial<SubmissionRecord> = {}): SubmissionRecord => ({
  ...{ version: 3, id: 'one', seq: 1, networkId: 'net', accountId: 7, origin: 'https://site.example' },
  ...{ requestId: 'request', operation: 'transfer', draft, reviewDigest: '0x1', state: 'processed', hash: HASH },
  slot: { tokenId: 1, parity: 'offchain', storageId: 5 },
  wire: { endpoint: 'submitTransfer', bodyText: '{}' },
  history: [{ state: 'approved', at: NOW }],
  ...changes,
});

const network = {
  id: 'net',
  name: 'Net',
  chainId: 5,
  baseUrl: 'https://relayer.example',
  exchangeAddress: EXCHANGE,
} as never;
const key = { x: HASH, y: HASH };
const account = {
  ...{ id: 'net:7', networkId: 'net', accountId: 7, owner: PAYER, label: 'Main', publicKey: key },
  ...{ signer: 'one', keySeed: '' },
} as never;

/** A block with this transfer, written with capitals as some relayers do. */
function blockOf(
  blockId: number,
  fields: Partial<TransactionOf<'Transfer'>> = {},
  header: Partial<typeof HEADER> = {},
) {
  const one = transfer({
    ...{ fromId: 7, toId: 8, tokenId: 1, amount: 1000n, feeTokenId: 0, fee: 10n, storageId: 5 },
    ...{ to: BigInt(PAYEE), ...fields },
  });
  const bytes = encodeBlock({ ...HEADER, rootAfter: BigInt(ROOT), ...header }, [one]);
  const capitals = (text: string) => `0x${text.slice(2).toUpperCase()}` as const;
  return {
    blockId,
    root: capitals(ROOT),
    publicDataHash: capitals(formatHash(publicDataHash(bytes))),
    data: capitals(`0x${Buffer.from(bytes).toString('hex')}`),
  };
}
type Block = ReturnType<typeof blockOf>;
const lower = ({ blockId, ...texts }: Block) => ({
  blockId,
  ...Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, text.toLowerCase()])),
});

const refusal = (relayerName: 'INVALID_ARGUMENT' | undefined, httpStatus = 400) =>
  new RelayerClientError('no', {
    kind: 'refused',
    outcome: 'refused',
    endpoint: 'getBlockBytes',
    relayerName,
    httpStatus,
  });

/**
 * @param named - The block that the relayer's list names for the transfer; nothing: it cannot be
 *   reached.
 */
function stage(named: number | undefined, bytesOf: (blockId: number) => Promise<Block | null>) {
  const row = {
    ...{ id: 1, hash: HASH, txType: 'TRANSFER', symbol: 'LRC', amount: '1', feeTokenSymbol: 'ETH', feeAmount: '1' },
    ...{ status: 'processed', progress: '100%', timestamp: NOW, updatedAt: NOW, blockId: named, indexInBlock: 0 },
  };
  let spent = 0;
  const client = createRelayerClient({
    baseUrl: 'https://relayer.example',
    fetch: async () =>
      named === undefined ? new Response('', { status: 503 }) : Response.json({ totalNum: 1, transactions: [row] }),
    now: () => spent,
    sleep: async (ms) => {
      spent += ms;
    },
  });
  const deps = {
    ports: { now: () => NOW },
    relayers: { client: () => client } as never,
    accountKeys: {
      withApiKey: async (_a: unknown, _n: unknown, call: (key: string) => unknown) => call('key'),
    } as never,
    publishedBlocks: { bytesOf: async (_: unknown, blockId: number) => bytesOf(blockId) },
  };
  return (changes: Partial<SubmissionRecord> = {}) => inclusionOf(deps, recordOf(changes), { account, network });
}

describe('the blocks of a submission', () => {
  test('are those that the relayer names, checked, in lower case', async () => {
    const block = blockOf(3);
    expect(block.data).toMatch(/[A-F]/);
    const found = await stage(3, async (id) => (id === 3 ? block : null))();
    expect(found).toEqual({ blocks: [lower(block)], missing: null });
  });

  test('may be of the last second in which the request could be carried out', async () => {
    const block = blockOf(3, {}, { timestamp: draft.validUntil - 1 });
    expect(await stage(3, async () => block)()).toEqual({ blocks: [lower(block)], missing: null });
  });

  test('are none of an operation that no block carries out, of one that is not known, and of what was not signed', async () => {
    const find = stage(3, async () => blockOf(3));
    expect(await find({ operation: 'cancelOrder' })).toBeUndefined();
    expect(await find({ operation: 'later' })).toBeUndefined();
    expect(await find({ wire: undefined })).toBeUndefined();
  });

  test('are not there yet while the relayer names none, or does not publish the one it names', async () => {
    const notYet = { blocks: [], missing: 'notYet' };
    expect(await stage(0, async () => blockOf(3))()).toEqual(notYet);
    expect(await stage(3, async () => null)()).toEqual(notYet);
    expect(await stage(3, () => Promise.reject(refusal('INVALID_ARGUMENT')))()).toEqual(notYet);
  });

  test('cannot be had from a relayer that publishes none', async () => {
    expect(await stage(3, () => Promise.reject(refusal(undefined, 404)))()).toEqual({
      ...{ blocks: [], missing: 'noBlocks' },
    });
  });

  test('are unread, with a trace, while the relayer cannot be reached', async () => {
    const traces: string[] = [];
    listenForReports(({ where }) => traces.push(where));
    expect(await stage(undefined, async () => null)()).toEqual({ blocks: [], missing: 'unread' });
    expect(await stage(3, () => Promise.reject(new Error('gone')))()).toEqual({ blocks: [], missing: 'unread' });
    expect(traces).toEqual(['receipt: blocks', 'receipt: blocks']);
  });

  test.each<[string, Block, string]>([
    ['has another payment', blockOf(3, { amount: 2000n }), 'terms'],
    ['is as late as the end of the request', blockOf(3, {}, { timestamp: draft.validUntil }), 'terms'],
    ['has the request of another account', blockOf(3, { fromId: 9 }), 'absent'],
    ['has the request under another storage id', blockOf(3, { storageId: 7 }), 'absent'],
    ['has another hash', { ...blockOf(3), publicDataHash: HASH }, 'hash'],
    ['belongs to another exchange', blockOf(3, {}, { exchange: 1n }), 'exchange'],
    ['leads to another state', { ...blockOf(3), root: HASH }, 'root'],
  ])('are left out, with the reason, when one %s', async (_title, block, missing) => {
    expect(await stage(3, async () => block)()).toEqual({ blocks: [], missing });
  });

  test('are left out of what has no storage id', async () => {
    const find = stage(3, async () => blockOf(3));
    expect(await find({ slot: undefined })).toEqual({ blocks: [], missing: 'absent' });
  });
});

describe('the blocks of an order', () => {
  const order = {
    operation: 'submitOrder',
    slot: { tokenId: 1, parity: 'order', storageId: 6 } as const,
    draft: {
      ...{ accountId: 7, sellToken: { tokenId: 1, volume: '1000' }, buyToken: { tokenId: 2, volume: '100' } },
      ...{ maxFeeBips: 20, fillAmountBOrS: false },
    },
  };

  /**
   * A block with a fill of ten for one, made so many characters long with transactions of nothing.
   */
  function fillIn(blockId: number, length = 0, fill = 100n): Block {
    const bytes = encodeBlock({ ...HEADER, timestamp: blockId, rootAfter: BigInt(ROOT) }, [
      {
        ...{ type: 'SpotTrade', storageA: 6, storageB: 8, accountA: 7, accountB: 8, tokenA: 1, tokenB: 2 },
        ...{ fillA: fill, fillB: fill / 10n, flagsA: 0, flagsB: 0, boughtTokenA: 0, boughtTokenB: 0 },
        ...{ feeHighA: 0, feeHighB: 0 },
      } as Transaction,
      ...Array.from({ length: Math.ceil(length / (2 * TRANSACTION_BYTES)) }, () => ({ type: 'Noop' }) as Transaction),
    ]);
    return {
      ...{ blockId, root: ROOT, publicDataHash: formatHash(publicDataHash(bytes)) },
      data: `0x${Buffer.from(bytes).toString('hex')}` as const,
    };
  }

  /**
   * What is found when the relayer lists a fill in each block, numbered from 1; `null` stands for
   * one that it does not publish.
   */
  function find(blocks: readonly (Block | Error | null)[], totalNum = blocks.length) {
    const trades = blocks.map((_, index) => [...Array.from({ length: 7 }, () => ''), String(index + 1)]);
    const deps = {
      ports: { now: () => NOW },
      relayers: { client: () => ({ getUserTrades: async () => ({ totalNum, trades }) }) } as never,
      accountKeys: {
        withApiKey: async (_a: unknown, _n: unknown, call: (key: string) => unknown) => call('key'),
      } as never,
      publishedBlocks: {
        async bytesOf(_: unknown, blockId: number) {
          const block = blocks[blockId - 1] ?? null;
          if (block instanceof Error) throw block;
          return block;
        },
      },
    };
    return inclusionOf(deps, recordOf(order), { account, network });
  }

  test('are those of all its fills', async () => {
    const blocks = [fillIn(1), fillIn(2)];
    expect(await find(blocks)).toEqual({ blocks, missing: null });
  });

  test('are some of them, and it is said, while others are not published or not listed', async () => {
    const blocks = [fillIn(1), fillIn(2)];
    expect(await find([null, blocks[1] as Block])).toEqual({ blocks: [blocks[1]], missing: 'notYet' });
    expect(await find(blocks, 3)).toEqual({ blocks, missing: 'size' });
  });

  test('that were read are not lost with one that the relayer refuses, or does not answer', async () => {
    const blocks = [fillIn(1), fillIn(3)];
    const [first, last] = blocks as [Block, Block];
    expect(await find([first, refusal(undefined, 404), last])).toEqual({ blocks, missing: 'unread' });
    expect(await find([first, new Error('gone'), last])).toEqual({ blocks: [first], missing: 'unread' });
    expect(await find([refusal(undefined, 404), last])).toEqual({ blocks: [], missing: 'noBlocks' });
  });

  test('do not hold one that is published under a second number', async () => {
    const block = fillIn(1);
    const second = { ...block, blockId: 2 };
    expect(await find([block, second, fillIn(3)])).toEqual({ blocks: [block, fillIn(3)], missing: 'hash' });
    expect(await find([null, block, second, null])).toEqual({ blocks: [block], missing: 'hash' });
  });

  test('are left out one by one, with the first reason, when they do not hold', async () => {
    const [good, last] = [fillIn(1), fillIn(4)];
    const wrongHash = { ...fillIn(2), publicDataHash: HASH };
    const wrongRoot = { ...fillIn(3), root: HASH };
    expect(await find([good, wrongHash, wrongRoot, last])).toEqual({ blocks: [good, last], missing: 'hash' });
  });

  test('do not hold the one with which more is filled than was signed', async () => {
    const fills = [600n, 600n, 400n].map((fill, index) => fillIn(index + 1, 0, fill));
    expect(await find(fills)).toEqual({ blocks: [fills[0], fills[2]], missing: 'terms' });
  });

  test('are as many as a receipt has room for, and a later one that fits is not left out', async () => {
    const long = fillIn(1, 1_000_000);
    const [second, small] = [fillIn(2, 1_000_000), fillIn(3)];
    expect(await find([long, second, small])).toEqual({ blocks: [long, small], missing: 'size' });
  });

  test('may fill the room of a receipt to its last character, and none may be longer than it', async () => {
    const room = 1_500_000;
    const most = fillIn(1);
    const exactly = { ...most, data: most.data.padEnd(room, '0') as Block['data'] };
    // Its bytes no longer have the hash that is claimed of them, so it was looked into.
    expect(await find([exactly])).toEqual({ blocks: [], missing: 'hash' });
    expect(await find([{ ...exactly, data: `${exactly.data}00` }])).toEqual({ blocks: [], missing: 'size' });
  });
});

describe('a receipt', () => {
  const config = (accounts: object[], networks: object[] = [network], claimed: object[] = []) => {
    const stored = { ...readableConfig(undefined), networks, accounts, claimed };
    return createConfig({ get: async () => stored } as never, {} as never, (_name, work) => work());
  };
  const ports = { now: () => NOW };
  const other = (changes: object) => Object.assign({}, account, { id: 'other' }, changes);

  test('is of the account and network of the submission', async () => {
    const accounts = [other({ networkId: 'net2' }), other({ accountId: 9 }), account];
    const networks = [Object.assign({}, network, { id: 'net2' }), network];
    const owners: unknown[] = [];
    const inclusion = { blocks: [], missing: 'notYet' } as const;
    const receipt = await receiptOf(
      { config: config(accounts, networks), ports },
      recordOf(),
      'user',
      async (owner) => {
        owners.push(owner);
        return { ...inclusion, blocks: [] };
      },
    );
    expect(receipt).toMatchObject({
      ...{ exportedAt: NOW, network: { id: 'net' }, account: { id: 'net:7' }, inclusion },
    });
    expect(owners).toEqual([{ account, network }]);
  });

  test('is also of an account that was claimed and has no key yet', async () => {
    const claimed = config([], [network], [account]);
    expect(await receiptOf({ config: claimed, ports }, recordOf(), 'user')).toMatchObject({ account: { id: 'net:7' } });
  });

  test('for a site asks nobody for blocks', async () => {
    const receipt = await receiptOf({ config: config([account]), ports }, recordOf(), 'site');
    expect(receipt).not.toHaveProperty('inclusion');
  });

  test('cannot be had once the account or network was removed', async () => {
    const gone = { name: 'UiFailure', code: 'not-found', key: 'error_notFound' };
    await expect(receiptOf({ config: config([]), ports }, recordOf(), 'user')).rejects.toMatchObject(gone);
    await expect(receiptOf({ config: config([account], []), ports }, recordOf(), 'user')).rejects.toMatchObject(gone);
  });
});
