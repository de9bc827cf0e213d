import { joinLrcEth, LP } from '../../support/dev.ts';
import { openFriend } from '../inPeace.ts';
import type { Scenario } from '../scenario.ts';
import type { Stage } from '../stage.ts';

const LRC = 1;
const ETHER = 10n ** 18n;
/** What every account of a stage begins with. */
const FUNDS = 100_000n * ETHER;
const SENT = 123_000_000_000_000_000_000n;

const approve = () => ['approve'] as const;

type BalanceOwner = Pick<Stage['account'], 'accountId' | 'apiKey'>;

/** What an account of the relayer, the stage's own unless another is given, has of a token. */
async function balanceOf({ client, account }: Stage, token: number, of: BalanceOwner = account): Promise<bigint> {
  const query = { accountId: of.accountId, tokens: String(token) };
  const [balance] = await client.getBalances({ query, apiKey: of.apiKey });
  return BigInt(balance?.total ?? 0);
}

/** A share of the pool LRC-ETH. */
async function joinPool(stage: Stage): Promise<void> {
  const { client, relayer, account, memory } = stage;
  const poolAddress = await joinLrcEth(relayer, account.owner, [150n * ETHER, ETHER / 100n]);
  await relayer.engine.run();
  const burned = String(await balanceOf(stage, LP));
  const { transactions } = await client.getAmmTransactions({
    query: { accountId: account.accountId },
    apiKey: account.apiKey,
  });
  Object.assign(memory, { poolAddress, burned, joined: transactions[0]?.hash });
}

/**
 * @param later - Seconds by which it expires later: without them two browsers would sign the same
 *   payload.
 */
const send = (friend: string | undefined, later = 0) => ({
  method: 'relayer_transfer',
  params: [
    {
      token: { tokenId: LRC, volume: String(SENT) },
      payeeAddr: friend,
      feeTokenId: 0,
      validUntil: Math.floor(Date.now() / 1000) + 30 * 86_400 + later,
    },
  ],
});

const takeOut = {
  method: 'relayer_withdraw',
  params: [{ token: { tokenId: LRC, volume: String(SENT) }, feeTokenId: 0 }],
};

async function transferred({ client, account }: Stage): Promise<string[]> {
  const query = { accountId: account.accountId, limit: 50 };
  return (await client.getTransfers({ query, apiKey: account.apiKey })).transactions.map(({ hash }) => hash);
}

async function withdrawn({ client, account }: Stage): Promise<string[]> {
  const query = { accountId: account.accountId, limit: 50 };
  return (await client.getWithdrawals({ query, apiKey: account.apiKey })).transactions.map(({ hash }) => hash);
}

const transfers = {
  operation: 'transfer',
  kinds: ['read', 'transfers'],
  browsers: 1,
  mayStayOpen: false,
  before: openFriend,
  ask: ({ memory: { friend } }: Stage) => [send(friend)],
  steps: approve,
  atRelayer: transferred,
  async audit(stage, happened) {
    const { friendId, friendKey = '' } = stage.memory;
    const got = await balanceOf(stage, LRC, { accountId: Number(friendId), apiKey: friendKey });
    return got === BigInt(happened) * SENT ? [] : [`the receiver of ${happened} transfers has ${got}`];
  },
} satisfies Omit<Scenario, 'name'>;

export const transferScenarios: readonly Scenario[] = [
  { ...transfers, name: 'transfer' },
  { ...transfers, name: 'transfer-two-windows', steps: () => ['approve+reject'] },
  { ...transfers, name: 'transfer-disconnected', steps: () => ['approve+revoke'] },
  {
    ...transfers,
    name: 'transfer-two-browsers',
    browsers: 2,
    ask: ({ memory: { friend } }) => [send(friend), { ...send(friend, 60), browser: 1 }],
  },
  {
    ...transfers,
    // Both take their storage id from one counter.
    name: 'transfer-and-withdraw',
    besides: 'withdraw',
    kinds: ['read', 'transfers', 'withdrawals'],
    ask: ({ memory: { friend } }) => [send(friend), { ...takeOut, tab: 2 }],
    atRelayer: async (stage) => [...(await transferred(stage)), ...(await withdrawn(stage))],
    async audit(stage, happened) {
      const sent = (await transferred(stage)).length;
      const left = await balanceOf(stage, LRC);
      return [
        ...(await transfers.audit(stage, sent)),
        ...(left === FUNDS - BigInt(happened) * SENT ? [] : [`${left} LRC are left after ${happened} moves`]),
      ];
    },
  },
  {
    name: 'withdraw',
    operation: 'withdraw',
    kinds: ['read', 'withdrawals'],
    browsers: 1,
    mayStayOpen: false,
    ask: () => [takeOut],
    steps: approve,
    atRelayer: withdrawn,
    async audit(stage, happened) {
      const left = await balanceOf(stage, LRC);
      return left === FUNDS - BigInt(happened) * SENT ? [] : [`${left} LRC are left after ${happened} withdrawals`];
    },
  },
  {
    name: 'pool-join',
    operation: 'joinAmmPool',
    kinds: ['read', 'pools'],
    browsers: 1,
    mayStayOpen: false,
    before: joinPool,
    ask: ({ memory: { poolAddress } }) => {
      const pooled = [
        { tokenId: LRC, volume: String(150n * ETHER) },
        { tokenId: 0, volume: String(ETHER / 100n) },
      ];
      const joinTokens = { pooled, minimumLp: { tokenId: LP, volume: '1' } };
      return [{ method: 'relayer_joinAmmPool', params: [{ poolAddress, joinTokens }] }];
    },
    steps: approve,
    async atRelayer({ client, account, memory }) {
      const query = { accountId: account.accountId, limit: 50, txTypes: 'join' };
      const { transactions } = await client.getAmmTransactions({ query, apiKey: account.apiKey });
      // The first one gave the account its share before.
      return transactions.map(({ hash }) => hash).filter((hash) => hash !== memory.joined);
    },
    async audit(stage, happened) {
      const got = (await balanceOf(stage, LP)) - BigInt(stage.memory.burned ?? 0);
      return got > 0n === happened > 0 ? [] : [`${got} pool shares came from ${happened} joins`];
    },
  },
  {
    name: 'pool-exit',
    operation: 'exitAmmPool',
    kinds: ['read', 'pools'],
    browsers: 1,
    mayStayOpen: false,
    before: joinPool,
    ask: ({ memory: { poolAddress, burned } }) => {
      const unPooled = [1, 0].map((tokenId) => ({ tokenId, volume: '1' }));
      return [{ method: 'relayer_exitAmmPool', params: [{ poolAddress, exitTokens: { burned, unPooled } }] }];
    },
    steps: approve,
    async atRelayer({ client, account }) {
      const query = { accountId: account.accountId, limit: 50, txTypes: 'exit' };
      return (await client.getAmmTransactions({ query, apiKey: account.apiKey })).transactions.map(({ hash }) => hash);
    },
    async audit(stage, happened) {
      const left = await balanceOf(stage, LP);
      return left === (happened === 0 ? BigInt(stage.memory.burned ?? 0) : 0n) ? [] : [`${left} pool shares are left`];
    },
  },
];
