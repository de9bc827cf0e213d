import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Message to the worker of `writeTimedExtension`'s extension: how long the derivations since the
 * last such message took.
 */
export const DERIVED = 'bench-derived';

/**
 * Before the worker's own code: adds up what the key derivation's WebAssembly takes, compiling,
 * memory and hashing. The signing core makes its instance in another way.
 */
const stopwatch = `'use strict';
{
  let spent = 0;
  const timed = (call) => (...given) => {
    const started = performance.now();
    const done = () => void (spent += performance.now() - started);
    const result = call(...given);
    if (typeof result?.then === 'function') return result.finally(done);
    done();
    return result;
  };
  const { compile, instantiate } = WebAssembly;
  WebAssembly.compile = timed((...given) => compile.apply(WebAssembly, given));
  WebAssembly.instantiate = timed(async (...given) => {
    const { exports } = await instantiate.apply(WebAssembly, given);
    const entries = Object.entries(exports);
    return { exports: Object.fromEntries(entries.map(([name, one]) => [name, typeof one === 'function' ? timed(one) : one])) };
  });
  chrome.runtime.onMessage.addListener((message, _sender, answer) => {
    if (message?.type !== '${DERIVED}') return;
    answer(spent);
    spent = 0;
  });
}
`;

/**
 * Copies the built extension `from` into `folder`, with a stopwatch on its key derivation;
 * everything else as it is.
 */
export async function writeTimedExtension(from: string, folder: string): Promise<void> {
  await cp(from, folder, { recursive: true });
  const worker = join(folder, 'countersign-worker.js');
  await writeFile(worker, stopwatch + (await readFile(worker, 'utf8')));
}
