import { beforeEach, describe, expect, test } from 'vitest';
import { factsOf } from '../../src/background/approvals/factsOf.ts';
import { account, createApprovalStage, NOW_MS, network, OTHER, SITE, TWIN } from './approvalStage.ts';

const HASH = `0x${'Ab'.repeat(32)}`;
const order = (sellTokenId: number) => ({
  sellToken: { tokenId: sellTokenId, volume: '500' },
  buyToken: { tokenId: 0, volume: '7' },
});
const transfer = (requestType: number, volume = '3') => ({
  ...{ payPayeeUpdateAccount: requestType !== 3, maxFee: { tokenId: 1, volume } },
  ...{ payeeAddr: `0x${'9'.repeat(40)}`, token: { tokenId: 1, volume: '1' } },
});

let stage: ReturnType<typeof createApprovalStage>;
let numbers: number;
beforeEach(() => {
  stage = createApprovalStage();
  numbers = 0;
});

const facts = (origin = SITE) =>
  factsOf(
    {
      ...{ journal: stage.journal, accountKeys: {}, relayers: { client: () => ({}) } },
      ports: { now: () => NOW_MS, local: { get: async () => undefined } },
      config: {
        read: async () => ({
          accounts: [account],
          networks: [network, { ...network, id: 'two', exchangeAddress: '0x22' }],
        }),
      },
      contacts: {
        list: async (of: string) => (of === network.id ? [{ address: '0xb0', name: 'Ana' }] : []),
      },
    } as never,
    account,
    network,
    origin,
  );

interface Signed {
  readonly operation: string;
  readonly draft: object;
  readonly hash?: string;
  readonly origin?: string;
  readonly networkId?: string;
  readonly accountId?: number;
  readonly slot?: boolean;
  readonly reuse?: number | undefined;
}

/** A request that was signed and sent, and taken by the relayer when `state` says so. */
async function sign(
  { hash, slot = true, reuse, ...draft }: Signed,
  state: 'sent' | 'acknowledged' | 'processed' = 'acknowledged',
) {
  const { journal } = stage;
  const { id, slot: reserved } = await journal.reserve(
    {
      ...{ networkId: network.id, accountId: account.accountId, origin: SITE, requestId: `q${++numbers}` },
      ...{ reviewDigest: '0xd1', ...draft },
    },
    slot ? { slot: { tokenId: 1, parity: 'order', nextFromRelayer: 0, reuse } } : {},
  );
  await journal.markSigned(id, { wire: { endpoint: 'submitOrder', bodyText: '{}' }, ...(hash ? { hash } : {}) });
  await journal.markSent(id);
  if (state !== 'sent') await journal.markAcknowledged(id, {});
  if (state === 'processed') await journal.markFinal(id, 'processed', {});
  return reserved?.storageId;
}

test('name the site, the exchanges of all networks, and the addresses that the user knows', async () => {
  const { origin, exchanges, knownAddresses, now, account: of } = facts();
  expect([origin, now, of]).toEqual([...[SITE, NOW_MS / 1000], { accountId: account.accountId, owner: account.owner }]);
  expect(await exchanges()).toEqual([network.exchangeAddress, '0x22']);
  await sign({ operation: 'transfer', draft: transfer(3), slot: false });
  expect(await knownAddresses()).toEqual([
    { address: account.owner, label: 'Main', source: 'own' },
    { address: '0xb0', label: 'Ana', source: 'book' },
    { address: `0x${'9'.repeat(40)}`, source: 'sent', accountId: account.accountId },
  ]);
});

test('come from the records that can be read', async () => {
  await sign({ operation: 'transfer', draft: transfer(3), slot: false });
  for (const draft of [{}, { maxFee: { tokenId: 1 }, payeeAddr: 7 }, null as never])
    for (const operation of ['transfer', 'withdraw', 'joinAmmPool', 'teleport'])
      await sign({ operation, draft, slot: false });
  const read = facts();
  expect(await read.signedFees()).toEqual([{ requestType: 3, tokenId: 1, volume: '3' }]);
  const sent = (await read.knownAddresses()).filter(({ source }) => source === 'sent');
  expect(sent).toEqual([{ address: `0x${'9'.repeat(40)}`, source: 'sent', accountId: account.accountId }]);
});

describe('the orders of a site', () => {
  test('are those that it placed for this account at the exchange and that may be open, the first one first', async () => {
    const placed = { operation: 'submitOrder', draft: order(1) };
    await sign({ ...placed, hash: '0x1' });
    await sign({ ...placed, hash: '0x2' });
    await sign({ ...placed, hash: '0x3' }, 'sent');
    await sign({ ...placed, hash: '0x4' }, 'processed');
    await sign({ ...placed, hash: '0x5', origin: OTHER });
    await sign({ ...placed, hash: '0x6', networkId: 'two' });
    await sign({ ...placed, hash: '0x7', accountId: 1 });
    await sign({ ...placed, hash: '0x9', networkId: TWIN });
    await sign(placed);
    await sign({ operation: 'transfer', draft: transfer(3), hash: '0x8' });
    expect(await facts().siteOrders()).toEqual(['0x1', '0x2', '0x3', '0x9']);
    expect(await facts(OTHER).siteOrders()).toEqual(['0x5']);
  });

  test.each([
    ['just now', NOW_MS, true],
    ['within the last minute', NOW_MS - 59_999, true],
    ['a minute ago', NOW_MS - 60_000, false],
    ['by a clock that was a minute ahead', NOW_MS + 60_000, false],
  ])('are those whose cancellation was answered %s only where it says so', async (_when, at, isLeftOut) => {
    const { journal } = stage;
    const hashes = ['1', '2', '3'].map((digit) => `0x${digit.repeat(64)}`);
    for (const hash of hashes) await sign({ operation: 'submitOrder', draft: order(1), hash });
    const [first = '', second = ''] = hashes;
    const of = { networkId: network.id, accountId: account.accountId, origin: SITE, requestId: 'cancellation' };
    const { id } = await journal.reserve({ ...of, operation: 'cancelAllOrders', draft: {}, reviewDigest: '0xd1' });
    const query = { accountId: account.accountId, orderHash: `${first},${second}` };
    await journal.markSigned(id, { wire: { endpoint: 'cancelOrdersByHash', query } });
    await journal.markSent(id);
    stage.clock.ms = at;
    await journal.markAcknowledged(id, [
      { id: first, result: true },
      { id: second, result: false },
    ]);
    expect(await facts().siteOrders()).toEqual(isLeftOut ? hashes.slice(1) : hashes);
  });
});

test('a fee and a receiver are found behind more orders than are looked through', async () => {
  await sign({ operation: 'transfer', draft: transfer(3, '1') });
  for (let n = 0; n < 501; n++) await sign({ operation: 'submitOrder', draft: order(1) });
  expect(await facts().signedFees()).toHaveLength(1);
  expect(await facts().knownAddresses()).toMatchObject([
    ...[{}, {}],
    { address: transfer(3).payeeAddr, source: 'sent' },
  ]);
});

describe('the fees that were signed', () => {
  test('are those of what the exchange took, under any URL and of any site, the latest first', async () => {
    const paid = (volume: string) => ({ operation: 'transfer', draft: transfer(3, volume), slot: false });
    await sign(paid('1'));
    await sign({ ...paid('2'), origin: OTHER }, 'processed');
    await sign(paid('3'), 'sent');
    await sign({ ...paid('4'), networkId: 'two' });
    await sign({ ...paid('6'), networkId: TWIN });
    await sign({ ...paid('5'), accountId: 1 });
    await sign({ operation: 'submitOrder', draft: order(1) });
    expect(await facts().signedFees()).toEqual([
      { requestType: 3, tokenId: 1, volume: '6' },
      { requestType: 3, tokenId: 1, volume: '2' },
      { requestType: 3, tokenId: 1, volume: '1' },
    ]);
  });
});

describe('an order by its hash', () => {
  test('has the slot and the amounts that were signed, whoever asked for it', async () => {
    const storageId = await sign({ operation: 'submitOrder', draft: order(1), hash: HASH, origin: OTHER }, 'sent');
    const signed = { storageId, sellTokenId: 1, buyTokenId: 0, sellVolume: '500', buyVolume: '7' };
    expect(await facts().signedOrder(HASH.toLowerCase())).toEqual(signed);
    expect(await facts().signedOrder(`0x${'AB'.repeat(32)}`)).toEqual(signed);
  });

  test('names the open request above it in its slot, until that one has ended', async () => {
    const storageId = await sign({ operation: 'submitOrder', draft: order(1), hash: HASH }, 'processed');
    expect((await facts().signedOrder(HASH))?.newer).toBeUndefined();
    await sign({ operation: 'submitOrder', draft: order(1), hash: '0x7' });
    expect((await facts().signedOrder(HASH))?.newer).toBeUndefined();
    await sign({ operation: 'replaceOrder', draft: order(1), hash: '0x8', reuse: storageId });
    expect((await facts().signedOrder(HASH))?.newer).toBe('0x8');
    expect((await facts().signedOrder('0x8'))?.newer).toBeUndefined();
    const [newer] = await stage.journal.list({ operations: ['replaceOrder'] });
    await stage.journal.markFinal(newer?.id ?? '', 'cancelled');
    expect((await facts().signedOrder(HASH))?.newer).toBeUndefined();
  });

  test('is known when it was signed under another URL of the exchange, like what is newer in its slot', async () => {
    await sign({ operation: 'submitOrder', draft: order(1), hash: HASH, networkId: TWIN });
    const slot = { tokenId: 1, parity: 'order', reuse: 0 } as const;
    await stage.sign({ networkId: network.id, requestId: 'newer' }, { slot });
    expect(await facts().signedOrder(HASH)).toMatchObject({ sellVolume: '500', newer: '0xab' });
  });

  test('is not known when it is of another account or network, has no slot, or is no order', async () => {
    const placed = { operation: 'submitOrder', draft: order(1) };
    await sign({ ...placed, hash: '0x1', accountId: 1 });
    await sign({ ...placed, hash: '0x2', networkId: 'two' });
    await sign({ ...placed, hash: '0x3', slot: false });
    await sign({ operation: 'transfer', draft: transfer(3), hash: '0x4' });
    await sign(placed);
    for (const hash of ['0x1', '0x2', '0x3', '0x4', '0x5']) expect(await facts().signedOrder(hash)).toBeNull();
  });
});
