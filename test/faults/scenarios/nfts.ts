import { getPublicKey, parseSignature, verify } from '../../../src/crypto/index.ts';
import { formatHash, nftOrderHash } from '../../../src/protocol/index.ts';
import { CID, nftFactory } from '../../support/nfts.ts';
import { inPeace, openFriend } from '../inPeace.ts';
import type { Scenario } from '../scenario.ts';
import type { Stage } from '../stage.ts';

const MINTED = 5;
const MOVED = 2;

const approve = () => ['approve'] as const;
const mintIt = {
  method: 'relayer_mintNft',
  params: [{ cid: CID, amount: String(MINTED), nftFactory, creatorFeeBips: 3 }],
};

/** NFTs that an account holds. */
async function held({ client }: Stage, accountId: number, apiKey: string): Promise<number> {
  const { data } = await client.getNftBalances({ query: { accountId }, apiKey });
  return data.reduce((sum, { total }) => sum + Number(total), 0);
}

/** Waits in peace for something at the relayer. */
async function until<T>({ relayer }: Stage, look: () => Promise<T | undefined | false>): Promise<T> {
  for (let looks = 0; looks < 500; looks++) {
    await relayer.engine.run();
    const found = await look();
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error('the relayer did not come to it');
}

/** Five NFTs of one kind, in the account's slot; named in `memory`. */
async function mintSome(stage: Stage): Promise<void> {
  const { client, account, memory } = stage;
  const made = (await inPeace(stage, mintIt)) as { nftData: string; nftTokenId: number };
  const query = { accountId: account.accountId };
  const slot = await until(stage, async () => (await client.getNftBalances({ query, apiKey: account.apiKey })).data[0]);
  Object.assign(memory, { nftData: made.nftData, tokenId: String(slot.tokenId), tokenAddress: slot.tokenAddress });
}

const minted = ({ memory: { tokenId, nftData } }: Stage) => ({ tokenId: Number(tokenId), nftData });
const deployIt = ({ memory: { nftData, tokenAddress } }: Stage) => ({
  method: 'relayer_deployNft',
  params: [{ nftData, tokenAddress, feeTokenId: 0 }],
});
const hasCode = async ({ client, memory }: Stage) =>
  (await client.getCode({ body: { address: memory.tokenAddress ?? '' } })).result !== '0x';

const nfts = { kinds: ['read', 'nfts'], browsers: 1, mayStayOpen: false, before: mintSome, steps: approve } as const;

/** Orders that pages were given, with a signature that holds. */
function ordersGiven({ requests, account }: Stage): string[] {
  const publicKey = getPublicKey(account.secretKey);
  const hashes = requests.flatMap(({ answers }) =>
    answers.flatMap((answer) => {
      if (!('result' in answer)) return [];
      const { order } = answer.result as { order: Parameters<typeof nftOrderHash>[0] & { eddsaSignature: string } };
      const hash = nftOrderHash(order);
      return verify(parseSignature(order.eddsaSignature), hash, publicKey) ? [formatHash(hash)] : ['0x0'];
    }),
  );
  return [...new Set(hashes)];
}

const sell = (stage: Stage, changes: object = {}) => ({
  method: 'relayer_signNftOrder',
  params: [
    {
      sellToken: { ...minted(stage), amount: '1' },
      buyToken: { tokenId: 0, amount: '2000000000000000000' },
      validUntil: Math.floor(Date.now() / 1000) + 86_400,
      ...changes,
    },
  ],
});

export const nftScenarios: readonly Scenario[] = [
  {
    name: 'mint',
    operation: 'mintNft',
    kinds: ['read', 'nfts'],
    browsers: 1,
    mayStayOpen: false,
    ask: () => [mintIt],
    steps: approve,
    async atRelayer({ client, account }) {
      const query = { accountId: account.accountId, limit: 50 };
      return (await client.getNftMints({ query, apiKey: account.apiKey })).transfers.map(({ hash }) => hash);
    },
    async audit(stage, happened) {
      const got = await held(stage, stage.account.accountId, stage.account.apiKey);
      return got === MINTED * happened ? [] : [`${got} NFTs are held after ${happened} mints of ${MINTED}`];
    },
  },
  {
    ...nfts,
    name: 'nft-transfer',
    operation: 'transferNft',
    async before(stage) {
      await mintSome(stage);
      await openFriend(stage);
    },
    ask: (stage) => [
      {
        method: 'relayer_transferNft',
        params: [{ token: { ...minted(stage), amount: String(MOVED) }, toAddress: stage.memory.friend }],
      },
    ],
    async atRelayer({ client, account }) {
      const query = { accountId: account.accountId, limit: 50 };
      return (await client.getNftTransfers({ query, apiKey: account.apiKey })).transfers.map(({ hash }) => hash);
    },
    async audit(stage, happened) {
      const { friendId, friendKey } = stage.memory;
      const got = await held(stage, Number(friendId), friendKey ?? '');
      return got === happened * MOVED ? [] : [`the receiver of ${happened} transfers of ${MOVED} has ${got} NFTs`];
    },
  },
  {
    ...nfts,
    name: 'nft-withdraw',
    operation: 'withdrawNft',
    async before(stage) {
      await mintSome(stage);
      await inPeace(stage, deployIt(stage));
      await until(stage, () => hasCode(stage));
    },
    ask: (stage) => [
      { method: 'relayer_withdrawNft', params: [{ token: { ...minted(stage), amount: String(MOVED) } }] },
    ],
    async atRelayer({ client, account }) {
      const query = { accountId: account.accountId, limit: 50 };
      return (await client.getNftWithdrawals({ query, apiKey: account.apiKey })).withdrawals.map(({ hash }) => hash);
    },
    async audit(stage, happened) {
      const left = await held(stage, stage.account.accountId, stage.account.apiKey);
      return left === MINTED - happened * MOVED ? [] : [`${left} NFTs are left after ${happened} withdrawals`];
    },
  },
  {
    ...nfts,
    name: 'nft-deploy',
    operation: 'deployNft',
    ask: (stage) => [deployIt(stage)],
    // The relayer knows the deployment by the transfer that pays for it.
    async atRelayer({ client, account }) {
      const query = { accountId: account.accountId, limit: 50 };
      return (await client.getTransfers({ query, apiKey: account.apiKey })).transactions.map(({ hash }) => hash);
    },
    audit: async (stage, happened) =>
      (await hasCode(stage)) === happened > 0 ? [] : [`the contract is not what ${happened} deployments make it`],
  },
  {
    ...nfts,
    name: 'nft-order',
    operation: 'signNftOrder',
    ask: (stage) => [sell(stage)],
    atRelayer: async (stage) => ordersGiven(stage),
  },
  {
    ...nfts,
    name: 'nft-order-validated',
    operation: 'signNftOrder',
    ask: (stage) => [sell(stage, { validate: true })],
    // It is open until somebody takes it.
    mayStayOpen: true,
    async atRelayer({ client, account }) {
      const query = { accountId: account.accountId, market: 'NFT-ETH', limit: 50 };
      return (await client.getOrders({ query, apiKey: account.apiKey })).orders.map(({ hash }) => hash);
    },
  },
];
