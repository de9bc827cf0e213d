/**
 * `npm run replay -- --from FILE|URL`: rebuilds the state of an exchange from the bytes of its
 * blocks alone, from genesis or a snapshot, compares every root, and stops at the first block that
 * is not what it says. The last line is `N blocks replayed, M differ`. Ends with 1 when a block or
 * the snapshot differs or there is none, with 2 when nothing could be read or `--until` is before
 * the snapshot.
 */

import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { preferFastCore } from '../../src/crypto/fast.ts';
import { formatHash } from '../../src/protocol/formatHash.ts';
import {
  type ProvenNft,
  RollupError,
  type RollupState,
  readSnapshot,
  type StateSnapshot,
} from '../../src/protocol/rollup/index.ts';
import { readFlags } from '../readFlags.mjs';
import { say } from '../say.ts';
import { proofsOf } from './proofsOf.ts';
import { publishedLines } from './publishedLines.ts';
import { replayBlocks } from './replayBlocks.ts';

const HELP = `npm run replay -- --from FILE|URL [--snapshot FILE] [--until BLOCK] [--exchange 0x…] [--proofs FILE]
npm run replay -- --snapshot FILE [--proofs FILE]

  --from      base URL of a relayer, or JSON lines in block order from genesis: { "data", "rootBefore", "rootAfter", "publicDataHash" }; the hash may be
              missing, and then nothing covers the bytes that do not change the state
  --snapshot  begins with the state of a relayer's snapshot in place of genesis, and compares it with its block and the one behind it; without --from
              the root in it is compared alone. Lines of a file may begin at genesis where they have a "blockId", else behind the snapshot
  --until     number of the last block that is taken: --proofs then writes the balances after that one
  --exchange  address to which all blocks have to belong; that of the first block when left out
  --proofs    writes the proof of every balance of the last state, one JSON line each, as the contract takes it`;

function stop(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}

/** Why nothing could be read; `fetch` says it in the cause. */
const reasonOf = ({ message, cause }: Error) => (cause instanceof Error ? `${message}: ${cause.message}` : message);

const text = { type: 'string' } as const;
const { from, snapshot, exchange, proofs, until } = readFlags(HELP, {
  options: { from: text, snapshot: text, exchange: text, proofs: text, until: text },
}).values;
if (from === undefined && snapshot === undefined) stop(HELP);
if (exchange !== undefined && !/^0x[0-9a-fA-F]{40}$/.test(exchange)) stop(`--exchange: ${exchange} is no address`);
if (until !== undefined && !/^[0-9]{1,15}$/.test(until)) stop(`--until: ${until} is no number of a block`);
preferFastCore();

async function writeProofs(path: string, state: RollupState, nfts: ReadonlyMap<bigint, ProvenNft>): Promise<void> {
  let written = 0;
  // One at a time: those of a large exchange have no room in the memory.
  const lines = function* () {
    for (const proof of proofsOf(state, nfts)) {
      written++;
      yield `${JSON.stringify(proof)}\n`;
    }
  };
  await pipeline(lines, createWriteStream(path)).catch((error: Error) => stop(`${path}: ${error.message}`));
  say(`${written} proofs written to ${path}`);
}

/** @returns Nothing when the file is no snapshot, or its state has not the root in it. */
async function snapshotIn(path: string): Promise<StateSnapshot | undefined> {
  const lines = await publishedLines(path).catch((error: Error) => stop(`${path}: ${error.message}`));
  try {
    const read = await readSnapshot(lines);
    say(`the state after block ${read.blockId} has root ${formatHash(read.root)}`);
    return read;
  } catch (error) {
    if (!(error instanceof RollupError)) throw error;
    say(`${path}: rule ${error.rule}: ${error.message}`);
    process.exitCode = 1;
    return undefined;
  }
}

/** The balances after another block are not those that were asked for. */
function refuseBeyond(last: number): void {
  if (until !== undefined && Number(until) > last) stop(`--until: there is no block ${until}; the last one is ${last}`);
}

async function replay(source: string, snapshot: StateSnapshot | undefined): Promise<void> {
  // With the block of the snapshot itself, which it is compared with.
  const lines = await publishedLines(source, snapshot?.blockId).catch((error: Error) =>
    stop(`${source}: ${reasonOf(error)}`),
  );
  const options = {
    exchange: exchange === undefined ? undefined : BigInt(exchange),
    snapshot,
    until: until === undefined ? undefined : Number(until),
  };
  const result = await replayBlocks(lines, options, say).catch((error: Error) => stop(`${source}: ${reasonOf(error)}`));
  if (result.state) refuseBeyond(result.last);
  if (proofs !== undefined && result.state) await writeProofs(proofs, result.state, result.nfts);
  if (result.withoutHash > 0)
    say(`${result.withoutHash} blocks came without publicDataHash: what changes no state is not checked in them`);
  say(`${result.replayed} blocks replayed, ${result.differ} differ`);
  process.exitCode = result.differ === 0 && (result.replayed > 0 || result.isCompared) ? 0 : 1;
}

const begin = snapshot === undefined ? undefined : await snapshotIn(snapshot);
if (begin && until !== undefined && Number(until) < begin.blockId)
  stop(`--until: block ${until} is before the snapshot, which is the state after block ${begin.blockId}`);
if (from !== undefined && (snapshot === undefined || begin)) await replay(from, begin);
else if (begin) {
  refuseBeyond(begin.blockId);
  if (proofs !== undefined) await writeProofs(proofs, begin.state, begin.nfts);
}
