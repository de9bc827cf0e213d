import { nodeHash } from './leaves.ts';

/**
 * The nodes of an empty tree: entry `n` is the root of a subtree with `n` levels whose leaves are
 * all `emptyLeaf`.
 * @param levels - 0 gives the leaf alone.
 */
export function emptyNodes(emptyLeaf: bigint, levels: number): bigint[] {
  const nodes = [emptyLeaf];
  for (let level = 0; level < levels; level++) {
    const child = nodes[level] as bigint;
    nodes.push(nodeHash([child, child, child, child]));
  }
  return nodes;
}

/** Nodes as they were, by the key in their tree and what makes that key the tree's own. */
export interface NodeUndo {
  readonly nodes: Map<number, bigint>;
  readonly offset: number;
}

/**
 * A sparse quad tree with cached nodes. Changed leaves are collected; the next read of a node
 * hashes each inner node above them once, however many leaves below it changed.
 */
export class QuadTree {
  readonly #empty: readonly bigint[];
  /**
   * Nodes that differ from the empty ones. Key: level · 4^levels + index, level 0 being the leaves;
   * exact below 2^53.
   */
  readonly #nodes = new Map<number, bigint>();
  readonly #leaves: number;
  #changed: Set<number> | undefined;
  /** While it is given, it gets each node that changes as it was before, once. */
  undo: NodeUndo | undefined;

  /** @param empty - Of `emptyNodes`; its length fixes the number of levels (at most 16). */
  constructor(empty: readonly bigint[]) {
    this.#empty = empty;
    this.#leaves = 4 ** this.levels;
  }

  get levels(): number {
    return this.#empty.length - 1;
  }

  #node(level: number, index: number): bigint {
    return this.#nodes.get(level * this.#leaves + index) ?? (this.#empty[level] as bigint);
  }

  #put(level: number, index: number, node: bigint): void {
    const key = level * this.#leaves + index;
    if (this.undo && !this.undo.nodes.has(this.undo.offset + key))
      this.undo.nodes.set(this.undo.offset + key, this.#node(level, index));
    this.#nodes.set(key, node);
  }

  /** @throws {RangeError} The index has no leaf. */
  set(index: number, leaf: bigint): void {
    if (!Number.isInteger(index) || index < 0 || index >= this.#leaves)
      throw new RangeError(`a tree with ${this.levels} levels has no leaf ${index}`);
    this.#put(0, index, leaf);
    this.#changed ??= new Set();
    this.#changed.add(index);
  }

  #settle(): void {
    let below = this.#changed;
    if (below === undefined) return;
    this.#changed = undefined;
    for (let level = 1; level <= this.levels; level++) {
      const above = new Set<number>();
      for (const index of below) above.add(Math.floor(index / 4));
      for (const index of above) {
        const child = 4 * index;
        this.#put(
          level,
          index,
          nodeHash([
            this.#node(level - 1, child),
            this.#node(level - 1, child + 1),
            this.#node(level - 1, child + 2),
            this.#node(level - 1, child + 3),
          ]),
        );
      }
      below = above;
    }
  }

  root(): bigint {
    this.#settle();
    return this.#node(this.levels, 0);
  }

  /**
   * Three siblings for each level from the leaf upwards, in index order, the own position left out.
   * @param undos - What was collected since the moment of which they are asked, the oldest first;
   *   none for now.
   */
  siblings(index: number, undos: readonly NodeUndo[] = []): bigint[] {
    this.#settle();
    const nodeThen = (level: number, position: number): bigint => {
      for (const { nodes, offset } of undos) {
        const before = nodes.get(offset + level * this.#leaves + position);
        if (before !== undefined) return before;
      }
      return this.#node(level, position);
    };
    const siblings: bigint[] = [];
    for (let level = 0, at = index; level < this.levels; level++, at = Math.floor(at / 4)) {
      const first = at - (at % 4);
      for (let position = first; position < first + 4; position++)
        if (position !== at) siblings.push(nodeThen(level, position));
    }
    return siblings;
  }
}

/** The root that a leaf and its siblings (of `QuadTree.siblings`) lead to. */
export function foldPath(leaf: bigint, index: number, siblings: readonly bigint[]): bigint {
  let node = leaf;
  let at = index;
  for (let from = 0; from < siblings.length; from += 3) {
    const children = siblings.slice(from, from + 3);
    children.splice(at % 4, 0, node);
    node = nodeHash(children as unknown as [bigint, bigint, bigint, bigint]);
    at = Math.floor(at / 4);
  }
  return node;
}
