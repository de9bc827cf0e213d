import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { endpoints } from '../../src/protocol/endpointTable.ts';
import { formatError } from '../../src/protocol/rollup/index.ts';

/** Below the rate limit of a relayer. */
const PAUSE_MS = 250;
const RETRY_MS = 2_000;

/**
 * Blocks as JSON lines: of a file, of a URL that answers with one, or of a relayer by its base URL,
 * which is asked for the bytes of one block after the other.
 * @param start - Number of the first block that a relayer is asked for.
 */
export async function publishedLines(from: string, start = 0): Promise<AsyncIterable<string>> {
  if (!/^https?:\/\//.test(from)) {
    const file = createReadStream(from);
    await once(file, 'open');
    return linesOf(file);
  }
  const relayer = await firstPage(from, start);
  if (relayer) return relayerLines(from, relayer);
  const answer = await fetch(from);
  if (!answer.ok || !answer.body) throw new Error(`answered ${answer.status}`);
  return linesOf(Readable.fromWeb(answer.body as import('node:stream/web').ReadableStream));
}

const linesOf = (input: Readable): AsyncIterable<string> =>
  createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });

/** The rules of blocks are checked by who replays them; here only which is the next. */
const pageFrom = (start: number) =>
  z.looseObject({ blocks: z.array(z.looseObject({ blockId: z.int().min(start, `is before block ${start}`) })) });
type Page = z.output<ReturnType<typeof pageFrom>>['blocks'];

/** @returns The blocks, or what is wrong with the answer. */
async function page(base: string, start: number): Promise<{ status: number; blocks?: Page; wrong: string }> {
  const answer = await fetch(`${base.replace(/\/$/, '')}${endpoints.getBlockBytes.path}?start=${start}`);
  const { status } = answer;
  if (!answer.ok) return { status, wrong: `answered ${status} for block ${start}` };
  const read = pageFrom(start).safeParse(await answer.json().catch(() => undefined));
  if (read.success) return { status, blocks: read.data.blocks, wrong: '' };
  return { status, wrong: `answered no blocks for block ${start}: ${formatError(read.error).message}` };
}

/** `undefined` when nobody there speaks the interface of a relayer. */
const firstPage = async (base: string, start: number): Promise<Page | undefined> => (await page(base, start)).blocks;

async function* relayerLines(base: string, first: Page): AsyncGenerator<string> {
  for (let blocks = first; blocks.length > 0; ) {
    for (const block of blocks) yield JSON.stringify(block);
    const next = (blocks.at(-1)?.blockId ?? 0) + 1;
    await sleep(PAUSE_MS);
    let answer = await page(base, next);
    if (answer.status === 429) {
      await sleep(RETRY_MS);
      answer = await page(base, next);
    }
    if (!answer.blocks) throw new Error(answer.wrong);
    blocks = answer.blocks;
  }
}
