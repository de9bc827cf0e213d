/**
 * `npm run replay -- --from FILE|URL`: rebuilds the state of an exchange from the bytes of its blocks alone, from genesis,
 * compares every root, and stops at the first block that is not what it says. The last line is
 * `N blocks replayed, M differ`. Ends with 1 when a block differs or there is none, with 2 when nothing could be read.
 */

import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { preferFastCore } from '../../src/crypto/fast.ts';
import { proofsOf } from './proofsOf.ts';
import { replayBlocks } from './replayBlocks.ts';

const HELP = `npm run replay -- --from FILE|URL [--exchange 0x…] [--proofs FILE]

  --from      JSON lines in block order from genesis: { "data", "rootBefore", "rootAfter", "publicDataHash" }; the hash may be
              missing, and then nothing covers the bytes that do not change the state
  --exchange  address to which all blocks have to belong; that of the first block when left out
  --proofs    writes the proof of every balance of the last state, one JSON line each, as the contract takes it
`;

const say = (line: string) => process.stdout.write(`${line}\n`);

function stop(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}

async function open(from: string): Promise<Readable> {
  if (!/^https?:\/\//.test(from)) {
    const file = createReadStream(from);
    await once(file, 'open');
    return file;
  }
  const answer = await fetch(from);
  if (!answer.ok || !answer.body) throw new Error(`answered ${answer.status}`);
  return Readable.fromWeb(answer.body as import('node:stream/web').ReadableStream);
}

function readArguments() {
  try {
    const text = { type: 'string' } as const;
    return parseArgs({ options: { from: text, exchange: text, proofs: text, help: { type: 'boolean', short: 'h' } } })
      .values;
  } catch (error) {
    stop(`${(error as Error).message}\n\n${HELP}`);
  }
}

const { from, exchange, proofs, help } = readArguments();
if (help) {
  process.stdout.write(HELP);
  process.exit(0);
}
if (from === undefined) stop(HELP);
if (exchange !== undefined && !/^0x[0-9a-fA-F]{40}$/.test(exchange)) stop(`--exchange: ${exchange} is no address`);
preferFastCore();

const input = await open(from).catch((error: Error) => stop(`${from}: ${error.message}`));
const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
const result = await replayBlocks(lines, exchange === undefined ? undefined : BigInt(exchange), say).catch(
  (error: Error) => stop(`${from}: ${error.message}`),
);
if (proofs !== undefined && result.state) {
  const text = [...proofsOf(result.state, result.nfts)].map((proof) => `${JSON.stringify(proof)}\n`);
  await pipeline(text, createWriteStream(proofs)).catch((error: Error) => stop(`${proofs}: ${error.message}`));
  say(`${text.length} proofs written to ${proofs}`);
}
say(`${result.replayed} blocks replayed, ${result.differ} differ`);
process.exitCode = result.differ > 0 || result.replayed === 0 ? 1 : 0;
