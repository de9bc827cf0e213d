import { RelayerClientError } from '../../client/index.ts';
import type { BalanceView, NetworkView, NftView, ProofsView, ProofView } from '../../messaging/views.ts';
import type { TokenFacts } from '../../operations/review.ts';
import type { EndpointAnswer } from '../../protocol/index.ts';
import { isNftToken, MIN_NFT_TOKEN_ID, ZERO_ADDRESS } from '../../protocol/limits.ts';
import type { Ports } from '../ports.ts';
import { pinsKey, type Relayers } from '../relayers/relayers.ts';
import { readPins } from '../relayers/tokenPins.ts';
import type { StoredAccount } from '../settings/storedConfig.ts';
import { checkProof, proofState, type ShownNft } from './checkProof.ts';
import { offerOf, type PublishedBlocks } from './publishedBlocks.ts';
import {
  failuresOf,
  formOf,
  type KeptProof,
  leafOf,
  type Offer,
  type ProofFailure,
  proofsKey,
  readProofs,
  type StoredProofs,
  withFailure,
} from './storedProofs.ts';

type Answer = EndpointAnswer<'getBalanceProof'>;

/** A balance that is shown: of a token, or of the NFT in a slot. */
export interface Held extends Pick<BalanceView, 'token' | 'total'> {
  readonly nft: (ShownNft & Pick<NftView, 'cid'>) | null;
}

interface Result {
  readonly tokenId: number;
  /** Larger than that of every request before it. */
  readonly asked: number;
  readonly offered: Offer;
  readonly kept?: KeptProof;
  readonly failure?: ProofFailure;
}

/** Slots of an account whose proofs are kept: as many as fit into a backup. */
const MOST_NFTS = 200;
/** Slots that are asked for at one time; the others follow at the next. */
const NFTS_AT_ONCE = 20;

/** Selects the balances that can be proven: tokens, and the first slots. */
function provable(shown: readonly Held[]): Held[] {
  const held = shown.filter(({ total }) => /[1-9]/.test(total));
  return [...held.filter(({ nft }) => nft === null), ...held.filter(({ nft }) => nft !== null).slice(0, MOST_NFTS)];
}

/** Names what is kept of a slot that no NFT is listed in, or of a token that was never pinned. */
const unknownToken = (tokenId: number): TokenFacts => ({
  tokenId,
  symbol: `${isNftToken(tokenId) ? 'NFT ' : ''}#${tokenId}`,
  name: '',
  address: ZERO_ADDRESS,
  decimals: 0,
});

/** An NFT that no block has yet: nothing proves an empty slot. */
const isEmptySlot = (error: unknown, tokenId: number) =>
  tokenId >= MIN_NFT_TOKEN_ID && error instanceof RelayerClientError && error.relayerName === 'TOKEN_UNSUPPORTED';

/** That its block has no such account. */
const isAbsent = (proof: KeptProof) => leafOf(proof)?.accountLeaf.owner === 0n;

/**
 * Keeps the proof of each balance that holds and was seen last, by account and token or slot, and
 * what did not hold. The number of a block is the relayer's word: one that it made up does not
 * stand above those that follow. A proof is worth as much as the root that it leads to: the root is
 * the one in the block that the relayer published, and the first one that this wallet saw of that
 * block is compared with every later one.
 */
export function createBalanceProofs(
  { local, lock, now, toUi }: Pick<Ports, 'local' | 'lock' | 'now' | 'toUi'>,
  relayers: Pick<Relayers, 'client'>,
  publishedBlocks: Pick<PublishedBlocks, 'rootOf'>,
) {
  const inProgress = new Map<string, Promise<void>>();
  let requests = 0;
  /** By account, and by account and token, the latest request whose answer was stored. */
  const answered = new Map<string, number>();

  /** Of two readings on their way the later request counts, not the later answer. */
  function becomesLast(place: string, asked: number): boolean {
    if (asked < (answered.get(place) ?? 0)) return false;
    answered.set(place, asked);
    return true;
  }

  /** Of a clock that was ahead the time is as good as none. */
  const timeOf = (proof: KeptProof | undefined): number => (proof && proof.at <= now() ? proof.at : 0);

  const read = async (account: string): Promise<StoredProofs> => readProofs(await local.get(proofsKey(account)));

  /** Asks for the proof of one token, and checks it. */
  async function prove(account: StoredAccount, network: NetworkView, tokenId: number): Promise<Result> {
    const client = relayers.client(network);
    const asked = ++requests;
    const query = { accountId: account.accountId, tokenId };
    const answer: Answer | Offer = await client
      .getBalanceProof({ query, priority: 'poll' })
      .catch((error: unknown) => (isEmptySlot(error, tokenId) ? 'yes' : offerOf(error)));
    if (typeof answer === 'string') return { tokenId, asked, offered: answer };
    const published = await publishedBlocks.rootOf(network, answer.blockId).catch((error: unknown) => {
      offerOf(error);
      return null;
    });
    const proof = leafOf(answer);
    if (!published || !proof) return { tokenId, asked, offered: 'no' };
    const { root, at, rule, rootBefore } = published;
    const isOther = BigInt(answer.root) !== BigInt(root);
    const wrong = rule ?? (isOther ? 'two-roots' : checkProof(proof, root, account, tokenId));
    const seen = { blockId: answer.blockId, root: answer.root, at: now(), proof: answer.proof };
    if (wrong === null) return { tokenId, asked, offered: 'yes', kept: seen };
    const other = wrong === 'two-roots' ? { root, at } : null;
    const of = rootBefore === undefined ? seen : { ...seen, blockId: answer.blockId - 1, root: rootBefore };
    return { tokenId, asked, offered: 'yes', failure: { ...of, tokenId, rule: wrong, other } };
  }

  async function store(account: string, results: readonly Result[]): Promise<void> {
    const changed = await lock(proofsKey(account), async () => {
      const stored = await read(account);
      const kept = new Map(stored.kept);
      let { offered, failures } = stored;
      for (const { tokenId, asked, kept: proof, failure, ...result } of results) {
        if (becomesLast(account, asked)) offered = result.offered;
        if (failure) failures = withFailure(failures, failure);
        if (!proof) continue;
        const before = kept.get(tokenId);
        // A backup brings the proofs, and not the roots that were seen first.
        if (before?.blockId === proof.blockId && BigInt(before.root) !== BigInt(proof.root)) {
          const other = { root: before.root, at: before.at };
          failures = withFailure(failures, { ...proof, tokenId, rule: 'two-roots', other });
        }
        // An owner is set once and never cleared: no block behind one with the account lacks it.
        const withAccount = isAbsent(proof) ? [...kept.values()].filter((one) => !isAbsent(one)) : [];
        if (withAccount.some(({ blockId }) => blockId < proof.blockId))
          failures = withFailure(failures, { ...proof, tokenId, rule: 'removed', other: null });
        if (withAccount.length > 0 || !becomesLast(`${account} ${tokenId}`, asked)) continue;
        if (proof.blockId !== before?.blockId) kept.set(tokenId, proof);
      }
      const slots = [...kept].filter(([tokenId]) => tokenId >= MIN_NFT_TOKEN_ID);
      for (const [tokenId] of slots.toSorted(([, a], [, b]) => timeOf(b) - timeOf(a)).slice(MOST_NFTS))
        kept.delete(tokenId);
      const before = JSON.stringify(formOf(stored));
      const next = formOf({ offered, kept, failures });
      if (JSON.stringify(next) === before) return false;
      await local.set({ [proofsKey(account)]: next });
      return true;
    });
    if (changed) toUi();
  }

  /**
   * Asks for the first token, and for the others that have no proof of that block yet; of slots for
   * those with the oldest proofs.
   */
  async function proveAll(account: StoredAccount, network: NetworkView, shown: readonly Held[]): Promise<void> {
    const { kept } = await read(account.id);
    const held = provable(shown);
    const provenAt = ({ token }: Held) => timeOf(kept.get(token.tokenId));
    const slots = held.filter(({ nft }) => nft !== null).toSorted((a, b) => provenAt(a) - provenAt(b));
    const results: Result[] = [];
    let newest = -1;
    try {
      for (const { token } of [...held.filter(({ nft }) => nft === null), ...slots.slice(0, NFTS_AT_ONCE)]) {
        if (results.length > 0 && kept.get(token.tokenId)?.blockId === newest) continue;
        const result = await prove(account, network, token.tokenId);
        results.push(result);
        newest = result.kept?.blockId ?? result.failure?.blockId ?? newest;
        if (result.offered !== 'yes') break;
      }
    } finally {
      if (results.length > 0) await store(account.id, results);
    }
  }

  return {
    /**
     * Brings the proofs of an account to the newest block. Nobody waits for it.
     * @param shown - Balances and NFTs as they were last read.
     */
    refresh(account: StoredAccount, network: NetworkView, shown: readonly Held[]): Promise<void> {
      // A request in progress is joined; other slots are asked for.
      const what = [account.id, ...provable(shown).map(({ token }) => token.tokenId)].join();
      const known = inProgress.get(what);
      if (known) return known;
      const work = proveAll(account, network, shown).finally(() => inProgress.delete(what));
      inProgress.set(what, work);
      return work;
    },

    /** Lists the proofs that did not hold, the oldest first. */
    failures: async (account: string) => failuresOf(await local.get(proofsKey(account))),

    /**
     * The kept proofs of some accounts as they are stored, for a backup: of those that fit, the
     * first accounts first.
     */
    async stored(
      accounts: readonly string[],
      fits: (entry: unknown) => boolean,
    ): Promise<Readonly<Record<string, unknown>>> {
      const all: Record<string, unknown> = {};
      for (const account of accounts) {
        const form = formOf(await read(account));
        if (fits([account, form])) all[account] = form;
      }
      return all;
    },

    /** Takes over what `stored` gave, in place of what is kept of those accounts. */
    async replace(all: Readonly<Record<string, unknown>>): Promise<void> {
      for (const [account, form] of Object.entries(all))
        await lock(proofsKey(account), () => local.set({ [proofsKey(account)]: formOf(readProofs(form)) }));
    },

    /**
     * Everything that is kept of an account, one JSON line a proof, for `npm run verify-proofs`. A
     * wrong proof has its `rule`.
     */
    async lines({ id, accountId }: StoredAccount, { chainId, exchangeAddress, baseUrl }: NetworkView): Promise<string> {
      const { kept, failures } = await read(id);
      const place = { chainId, exchange: exchangeAddress, relayer: baseUrl, accountId };
      const proofs = [...[...kept].map(([tokenId, proof]) => ({ tokenId, ...proof })), ...failures];
      return proofs.map((proof) => `${JSON.stringify({ ...place, ...proof })}\n`).join('');
    },

    /** Lists what is shown and what is kept, whether or not the exchange lists it still. */
    async view(
      account: StoredAccount,
      network: NetworkView,
      shown: readonly Held[],
      isRead: (tokenId: number) => boolean,
    ): Promise<ProofsView> {
      const { offered, kept, failures } = await read(account.id);
      const pins = readPins(await local.get(pinsKey(network)));
      const listed = new Map(shown.map((held) => [held.token.tokenId, held]));
      const ids = [...provable(shown).map(({ token }) => token.tokenId), ...kept.keys()];
      return {
        offered,
        proofs: [...new Set([...ids, ...failures.map(({ tokenId }) => tokenId)])].map((tokenId): ProofView => {
          const held = listed.get(tokenId);
          const nft = held?.nft ?? null;
          const proof = kept.get(tokenId);
          const leaf = proof && leafOf(proof);
          const failure = failures.findLast((one) => one.tokenId === tokenId);
          const present = { total: held?.total ?? '0', nft };
          return {
            token: held?.token ?? pins.get(tokenId) ?? unknownToken(tokenId),
            nft: nft && { cid: nft.cid, nftId: nft.nftId },
            total: held?.total ?? null,
            state: !leaf ? 'none' : isRead(tokenId) ? proofState(leaf, account, present) : 'unread',
            blockId: proof?.blockId ?? null,
            proven: leaf?.balanceLeaf.balance.toString() ?? null,
            failure: failure ? { rule: failure.rule, blockId: failure.blockId, at: failure.at } : null,
          };
        }),
      };
    },
  };
}

export type BalanceProofs = ReturnType<typeof createBalanceProofs>;
