import { RelayerClientError } from '../../client/index.ts';
import type { NetworkView, ProofRule } from '../../messaging/views.ts';
import { headerOf } from '../../protocol/rollup/headerText.ts';
import type { Ports } from '../ports.ts';
import type { Relayers } from '../relayers/relayers.ts';
import { exchangeId } from '../settings/exchangeId.ts';
import { type Offer, readRoots, rootsForm } from './storedProofs.ts';

const rootsKey = (network: NetworkView) => `block-roots:${exchangeId(network)}`;

/**
 * Reads from the refusal of a proof or a block what the relayer offers.
 * @throws Whatever says nothing about it, such as that it was not reached.
 */
export function offerOf(error: unknown): Offer {
  if (!(error instanceof RelayerClientError)) throw error;
  if (error.kind === 'off-schema') return 'no';
  if (error.kind !== 'refused') throw error;
  return error.relayerName === 'INVALID_ARGUMENT' && error.httpStatus !== 404 ? 'not-yet' : 'no';
}

/** The root of a block: the first that was seen, or what the relayer publishes now. */
interface Root {
  readonly root: string;
  /** Unix milliseconds at which it was seen first. */
  readonly at: number;
  readonly rule: ProofRule | null;
  /** Another root that the block names for the one before it, whose root this is then. */
  readonly rootBefore?: string;
}

/**
 * Blocks as a relayer publishes them; the first root that this wallet saw of each is kept, and
 * stands above every later one.
 */
export function createPublishedBlocks(
  { local, lock, now }: Pick<Ports, 'local' | 'lock' | 'now'>,
  relayers: Pick<Relayers, 'client'>,
) {
  const knownRoot = async (network: NetworkView, blockId: number) =>
    readRoots(await local.get(rootsKey(network))).get(blockId);

  async function ask(network: NetworkView, blockId: number) {
    const query = { start: blockId, limit: 1 };
    const { blocks } = await relayers.client(network).getBlockBytes({ query, priority: 'poll' });
    return blocks.find((published) => published.blockId === blockId);
  }

  /** Keeps the root of a block, unless another reading was first, and gives the first one. */
  const keep = (network: NetworkView, blockId: number, root: string, at: number): Promise<Root> =>
    lock(rootsKey(network), async () => {
      const roots = new Map(readRoots(await local.get(rootsKey(network))));
      const known = roots.get(blockId);
      if (known) return { ...known, rule: BigInt(known.root) === BigInt(root) ? null : 'two-roots' };
      // Each block raises the nonce of its operator, which never falls: no state comes back.
      if ([...roots.values()].some((other) => other.root === root)) return { root, at, rule: 'two-numbers' };
      await local.set({ [rootsKey(network)]: rootsForm(roots.set(blockId, { root, at })) });
      return { root, at, rule: null };
    });

  return {
    /** `null` when the relayer does not publish the block. */
    async rootOf(network: NetworkView, blockId: number): Promise<Root | null> {
      const known = await knownRoot(network, blockId);
      if (known) return { ...known, rule: null };
      const block = await ask(network, blockId);
      if (!block) return null;
      const { exchange, rootBefore, rootAfter: root } = headerOf(block.data.toLowerCase());
      const at = now();
      if (BigInt(exchange) !== BigInt(network.exchangeAddress)) return { root, at, rule: 'exchange' };
      const before = await knownRoot(network, blockId - 1);
      if (before && BigInt(before.root) !== BigInt(rootBefore)) return { ...before, rootBefore, rule: 'two-roots' };
      const first = await keep(network, blockId, root, at);
      return BigInt(root) === BigInt(block.rootAfter) ? first : { ...first, rule: 'two-roots' };
    },

    /**
     * The bytes that the relayer publishes now, with the root that was seen first; `null` when it
     * does not publish the block.
     */
    async bytesOf(network: NetworkView, blockId: number) {
      const block = await ask(network, blockId);
      if (!block) return null;
      const known = await knownRoot(network, blockId);
      const { data, publicDataHash } = block;
      return { blockId, root: known?.root ?? block.rootAfter, publicDataHash, data };
    },
  };
}

export type PublishedBlocks = ReturnType<typeof createPublishedBlocks>;
