import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountUpdateTypedData } from '../../src/protocol/typedData.ts';
import { fuzzFactor } from '../support/fuzz.ts';
import { auditDatabase } from './support/audit.ts';
import { callerOf } from './support/caller.ts';
import { START_TIMEOUT_MS } from './support/databases.ts';
import { DEPOSITOR, SETTLEMENT_KEY, someEvent } from './support/operated.ts';
import { createDatabase } from './support/postgresCluster.ts';
import { startRelayer, type TestRelayer } from './support/startRelayer.ts';
import { LRC_ETH_POOL, type NftPlace, randomSecretKey, type TestAccount } from './support/testAccount.ts';
import { ether } from './support/validCalls.ts';

/**
 * Random lives of a relayer over HTTP. After each of them: no balance negative, every token's total equal to what was
 * deposited minus what was withdrawn (fees included), no storage id used twice, histories equal to the balances, and the
 * blocks replayed give the ledger. `FUZZ=100` plays a hundred times as many.
 */

const ETH = 0;
const LRC = 1;

const who = fc.integer({ min: 0, max: 2 });
/** Parts of a hundred; amounts between dust and more than anybody has. */
const part = fc.integer({ min: 1, max: 120 });

/** Most lives go on trading. */
const four = <Word extends string>(word: Word): Word[] => [word, word, word, word];
const payout = fc.constantFrom('withdrawal-paid', 'withdrawal-failed');

const action = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('order' as const),
      who,
      buys: fc.boolean(),
      part,
      price: fc.integer({ min: 90, max: 110 }),
      byB: fc.boolean(),
      kind: fc.constantFrom('LIMIT_ORDER', 'TAKER_ONLY', 'MAKER_ONLY', 'AMM'),
      channel: fc.constantFrom('ORDER_BOOK', 'MIXED', 'AMM_POOL'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('cancel' as const), who, nth: fc.nat(5) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('replace' as const), who, part }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('transfer' as const),
      who,
      to: who,
      token: fc.constantFrom(ETH, LRC),
      part,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('withdraw' as const), who, token: fc.constantFrom(ETH, LRC), part }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('deposit' as const), who, token: fc.constantFrom('ETH', 'LRC'), part }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('join' as const), who, part }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('exit' as const), who, part }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('mint' as const), who, id: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('sendNft' as const), who, to: who }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('tradeNft' as const),
      who,
      to: who,
      count: fc.integer({ min: 1, max: 3 }),
      price: fc.integer({ min: 1, max: 999 }),
      validated: fc.boolean(),
      byTaker: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('newKey' as const), who }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('reportDeposit' as const),
      who,
      part,
      times: fc.integer({ min: 1, max: 3 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('reportPayout' as const),
      nth: fc.nat(5),
      words: fc.array(payout, { minLength: 1, maxLength: 3 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('market' as const), word: fc.constantFrom('halt', ...four('resume')) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('account' as const),
      who,
      word: fc.constantFrom('suspend', ...four('resume')),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('block' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('wait' as const), minutes: fc.integer({ min: 1, max: 90 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('settleFault' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restart' as const) }) },
);
type Action = typeof action extends fc.Arbitrary<infer A> ? A : never;

/** A relayer that can be stopped and started on the same data, and three accounts of it. */
interface Stage {
  test: TestRelayer;
  readonly people: TestAccount[];
  restart(): Promise<void>;
}

const bearer = { headers: { authorization: `Bearer ${SETTLEMENT_KEY}` } };
const operator = ({ relayer }: TestRelayer) => callerOf(`http://127.0.0.1:${relayer.operationsPort}`);
const tell = (test: TestRelayer, word: string, body: object) =>
  operator(test)('POST', `/operator/${word}`, { body, ...bearer });

async function perform(stage: Stage, act: Action): Promise<void> {
  const { test, people } = stage;
  const person = (index: number) => {
    const found = people[index];
    if (!found) throw new Error('nobody');
    return found;
  };
  const share = async (account: TestAccount, token: number, hundredths: number) =>
    ((await account.balance(token)).total * BigInt(hundredths)) / 100n;
  switch (act.do) {
    case 'order': {
      const account = person(act.who);
      const lrc = 100n * ether * BigInt(act.part);
      const eth = (lrc * BigInt(act.price)) / 1_500_000n;
      const [sell, buy] = act.buys
        ? ([
            [ETH, eth],
            [LRC, lrc],
          ] as const)
        : ([
            [LRC, lrc],
            [ETH, eth],
          ] as const);
      await account.submit(
        await account.order(sell, buy, {
          fillAmountBOrS: act.byB,
          orderType: act.kind,
          tradeChannel: act.channel,
          validUntil: await account.inSeconds(3600),
        }),
      );
      return;
    }
    case 'cancel': {
      const { body } = await person(act.who).get('/api/v3/orders', { status: 'processing' });
      const order = body.orders[act.nth % Math.max(1, body.orders.length)];
      if (order) await person(act.who).cancel({ orderHash: order.hash });
      return;
    }
    case 'replace': {
      const account = person(act.who);
      const { body } = await account.get('/api/v3/orders', { status: 'processing' });
      const [order] = body.orders;
      if (!order) return;
      const { tokenId, storageId } = order.storageInfo;
      const other = tokenId === ETH ? LRC : ETH;
      const amount = await share(account, tokenId, act.part);
      if (amount > 0n)
        await account.submit(
          await account.order([tokenId, amount], [other, amount], { storageId: storageId + 16_384 }),
        );
      return;
    }
    case 'transfer': {
      const account = person(act.who);
      const body = await account.transfer(person(act.to).owner, [
        act.token,
        (await share(account, act.token, act.part)) + 1n,
      ]);
      await account.post('/api/v3/transfer', body);
      await account.post('/api/v3/transfer', body);
      return;
    }
    case 'withdraw': {
      const account = person(act.who);
      const amount = (await share(account, act.token, act.part)) / 4n;
      await account.post('/api/v3/user/withdrawals', await account.withdrawal([act.token, amount + 1n]));
      return;
    }
    case 'deposit':
      await test.call('POST', '/dev/deposit', {
        body: { owner: person(act.who).owner, symbol: act.token, amount: String(ether * BigInt(act.part)) },
      });
      return;
    case 'join': {
      const account = person(act.who);
      const eth = (await share(account, ETH, act.part)) / 10n;
      await account.post('/api/v3/amm/join', await account.join(LRC_ETH_POOL, [eth * 15_000n + 1n, eth + 1n]));
      return;
    }
    case 'exit': {
      const account = person(act.who);
      const lp = await share(account, LRC_ETH_POOL.lp, act.part);
      await account.post('/api/v3/amm/exit', await account.exit(LRC_ETH_POOL, lp + 1n));
      return;
    }
    case 'mint':
      await person(act.who).post(
        '/api/v3/nft/mint',
        await person(act.who).mint(`0x${act.id.toString(16).padStart(64, '0')}`, 3n, {
          forceToMint: true,
          creatorFeeBips: 40,
        }),
      );
      return;
    case 'sendNft': {
      const account = person(act.who);
      const { body } = await account.get('/api/v3/user/nft/balances');
      const held = body.data[0] as NftPlace | undefined;
      if (held) await account.post('/api/v3/nft/transfer', await account.nftTransfer(person(act.to).owner, held, 1n));
      return;
    }
    case 'tradeNft': {
      const [seller, buyer] = [person(act.who), person(act.to)];
      const { body } = await seller.get('/api/v3/user/nft/balances');
      const held = body.data[0] as NftPlace | undefined;
      if (!held) return;
      const price = { tokenId: ETH, amount: String((ether * BigInt(act.price)) / 100n) };
      const nfts = { tokenId: held.tokenId, nftData: held.nftData, amount: String(act.count) };
      const sale = await seller.nftOrder(nfts, price);
      const purchase = await buyer.nftOrder(price, nfts, { fillAmountBOrS: true });
      // What is validated and never traded holds its amount until it expires.
      if (act.validated) await seller.post('/api/v3/nft/validateOrder', sale);
      const [maker, taker] = act.byTaker ? [purchase, sale] : [sale, purchase];
      const sides = { maker, makerFeeBips: 60, matchByTaker: act.byTaker, taker, takerFeeBips: 55 };
      if (act.price % 5 > 0) await seller.signed('POST', '/api/v3/nft/trade', { body: sides });
      return;
    }
    case 'reportDeposit': {
      const amount = String(ether * BigInt(act.part));
      const told = { owner: person(act.who).owner, symbol: 'LRC', amount, from: DEPOSITOR, ...someEvent() };
      await Promise.all(Array.from({ length: act.times }, () => tell(test, 'deposit-confirmed', told)));
      return;
    }
    case 'reportPayout': {
      const { body } = await operator(test)('GET', '/operator/withdrawals', bearer);
      const waiting = body.rows[act.nth % Math.max(1, body.rows.length)];
      if (!waiting) return;
      // All at once: one of them counts.
      const { txHash } = someEvent();
      const facts = { 'withdrawal-paid': { txHash }, 'withdrawal-failed': { reason: 'x' } };
      await Promise.all(act.words.map((word) => tell(test, word, { hash: waiting.hash, ...facts[word] })));
      return;
    }
    case 'market':
      await tell(test, `${act.word}-market`, { market: 'LRC-ETH', reason: 'x' });
      return;
    case 'account':
      await tell(test, `${act.word}-account`, { accountId: person(act.who).accountId, reason: 'x' });
      return;
    case 'newKey':
      return replaceKey(test, person(act.who));
    case 'block':
      return test.block();
    case 'wait':
      return test.advance(act.minutes * 60_000);
    case 'settleFault':
      await test.call('POST', '/dev/failNext', { body: { step: 'settle' } });
      return;
    case 'restart':
      return stage.restart();
  }
}

/** The update may fail: the fee may be missing, and an armed fault may meet it. Then the old key stays in force. */
async function replaceKey(test: TestRelayer, account: TestAccount): Promise<void> {
  const key = randomSecretKey();
  const body = await account.updateBody(key);
  const signature = await account.typedSignature(accountUpdateTypedData(account.place.chainId, body));
  await test.call('POST', '/api/v3/account', { body, headers: { 'x-api-sig': signature } });
  await test.block();
  const { body: now } = await test.call('GET', '/api/v3/account', { query: { owner: account.owner } });
  if (now.nonce === account.nonce) return;
  account.secretKey = key;
  account.nonce = now.nonce;
  await account.login();
}

/** Sums what the history endpoints say of one token; it has to be the balance. */
async function balanceFromHistories(account: TestAccount, tokenId: number, symbol: string): Promise<bigint> {
  let sum = 0n;
  const settled = (row: { status: string }) => row.status === 'processing' || row.status === 'processed';
  const all = async (path: string, list: string, query: object = {}) => {
    const rows = [];
    for (let offset = 0; ; offset += 50) {
      const { body } = await account.get(path, { limit: 50, offset, ...query });
      rows.push(...body[list]);
      if (body[list].length < 50) return rows;
    }
  };
  for (const row of await all('/api/v3/user/transactions', 'transactions')) {
    if (!settled(row)) continue;
    const incoming = row.receiver === account.accountId;
    if (row.symbol === symbol && row.txType !== 'CHANGE_PWD')
      sum += incoming ? BigInt(row.actualAmount) : -BigInt(row.actualAmount);
    if (row.feeTokenSymbol === symbol && !incoming) sum -= BigInt(row.feeAmount);
  }
  for (const row of await all('/api/v3/orders', 'orders')) {
    const { baseFilled, quoteFilled, fee } = row.volumes;
    const buys = row.side === 'BUY';
    if (row.nftData) {
      // The buyer pays its fee on top; both pay it in the token of the price, which is ETH here.
      if (symbol === 'ETH') sum += (buys ? -BigInt(quoteFilled) : BigInt(quoteFilled)) - BigInt(fee);
      continue;
    }
    const base = row.market.split('-')[0] === symbol;
    const quote = row.market.split('-')[1] === symbol;
    if (base) sum += buys ? BigInt(baseFilled) : -BigInt(baseFilled);
    if (quote) sum += buys ? -BigInt(quoteFilled) : BigInt(quoteFilled);
    // Fees are paid in what is bought.
    if (buys ? base : quote) sum -= BigInt(fee);
  }
  for (const row of await all('/api/v3/amm/user/transactions', 'transactions')) {
    if (row.txStatus === 'cancelled') continue;
    const sign = row.txType === 'join' ? -1n : 1n;
    for (const token of row.poolTokens)
      if (token.tokenId === tokenId)
        sum += sign * BigInt(token.actualAmount) - (token.actualAmount === '0' ? 0n : BigInt(token.feeAmount));
  }
  for (const row of await all('/api/v3/user/nft/transactions', 'transactions'))
    if (settled(row) && row.owner.toLowerCase() === account.owner.toLowerCase() && row.feeTokenSymbol === symbol)
      sum -= BigInt(row.feeAmount);
  return sum;
}

const stages = [
  {
    name: 'PGlite',
    open: async () => {
      const dataDir = mkdtempSync(join(tmpdir(), 'countersign-relayer-'));
      return { config: { dataDir }, drop: async () => rmSync(dataDir, { recursive: true, force: true }), runs: 3 };
    },
  },
  {
    name: 'PostgreSQL',
    open: async () => {
      const database = await createDatabase();
      return { config: { databaseUrl: database.url }, drop: database.drop, runs: 8 };
    },
  },
];

describe.each(stages)('random lives of a relayer on $name', ({ open }) => {
  let opened: Awaited<ReturnType<typeof open>>;
  let stage: Stage;
  beforeAll(async () => {
    opened = await open();
    const config = { ...opened.config, operationsPort: 0, operatorKeys: `settlement:${SETTLEMENT_KEY}` };
    const test = await startRelayer(config);
    const port = test.relayer.port;
    stage = {
      test,
      people: [await test.account(), await test.account(), await test.account()],
      restart: async () => {
        await stage.test.close();
        stage.test = await startRelayer({ ...config, port });
      },
    };
  }, START_TIMEOUT_MS);
  afterAll(async () => {
    await stage.test.close();
    await opened.drop();
  });

  it(
    'keep every balance accounted for',
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(action, { minLength: 10, maxLength: 30 }), async (actions) => {
          for (const act of actions) {
            await perform(stage, act);
            if (act.do === 'block') expect(await auditDatabase(stage.test.relayer.db)).toEqual([]);
          }
          expect(await auditDatabase(stage.test.relayer.db)).toEqual([]);
          await stage.test.block();
          expect(await auditDatabase(stage.test.relayer.db)).toEqual([]);
          for (const account of stage.people)
            for (const [tokenId, symbol] of [
              [ETH, 'ETH'],
              [LRC, 'LRC'],
            ] as const)
              expect(await balanceFromHistories(account, tokenId, symbol)).toBe((await account.balance(tokenId)).total);
        }),
        { numRuns: Math.ceil(opened.runs * fuzzFactor), endOnFailure: true },
      );
    },
    600_000 * Math.max(1, fuzzFactor),
  );
});
