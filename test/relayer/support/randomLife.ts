import fc from 'fast-check';
import { type BlockEntry, OpenBlock } from '../../../src/relayer/engine/blocks.ts';
import { lockEngine } from '../../../src/relayer/engine/engineLock.ts';
import { callerOf } from './caller.ts';
import { DEPOSITOR, SETTLEMENT_KEY, someEvent } from './operated.ts';
import type { TestRelayer } from './startRelayer.ts';
import { LRC_ETH_POOL, type NftPlace, randomSecretKey, type TestAccount } from './testAccount.ts';
import { ETH, ether, LRC } from './tokens.ts';

const who = fc.integer({ min: 0, max: 2 });
/** Parts of a hundred; amounts between dust and more than anybody has. */
const part = fc.integer({ min: 1, max: 120 });

/** Most lives go on trading. */
const four = <Word extends string>(word: Word): Word[] => [word, word, word, word];
const payout = fc.constantFrom('withdrawal-paid', 'withdrawal-failed');

const actions = [
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
  { weight: 3, arbitrary: fc.record({ do: fc.constant('join' as const), who, part }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('exit' as const), who, part }) },
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
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('nftDeposit' as const), who, id: fc.integer({ min: 1, max: 3 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('withdrawNft' as const), who }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('append' as const),
      type: fc.constantFrom('Noop', 'SignatureVerification'),
      who,
    }),
  },
] as const;
const restart = { weight: 1, arbitrary: fc.record({ do: fc.constant('restart' as const) }) } as const;

/** Anything that somebody does with an exchange. */
export const action = fc.oneof(...actions);
/** The same, and the relayer stops and starts in between. */
export const actionOrRestart = fc.oneof(...actions, restart);
type Action = typeof actionOrRestart extends fc.Arbitrary<infer A> ? A : never;

/** A relayer that can be stopped and started on the same data, and three accounts of it. */
export interface Stage {
  test: TestRelayer;
  readonly people: TestAccount[];
  restart(): Promise<void>;
}

/** A contract that exists on layer 1. */
const DEPOSITED = `0x${'c7'.repeat(20)}`;
const nftIdOf = (id: number): `0x${string}` => `0x${id.toString(16).padStart(64, '0')}`;

const bearer = { headers: { authorization: `Bearer ${SETTLEMENT_KEY}` } };
const operator = ({ relayer }: TestRelayer) => callerOf(`http://127.0.0.1:${relayer.operationsPort}`);
export const tell = (test: TestRelayer, word: string, body: object) =>
  operator(test)('POST', `/operator/${word}`, { body, ...bearer });

export async function perform(stage: Stage, act: Action): Promise<void> {
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
        await person(act.who).mint(nftIdOf(act.id), 3n, {
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
    case 'nftDeposit': {
      const body = { owner: person(act.who).owner, tokenAddress: DEPOSITED, nftId: nftIdOf(act.id), amount: '3' };
      await test.call('POST', '/dev/nftDeposit', { body });
      return;
    }
    case 'withdrawNft': {
      const account = person(act.who);
      const { body } = await account.get('/api/v3/user/nft/balances', { tokenAddrs: DEPOSITED });
      const held = body.data[0] as NftPlace | undefined;
      if (held) await account.post('/api/v3/nft/withdrawal', await account.nftWithdrawal(held, 1n));
      return;
    }
    case 'append':
      return append(test, act.type, person(act.who));
    case 'restart':
      return stage.restart();
  }
}

/**
 * The update may fail: the fee may be missing, and an armed fault may meet it. Then the old key
 * stays in force.
 */
async function replaceKey(test: TestRelayer, account: TestAccount): Promise<void> {
  const key = randomSecretKey();
  await test.call('POST', '/api/v3/account', await account.keyUpdate(key));
  await test.block();
  const { body: now } = await test.call('GET', '/api/v3/account', { query: { owner: account.owner } });
  if (now.nonce === account.nonce) return;
  account.secretKey = key;
  account.nonce = now.nonce;
  await account.login();
}

/**
 * Puts a transaction into the open block for which the interface has no request: blocks may hold
 * it, and it moves nothing.
 */
async function append(test: TestRelayer, type: 'Noop' | 'SignatureVerification', { accountId, owner }: TestAccount) {
  const { timestamp } = (await test.call('GET', '/api/v3/timestamp')).body;
  const signed = { type: 'SignatureVerification', owner: BigInt(owner), accountId, data: 5n } as const;
  const entry: BlockEntry = { executed: type === 'Noop' ? { type } : signed, shown: { txType: type } };
  await test.relayer.db.transaction(async (tx) => {
    await lockEngine(tx);
    const block = await OpenBlock.take(tx, timestamp);
    await block.append([entry]);
    await block.close();
  });
}
