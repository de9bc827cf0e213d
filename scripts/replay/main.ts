/**
 * `npm run replay -- --from FILE|URL`: rebuilds the state of an exchange from the bytes of its blocks alone, from genesis,
 * compares every root, and stops at the first block that is not what it says. The last line is
 * `N blocks replayed, M differ`. Ends with 1 when a block differs or there is none, with 2 when nothing could be read.
 */

import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { preferFastCore } from '../../src/crypto/fast.ts';
import { type ProvenNft, RollupError, type RollupState, readSnapshot } from '../../src/protocol/rollup/index.ts';
import { proofsOf } from './proofsOf.ts';
import { publishedLines } from './publishedLines.ts';
import { replayBlocks } from './replayBlocks.ts';

const HELP = `npm run replay -- --from FILE|URL [--exchange 0x…] [--proofs FILE]
npm run replay -- --snapshot FILE [--proofs FILE]

  --from      base URL of a relayer, or JSON lines in block order from genesis: { "data", "rootBefore", "rootAfter", "publicDataHash" }; the hash may be
              missing, and then nothing covers the bytes that do not change the state
  --exchange  address to which all blocks have to belong; that of the first block when left out
  --snapshot  checks the state of a relayer's snapshot against the root in it, in place of blocks
  --proofs    writes the proof of every balance of the last state, one JSON line each, as the contract takes it
`;

const say = (line: string) => process.stdout.write(`${line}\n`);

function stop(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}

function readArguments() {
  try {
    const text = { type: 'string' } as const;
    return parseArgs({
      options: { from: text, snapshot: text, exchange: text, proofs: text, help: { type: 'boolean', short: 'h' } },
    }).values;
  } catch (error) {
    stop(`${(error as Error).message}\n\n${HELP}`);
  }
}

const { from, snapshot, exchange, proofs, help } = readArguments();
if (help) {
  process.stdout.write(HELP);
  process.exit(0);
}
if ((from === undefined) === (snapshot === undefined)) stop(HELP);
if (exchange !== undefined && !/^0x[0-9a-fA-F]{40}$/.test(exchange)) stop(`--exchange: ${exchange} is no address`);
preferFastCore();

async function writeProofs(path: string, state: RollupState, nfts: ReadonlyMap<bigint, ProvenNft>): Promise<void> {
  const text = [...proofsOf(state, nfts)].map((proof) => `${JSON.stringify(proof)}\n`);
  await pipeline(text, createWriteStream(path)).catch((error: Error) => stop(`${path}: ${error.message}`));
  say(`${text.length} proofs written to ${path}`);
}

async function checkSnapshot(path: string): Promise<void> {
  const lines = await publishedLines(path).catch((error: Error) => stop(`${path}: ${error.message}`));
  try {
    const { blockId, root, state, nfts } = await readSnapshot(lines);
    if (proofs !== undefined) await writeProofs(proofs, state, nfts);
    say(`the state after block ${blockId} has root 0x${root.toString(16).padStart(64, '0')}`);
  } catch (error) {
    if (!(error instanceof RollupError)) throw error;
    say(`${path}: rule ${error.rule}: ${error.message}`);
    process.exitCode = 1;
  }
}

async function replay(source: string): Promise<void> {
  const lines = await publishedLines(source).catch((error: Error) => stop(`${source}: ${error.message}`));
  const result = await replayBlocks(lines, exchange === undefined ? undefined : BigInt(exchange), say).catch(
    (error: Error) => stop(`${source}: ${error.message}`),
  );
  if (proofs !== undefined && result.state) await writeProofs(proofs, result.state, result.nfts);
  say(`${result.replayed} blocks replayed, ${result.differ} differ`);
  process.exitCode = result.differ > 0 || result.replayed === 0 ? 1 : 0;
}

await (snapshot === undefined ? replay(from as string) : checkSnapshot(snapshot));
