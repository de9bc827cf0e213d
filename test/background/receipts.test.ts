import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ReceiptFinding } from '../../src/messaging/views.ts';
import { approvalDigest } from '../../src/operations/approvalDigest.ts';
import { operationNamed, operations } from '../../src/operations/index.ts';
import { bodyText, formatHash, transferTypedData, typedDataDigest } from '../../src/protocol/index.ts';
import {
  decodeBlock,
  encodeBlock,
  publicDataHash,
  RollupError,
  type Transaction,
} from '../../src/protocol/rollup/index.ts';
import type { Receipt } from '../../src/receipts/receipt.ts';
import { verifyReceipt } from '../../src/receipts/verifyReceipt.ts';
import { type Done, everyOperation } from '../support/everyOperation.ts';
import { fuzzFactor, fuzzSeed } from '../support/fuzz.ts';
import { runScript } from '../support/runScript.ts';
import { relayerOfFile } from './relayerOfFile.ts';
import { approveOrder, movableClock, resultOf, SITE, START_TIMEOUT_MS, seal, setUp, until } from './support.ts';

type Stage = Awaited<ReturnType<typeof setUp>> & { clock: ReturnType<typeof movableClock> };

const relayer = await relayerOfFile({ deployAfterMs: 300 });
const clock = movableClock();
const stage: Stage = {
  ...(await setUp(relayer, { now: clock.now }, ['transfers', 'withdrawals', 'nfts', 'pools', 'key', 'sign'])),
  clock,
};
let done: readonly Done[];
/** The person's copies, and the sites', in the order of `done`. */
const own: Receipt[] = [];
const sites: Receipt[] = [];

beforeAll(async () => {
  done = await everyOperation(relayer, stage);
  await seal(relayer);
  await until(async () => {
    const answer = await fetch(`${relayer.url}/api/v3/block/bytes`);
    const { blocks } = (await answer.json()) as { blocks: { blockId: number }[] };
    const [newest] = await relayer.db.query<{ block_id: number }>(
      `SELECT max(block_id) AS block_id FROM blocks WHERE status <> 'open'`,
    );
    return blocks.at(-1)?.blockId === newest?.block_id;
  });
  for (const { result } of done) {
    const records = await stage.wallet.background().wallet.journal.list({ origin: SITE });
    const record = records.find(({ requestId }) => requestId.split('/')[0] === result.requestId);
    own.push(JSON.parse((await stage.wallet.ui('exportReceipt', { id: record?.id ?? '' })).text));
    sites.push(
      resultOf<Receipt>(await stage.wallet.page(SITE, 'relayer_getReceipt', [{ requestId: result.requestId }])),
    );
  }
}, START_TIMEOUT_MS * 2);

const outcomes = (finding: Awaited<ReturnType<typeof verifyReceipt>>) =>
  Object.fromEntries(finding.checks.map(({ name, outcome }) => [name, outcome]));

/** Requests whose only signature travels in a header, which is not kept when they are over. */
const byHeader = ['cancelOrder', 'cancelAllOrders'];
/** The L1 key alone registers a new layer-2 key and signs texts. */
const byOwner = ['updateAccountKey', 'signMessage', 'signTypedData'];
const eddsaOf = (operation: string) =>
  byHeader.includes(operation) ? 'notKept' : byOwner.includes(operation) ? 'none' : 'holds';
/**
 * What a block transaction carries out, and was carried out; orders of this traffic fill nothing.
 */
const inBlocks = [
  'hardCancel',
  'joinAmmPool',
  'exitAmmPool',
  'mintNft',
  'transferNft',
  'deployNft',
  'withdrawNft',
  'transfer',
  'withdraw',
];
const withBlocks = [...inBlocks, 'updateAccountKey'];
const withoutBlocks = ['cancelOrder', 'cancelAllOrders', 'signMessage', 'signTypedData'];
const withOwner = [...byOwner, 'transfer', 'withdraw', 'transferNft', 'withdrawNft', 'deployNft'];

test('every operation leaves a receipt that holds, by the signatures that it carries', async () => {
  expect([...new Set(done.map(({ operation }) => operation))].sort()).toEqual(Object.keys(operations).sort());
  for (const [index, { operation }] of done.entries()) {
    const finding = await verifyReceipt(own[index]);
    expect({ operation, ...outcomes(finding) }).toEqual({
      operation,
      form: 'holds',
      request: 'holds',
      hash: 'holds',
      eddsa: eddsaOf(operation),
      ecdsa: withOwner.includes(operation) ? 'holds' : 'none',
      review: 'holds',
      digest: own[index]?.rule === null && !own[index]?.requestId.includes('/') ? 'holds' : 'none',
      ...(withoutBlocks.includes(operation) ? {} : { block: withBlocks.includes(operation) ? 'holds' : 'none' }),
    });
    expect(own[index]?.version).toBe(withoutBlocks.includes(operation) ? 1 : 2);
    expect(finding.signed).toBe(!byHeader.includes(operation));
    expect(finding).toMatchObject({
      valid: true,
      receipt: { operation, origin: SITE, hash: done[index]?.result.hash },
    });
    expect(finding.receipt?.sentence?.key).toMatch(/^review_/);
  }
});

test('an order that a standing approval answered names its rule', () => {
  expect(own.map(({ rule }) => rule !== null).filter(Boolean)).toEqual([true]);
});

test('the site’s copy holds too, without what the user was shown and without a header signature', async () => {
  for (const [index, { operation }] of done.entries()) {
    const copy = sites[index];
    const finding = await verifyReceipt(copy);
    expect({ operation, valid: finding.valid, eddsa: outcomes(finding).eddsa }).toEqual({
      operation,
      valid: true,
      eddsa: eddsaOf(operation),
    });
    expect(copy).not.toHaveProperty('review');
    expect(copy).not.toHaveProperty('inclusion');
    expect(Object.keys((copy?.shown ?? {}) as object).filter((name) => !['pool', 'validate'].includes(name))).toEqual(
      [],
    );
    expect(copy?.request).not.toHaveProperty('signature');
    const exchange = `${copy?.network.chainId}:${copy?.network.exchange.toLowerCase()}`;
    expect([copy?.network.id, copy?.account.id]).toEqual([exchange, `${exchange}:${stage.account.accountId}`]);
    expect(JSON.stringify(copy)).not.toContain(own[index]?.network.id);
  }
});

/** A receipt of an order with a click of its own, and a copy that may be changed. */
const orderReceipt = () => {
  const found = own.find(
    ({ operation, rule, requestId }) => operation === 'submitOrder' && !rule && !requestId.includes('/'),
  );
  if (!found) throw new Error('no order was approved by a click');
  return structuredClone(found) as typeof found & { shown: { sell: object }; draft: object };
};

/** Makes review and digest of a changed receipt anew, so that it is consistent in itself. */
function consistent(receipt: Receipt): Receipt {
  const { id, operation: name, account, origin, network, draft: body, shown, reviewedAt = 0, requestId } = receipt;
  const operation = operationNamed(name);
  const draft = { body, shown };
  const review = JSON.parse(JSON.stringify(operation.review(draft as never, reviewedAt)));
  const asked = { id: requestId, kind: 'operation', operation: name, account: account.id, draft, origin };
  return { ...receipt, id, review, digest: approvalDigest(asked as never, network.exchange) };
}

test('names and decimals that a file invents stand in no part that the signature covers', async () => {
  const forged = orderReceipt();
  const honest = await verifyReceipt(orderReceipt());
  forged.shown.sell = { ...forged.shown.sell, symbol: 'USDC', name: 'USD Coin', decimals: 12 };
  forged.origin = 'https://binance.com';
  const finding = await verifyReceipt(consistent(forged));
  // Consistent in itself, so nothing contradicts; what is covered is the same, and names nothing.
  expect(finding.valid).toBe(true);
  expect(finding.receipt?.covered).toEqual(honest.receipt?.covered);
  expect(finding.receipt?.covered).toContainEqual({ path: 'sellToken.tokenId', value: '1' });
  expect(JSON.stringify(finding.receipt?.covered)).not.toMatch(/USDC|LRC/);
});

test('an order is the same bytes whichever operation signed it, so which one it was is the word of the file', async () => {
  const asOrder = ['replaceOrder', 'submitOneOf', 'hardCancel'];
  for (const [index, { operation }] of done.entries()) {
    const { receipt, unproven } = await verifyReceipt(own[index]);
    const isOther = asOrder.includes(operation);
    expect([operation, receipt?.signedAs]).toEqual([operation, isOther ? 'submitOrder' : operation]);
    expect([operation, unproven.includes('operation')]).toEqual([operation, isOther || byHeader.includes(operation)]);
  }
  const { review: _, reviewedAt: __, ...order } = orderReceipt();
  const relabelled = await verifyReceipt({ ...order, operation: 'hardCancel' });
  expect(relabelled).toMatchObject({ valid: true, signed: true, receipt: { signedAs: 'submitOrder' } });
  expect(relabelled.unproven).toContain('operation');
});

test('orders that a file puts beside the signed one are covered by nothing', async () => {
  const order = orderReceipt();
  const rest = [{ body: { ...order.draft, validUntil: 1_999_999_999 }, shown: order.shown }];
  const forged = consistent({
    ...order,
    operation: 'submitOneOf',
    shown: { ...(order.shown as object), rest } as never,
  });
  expect(JSON.stringify(forged.review)).toContain('2.validUntil');
  const finding = await verifyReceipt(forged);
  expect(finding).toMatchObject({ valid: true, signed: true });
  expect(finding.receipt?.covered).toEqual((await verifyReceipt(order)).receipt?.covered);
});

test('a field that only the owner’s signature covers is proven by that signature alone', async () => {
  const transfer = structuredClone(own.find(({ operation }) => operation === 'transfer')) as Receipt;
  const honest = await verifyReceipt(transfer);
  expect(honest.receipt?.covered.map(({ path }) => path)).toContain('payerAddr');
  expect(honest.unproven).not.toContain('network.chainId');
  // Whoever has the file can compute the hash that a wallet contract would approve.
  const { ecdsaSignature: _, ...sent } = JSON.parse(transfer.request?.bodyText ?? '{}');
  const draft = { ...(transfer.draft as object), payerAddr: `0x${'12'.repeat(20)}` as const };
  const request = { ...draft, storageId: transfer.storageId ?? 0 };
  const hashApproved = typedDataDigest(transferTypedData(transfer.network.chainId, request as never));
  const body = { ...sent, payerAddr: draft.payerAddr, hashApproved };
  const bodyWith = (text: string) => ({ ...transfer.request, endpoint: 'submitTransfer', bodyText: text });
  const forged = consistent({ ...transfer, draft, request: bodyWith(bodyText(body)) as never });
  // Its block names the sender.
  expect(await verifyReceipt(forged)).toMatchObject({ valid: false, signed: true });
  const { inclusion: __, ...withoutBlock } = forged;
  const finding = await verifyReceipt({ ...withoutBlock, version: 1 });
  expect(finding).toMatchObject({ valid: true, signed: true });
  expect(finding.receipt?.covered.map(({ path }) => path)).not.toContain('payerAddr');
  expect(finding.unproven).toEqual(expect.arrayContaining(['draft.payerAddr', 'account.owner', 'network.chainId']));
  // The hash of anything else is no approval of this request.
  const otherHash = bodyText({ ...body, hashApproved: formatHash(7n) });
  const other = await verifyReceipt({ ...withoutBlock, version: 1, request: bodyWith(otherHash) as never });
  expect([other.valid, outcomes(other).ecdsa]).toEqual([false, 'fails']);
});

test('the owner of a wallet contract proves nothing about the address of the account', async () => {
  const { inclusion: _, ...transfer } = own.find(({ operation }) => operation === 'transfer') as Receipt;
  const account = { ...transfer.account, owner: `0x${'12'.repeat(20)}` };
  // Whoever has the file can name the one who signed as the owner of some wallet.
  const counterFactualInfo = {
    ...{ accountId: stage.account.accountId, wallet: account.owner, walletFactory: account.owner, walletSalt: '1' },
    walletOwner: transfer.account.owner,
  };
  const draft = { ...(transfer.draft as object), counterFactualInfo };
  const sent = { ...JSON.parse(transfer.request?.bodyText ?? '{}'), counterFactualInfo };
  const request = { ...transfer.request, bodyText: bodyText(sent) };
  const finding = await verifyReceipt(consistent({ ...transfer, version: 1, account, draft, request } as never));
  expect(outcomes(finding)).toMatchObject({ request: 'holds', eddsa: 'holds', ecdsa: 'notKept' });
  expect(finding.unproven).toContain('account.owner');
});

test('a storage id stands in the receipt of a request that uses one, and in no other', async () => {
  for (const operation of ['cancelOrder', 'joinAmmPool']) {
    const receipt = own.find((candidate) => candidate.operation === operation) as Receipt;
    const { inclusion: _, ...rest } = receipt;
    const storageId = receipt.storageId === null ? 8 : null;
    const finding = await verifyReceipt({ ...rest, version: 1, storageId });
    expect([operation, finding.valid, outcomes(finding).request]).toEqual([operation, false, 'fails']);
  }
});

test('an owner is proven by a signature of that owner alone', async () => {
  const owner = `0x${'12'.repeat(20)}`;
  const order = orderReceipt();
  const other = await verifyReceipt({ ...order, account: { ...order.account, owner } });
  expect(other.unproven).toContain('account.owner');
  expect(other.unproven).not.toContain('account.publicKey');
  expect(other.receipt?.publicKey).toEqual(order.account.publicKey);
  const transfer = own.find(({ operation }) => operation === 'transfer') as Receipt;
  expect((await verifyReceipt(transfer)).unproven).not.toContain('account.owner');
  expect((await verifyReceipt({ ...transfer, account: { ...transfer.account, owner } })).valid).toBe(false);
});

describe('a review that does not come from the rest of the receipt', () => {
  const sentence = { key: 'review_transfer', values: {} };
  const invented = { sentence, rows: [], warnings: [], bound: [], unbound: [] } as unknown as Receipt['review'];

  test.each(['reviewedAt', 'shown'] as const)('is refused without %s, which it is compared by', async (name) => {
    const { [name]: _, ...forged } = { ...orderReceipt(), review: invented };
    const finding = await verifyReceipt(forged);
    expect(finding).toEqual({
      valid: false,
      signed: false,
      checks: [{ name: 'form', outcome: 'fails' }],
      unproven: [],
      receipt: null,
    });
  });

  test.each([
    ['an invented sentence', invented],
    ['no list of unsigned fields', { unbound: 1 }],
    ['nothing', {}],
  ])('contradicts it and is not shown: %s', async (_what, review) => {
    const finding = await verifyReceipt({ ...orderReceipt(), review });
    expect(outcomes(finding)).toMatchObject({ eddsa: 'holds', review: 'fails' });
    expect(finding).toMatchObject({ valid: false, receipt: { sentence: null, covered: [] } });
    expect(finding.unproven).toContain('draft');
  });

  test('may be left out whole, and then nothing says which fields of the draft are signed', async () => {
    const { review: _, reviewedAt: __, ...without } = orderReceipt();
    const finding = await verifyReceipt(without);
    expect(finding).toMatchObject({ valid: true, receipt: { sentence: null, covered: [] } });
    expect(finding.unproven).toContain('draft');
  });
});

test('a state at a time that has no date is no receipt', async () => {
  const order = orderReceipt();
  const [first, ...others] = order.history;
  const history = [{ ...first, at: 8.64e15 + 2 }, ...others];
  expect((await verifyReceipt({ ...order, history })).receipt).toBeNull();
});

test('a surplus signature fails, and then nothing counts as covered', async () => {
  const surplus = orderReceipt();
  const { eddsaSignature } = JSON.parse(surplus.request?.bodyText ?? '{}') as { eddsaSignature: string };
  if (surplus.request) surplus.request.signature = eddsaSignature;
  const finding = await verifyReceipt(surplus);
  expect([finding.valid, outcomes(finding).eddsa, finding.receipt?.covered]).toEqual([false, 'fails', []]);
});

test('a receipt is for its own site only', async () => {
  const [first] = done;
  const { wallet, accountView } = stage;
  const other = 'https://other.example';
  const ask = () => wallet.page(other, 'relayer_getReceipt', [{ requestId: first?.result.requestId }]);
  expect(await ask()).toMatchObject({ error: { code: 4100 } });
  await wallet.background().wallet.grants.grant(other, [accountView], ['read']);
  expect(await ask()).toEqual({
    error: { code: -32602, message: 'requestId: no request of this site was approved under it' },
  });
});

test('no secret and no API key is in a receipt', () => {
  const { account } = stage;
  const secrets = [account.privateKey, Buffer.from(account.secretKey).toString('hex'), account.apiKey];
  const text = JSON.stringify([own, sites]).toLowerCase();
  for (const secret of secrets) expect(text).not.toContain(secret.toLowerCase().replace(/^0x/, ''));
});

type Path = readonly (string | number)[];

function leavesOf(value: unknown, path: Path = []): { path: Path; value: unknown }[] {
  if (typeof value !== 'object' || value === null) return [{ path, value }];
  return Object.entries(value).flatMap(([key, item]) =>
    leavesOf(item, [...path, Array.isArray(value) ? Number(key) : key]),
  );
}

/** Another value of the same kind. */
function changed(value: unknown, step: number): unknown {
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'number') return value + 1 + step;
  if (value === null) return 'something';
  const text = String(value);
  if (text === '') return 'x';
  // One digit or letter becomes the next; case alone would be the same hex number.
  const at = step % text.length;
  const place = /[0-9a-z]/i.test(text[at] ?? '') ? at : text.length - 1;
  const next = /[0-8a-y]/i.test(text[place] ?? '') ? String.fromCharCode(text.charCodeAt(place) + 1) : '0';
  return text.slice(0, place) + next + text.slice(place + 1);
}

function tampered(receipt: Receipt, path: Path, value: unknown): unknown {
  const copy = structuredClone(receipt) as never;
  let parent: Record<string | number, unknown> = copy;
  for (const key of path.slice(0, -1)) parent = parent[key] as never;
  parent[path.at(-1) as string] = value;
  return copy;
}

describe('tampering with one field', () => {
  const covers = (unproven: readonly string[], path: Path) =>
    unproven.some((prefix) => path.join('.') === prefix || path.join('.').startsWith(`${prefix}.`));

  test('is found, or the field is listed as unproven', async () => {
    const copies = [...own, ...sites];
    const findings = await Promise.all(copies.map(verifyReceipt));
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.nat(), fc.nat({ max: 200 }), async (which, where, step) => {
        const receipt = copies[which % copies.length] as Receipt;
        const { unproven } = findings[which % copies.length] as ReceiptFinding;
        const leaves = leavesOf(receipt);
        const leaf = leaves[where % leaves.length] as { path: Path; value: unknown };
        const finding = await verifyReceipt(tampered(receipt, leaf.path, changed(leaf.value, step)));
        if (finding.valid && !covers(unproven, leaf.path))
          throw new Error(`${receipt.operation}: ${leaf.path.join('.')} was ${leaf.value}`);
      }),
      { numRuns: 600 * fuzzFactor, seed: Number(fuzzSeed) },
    );
  });

  test('of what was signed is always found', async () => {
    for (const receipt of own.filter(({ operation }) => !byHeader.includes(operation))) {
      const { unproven } = await verifyReceipt(receipt);
      const body = JSON.parse(receipt.request?.bodyText ?? '{}');
      for (const { path, value } of leavesOf(receipt.draft)) {
        const full: Path = ['draft', ...path];
        if (covers(unproven, full)) continue;
        // The same change in the draft and in the bytes that were sent.
        const sent = leavesOf(body).some((leaf) => leaf.path.join('.') === path.join('.'));
        const bodyText = JSON.stringify(sent ? tampered(body, path, changed(value, 0)) : body);
        const request = { ...receipt.request, bodyText };
        const both = { ...(tampered(receipt, full, changed(value, 0)) as Receipt), request };
        const { valid } = await verifyReceipt(both);
        expect({ operation: receipt.operation, path: full.join('.'), valid }).toMatchObject({ valid: false });
      }
    }
  });

  test('and adding, leaving out or renaming one is refused', async () => {
    const [order] = own as [Receipt];
    expect((await verifyReceipt({ ...order, note: 'paid' })).valid).toBe(false);
    expect((await verifyReceipt({ ...order, version: 3 })).valid).toBe(false);
    // Version 1 has no blocks, and version 2 says of blocks at least why there are none.
    expect((await verifyReceipt({ ...order, version: 1 })).valid).toBe(false);
    const { inclusion: __, ...noBlocks } = order;
    expect((await verifyReceipt(noBlocks)).valid).toBe(false);
    expect((await verifyReceipt({ ...noBlocks, version: 1 })).valid).toBe(true);
    const { hash: _, ...without } = order;
    expect((await verifyReceipt(without)).valid).toBe(false);
    expect((await verifyReceipt({ ...order, operation: 'sendEverything' })).valid).toBe(false);
    for (const nothing of [undefined, null, [], 'text', 7]) expect((await verifyReceipt(nothing)).receipt).toBeNull();
  });
});

describe('what stands in the blocks of the receipts', () => {
  /** A fee above every highest one, and any other value elsewhere that the field can hold. */
  const other = (name: string, value: number | bigint) =>
    name === 'fee' ? 10n ** 30n : typeof value === 'number' ? value ^ 1 : value === 1n ? 2n : 1n;

  const changedBlock = (receipt: Receipt, transactions: readonly Transaction[]): Receipt => {
    const copy = structuredClone(receipt);
    const [claimed] = copy.inclusion?.blocks ?? [];
    if (!claimed) throw new Error('the receipt has no block');
    const bytes = encodeBlock(decodeBlock(hexToBytes(claimed.data.slice(2))).header, transactions);
    claimed.data = `0x${bytesToHex(bytes)}`;
    claimed.publicDataHash = formatHash(publicDataHash(bytes));
    return copy;
  };

  test('is the request in each field that it fixes', async () => {
    const fields = new Map<string, string>();
    for (const receipt of own.filter(({ operation }) => withBlocks.includes(operation))) {
      const [claimed] = receipt.inclusion?.blocks ?? [];
      const execution = operationNamed(receipt.operation).executedAs?.(receipt.draft, receipt.storageId);
      const { transactions } = decodeBlock(hexToBytes(claimed?.data.slice(2) ?? ''));
      const index = transactions.findIndex((one) => execution?.isOf(one));
      const executed = transactions[index];
      if (!executed) throw new Error(`${receipt.operation} stands nowhere`);
      // Of an NFT that is withdrawn the pair in front says which; of a share the payments in front
      // say what came out. Of a join the other token goes in before it, and the share comes after
      // it.
      const around = { withdrawNft: [-2, -1], exitAmmPool: [-2, -1], joinAmmPool: [-1, 1] }[receipt.operation] ?? [];
      for (const at of [0, ...around].map((offset) => index + offset)) {
        const one = transactions[at] as Transaction;
        for (const [name, value] of Object.entries(one) as [string, number | bigint][]) {
          if (name === 'type' || name === 'toTokenId') continue;
          const changed = { ...one, [name]: other(name, value) } as Transaction;
          let copy: Receipt;
          try {
            copy = changedBlock(receipt, transactions.with(at, changed));
          } catch (error) {
            // No block can hold it.
            if (error instanceof RollupError) continue;
            throw error;
          }
          const { checks } = await verifyReceipt(copy);
          const found = checks.find((check) => check.name === 'block');
          fields.set(`${receipt.operation}.${at === index ? '' : `${at - index}.`}${name}`, found?.reason ?? 'holds');
        }
      }
    }
    const free = [...fields].filter(([, reason]) => reason === 'holds').map(([name]) => name);
    // What the exchange chooses, and what is somebody else's: of a request how it was authorised,
    // and the number of an account whose address stands beside it; of an exit the fee and ids of
    // the pool, of a join those too, and less than was offered; of a trade the other order, and
    // fills and fees within the limits.
    const payment = ['fee', 'feeTokenId', 'fromId', 'kind', 'storageId', 'toId'];
    const otherOrder = ['accountB', 'boughtTokenB', 'feeHighB', 'flagsB', 'storageB'];
    expect(free.sort()).toEqual(
      [
        ...['deployNft', 'transfer', 'transferNft'].flatMap((name) => [`${name}.kind`, `${name}.toId`]),
        ...['fromId', 'kind', 'toId'].map((name) => `exitAmmPool.${name}`),
        ...['', '-1.'].flatMap((part) =>
          ['amount', 'fromId', 'kind', 'toId'].map((name) => `joinAmmPool.${part}${name}`),
        ),
        'joinAmmPool.-1.feeTokenId',
        ...payment.map((name) => `joinAmmPool.1.${name}`),
        ...payment.flatMap((name) => [`exitAmmPool.-1.${name}`, `exitAmmPool.-2.${name}`]),
        ...[...otherOrder, 'fillA', 'flagsA'].map((name) => `hardCancel.${name}`),
        ...['mintNft.tokenAccountId', 'updateAccountKey.kind', 'withdraw.kind', 'withdrawNft.kind'],
      ].sort(),
    );
    expect(fields.size).toBeGreaterThan(60);
  });
});

test('a request that is not over has a receipt as well', async () => {
  const { wallet } = stage;
  resultOf(await approveOrder(wallet));
  const [order] = await wallet.background().wallet.journal.list({ limit: 1 });
  const receipt = JSON.parse((await wallet.ui('exportReceipt', { id: order?.id ?? '' })).text) as Receipt;
  expect(receipt.status).toBe('acknowledged');
  expect(outcomes(await verifyReceipt(receipt))).toMatchObject({ eddsa: 'holds', review: 'holds' });
});

describe('npm run verify-receipt', () => {
  const verify = async (text: string) => {
    const folder = await mkdtemp(join(tmpdir(), 'countersign-receipt-'));
    const file = join(folder, 'receipt.json');
    await writeFile(file, text);
    const { code, lines } = await runScript('verify-receipt', file);
    await rm(folder, { recursive: true });
    return { code, output: lines.join('\n') };
  };

  test('says what is proven and what not, and ends with 0', async () => {
    const [order] = own as [Receipt];
    const { code, output } = await verify(JSON.stringify(order));
    expect(code).toBe(0);
    expect(output).toMatch(/^Place order\n {2}sellToken\.tokenId: 1\n/);
    expect(output).toContain(`Public key, x: ${order.account.publicKey.x}`);
    expect(output.split('Claimed by the file')[0]).toContain(order.hash);
    expect(output.split('Claimed by the file')[1]).toContain(order.account.owner);
    expect(output).toContain('Claimed by the file: Pay 100 LRC');
    expect(output).toMatch(/holds +the signature is by the account key/);
    expect(output).toContain('origin');
    const transfer = own.find(({ operation }) => operation === 'transfer');
    const { output: moved } = await verify(JSON.stringify(transfer));
    const [block] = transfer?.inclusion?.blocks ?? [];
    expect(moved.split('Claimed by the file')[0]).toContain(transfer?.account.owner);
    expect(moved).toMatch(/holds +the request is what stands in the blocks/);
    expect(moved).toContain(`Hash of block ${block?.blockId}: ${block?.publicDataHash}`);
    expect(moved).toContain(`State after block ${block?.blockId}: ${block?.root}`);
  });

  test('ends with 1 when something was changed', async () => {
    const [order] = own as [Receipt];
    const { code, output } = await verify(JSON.stringify({ ...order, hash: `0x${'1'.repeat(64)}` }));
    expect(code).toBe(1);
    expect(output).toMatch(/FAILS +the hash/);
  });

  test('ends with 1 for a file that is no receipt', async () => {
    const { code, output } = await verify('not json');
    expect(code).toBe(1);
    expect(output).toContain('not a receipt');
  });
});
