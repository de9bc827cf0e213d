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
  if (!/^https?:\/\//.test(from)) return fileLines(from);
  const relayer = await firstPage(from, start);
  if (relayer) return relayerLines(from, relayer);
  const answer = await fetch(from);
  if (!answer.ok || !answer.body) throw new Error(`answered ${answer.status}`);
  return linesOf(Readable.fromWeb(answer.body as import('node:stream/web').ReadableStream));
}

/** The lines of a file, one after the other: a large one has no room in the memory. */
export async function fileLines(path: string): Promise<AsyncIterable<string>> {
  const file = createReadStream(path);
  await once(file, 'open');
  return linesOf(file);
}

const linesOf = (input: Readable): AsyncIterable<string> =>
  createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });

/** The rules of blocks are checked by who replays them; here only which is the next. */
const pageFrom = (start: number) =>
  z.looseObject({ blocks: z.array(z.looseObject({ blockId: z.int().min(start, `is before block ${start}`) })) });
type Page = z.output<ReturnType<typeof pageFrom>>['blocks'];

interface Answer {
  readonly status: number;
  readonly blocks?: Page;
  readonly wrong: string;
}

/** Of a relayer that may answer the same request a moment later. */
const isBusy = ({ status }: Answer) => status === 429 || status >= 500;

/** @returns The blocks, or what is wrong with the answer. */
async function ask(base: string, start: number): Promise<Answer> {
  const answer = await fetch(`${base.replace(/\/$/, '')}${endpoints.getBlockBytes.path}?start=${start}`);
  const { status } = answer;
  if (!answer.ok) return { status, wrong: `answered ${status} for block ${start}` };
  const read = pageFrom(start).safeParse(await answer.json().catch(() => undefined));
  if (read.success) return { status, blocks: read.data.blocks, wrong: '' };
  return { status, wrong: `answered no blocks for block ${start}: ${formatError(read.error).message}` };
}

async function page(base: string, start: number): Promise<Answer> {
  const answer = await ask(base, start);
  if (!isBusy(answer)) return answer;
  await sleep(RETRY_MS);
  return ask(base, start);
}

/** `undefined` when nobody there speaks the interface of a relayer. */
async function firstPage(base: string, start: number): Promise<Page | undefined> {
  const answer = await page(base, start);
  if (isBusy(answer)) throw new Error(answer.wrong);
  return answer.blocks;
}

async function* relayerLines(base: string, first: Page): AsyncGenerator<string> {
  for (let blocks = first; blocks.length > 0; ) {
    for (const block of blocks) yield JSON.stringify(block);
    const next = (blocks.at(-1)?.blockId ?? 0) + 1;
    await sleep(PAUSE_MS);
    const answer = await page(base, next);
    if (!answer.blocks) throw new Error(answer.wrong);
    blocks = answer.blocks;
  }
}
