import type { BrowserContext } from 'playwright-core';

/** What the service worker still reaches after garbage collection. */
export interface WorkerMemory {
  /** A heap snapshot as text: every string. */
  readonly heap: string;
  /** Names of the byte patterns that stand in an array buffer or in the memory of a WebAssembly module. */
  readonly inBytes: readonly string[];
}

/** What tests plant in the worker, to see that the scan finds it. */
export const planted = {
  text: 'planted-text-9b1f',
  bytes: Uint8Array.from({ length: 16 }, (_, index) => (index * 59 + 17) % 256),
};

/**
 * Looks through the memory of the service worker, into which `planted` is put first.
 * Playwright opens no session to a worker, so messages go through the browser's.
 */
export async function workerMemory(
  context: BrowserContext,
  extensionId: string,
  patterns: Readonly<Record<string, Uint8Array>>,
): Promise<WorkerMemory> {
  const browser = context.browser();
  if (!browser) throw new Error('no browser behind the context');
  const cdp = await browser.newBrowserCDPSession();
  const { targetInfos } = await cdp.send('Target.getTargets');
  const target = targetInfos.find(({ type, url }) => type === 'service_worker' && url.includes(extensionId));
  if (!target) throw new Error('the worker does not run');
  const { sessionId } = await cdp.send('Target.attachToTarget', { targetId: target.targetId, flatten: false });
  const chunks: string[] = [];
  const waiting = new Map<number, { done(result: unknown): void; failed(error: Error): void }>();
  cdp.on('Target.receivedMessageFromTarget', (event) => {
    if (event.sessionId !== sessionId) return;
    const message = JSON.parse(event.message);
    if (message.method === 'HeapProfiler.addHeapSnapshotChunk') chunks.push(message.params.chunk);
    const asked = waiting.get(message.id);
    const problem = message.error ?? message.result?.exceptionDetails;
    if (problem) asked?.failed(new Error(JSON.stringify(problem)));
    else asked?.done(message.result);
  });
  let lastId = 0;
  // biome-ignore lint/suspicious/noExplicitAny: answers of the browser's protocol
  const send = async (method: string, params: object = {}): Promise<any> => {
    const id = ++lastId;
    const answer = new Promise((done, failed) => waiting.set(id, { done, failed }));
    await cdp.send('Target.sendMessageToTarget', { sessionId, message: JSON.stringify({ id, method, params }) });
    return answer;
  };
  const evaluate = (expression: string) => send('Runtime.evaluate', { expression });

  // In two parts: the script itself is in the snapshot too.
  await evaluate(`globalThis.plantedText = ${JSON.stringify(planted.text.split('-'))}.join('-')`);
  await evaluate(`globalThis.plantedBytes = new Uint8Array([${planted.bytes}])`);
  await send('HeapProfiler.enable');
  await send('HeapProfiler.collectGarbage');
  await send('HeapProfiler.takeHeapSnapshot');
  const found = new Set<string>();
  const named = Object.entries({ planted: planted.bytes, ...patterns }).map(([name, bytes]) => [name, [...bytes]]);
  // A short typed array has no buffer before somebody asks for it, so buffers alone are not enough.
  for (const holder of ['Object.getPrototypeOf(Uint8Array)', 'ArrayBuffer', 'WebAssembly.Memory']) {
    const { result } = await evaluate(`${holder}.prototype`);
    const { objects } = await send('Runtime.queryObjects', { prototypeObjectId: result.objectId });
    const { result: names } = await send('Runtime.callFunctionOn', {
      objectId: objects.objectId,
      arguments: [{ value: named }],
      returnByValue: true,
      functionDeclaration: `function (named) {
        const text = (bytes) => new TextDecoder('latin1').decode(bytes);
        const looked = named.map(([name, bytes]) => [name, text(new Uint8Array(bytes))]);
        return this.flatMap((one) => {
          const buffer = 'buffer' in one ? one.buffer : one;
          if (buffer.detached) return [];
          const all = text(new Uint8Array(buffer));
          return looked.filter(([, bytes]) => all.includes(bytes)).map(([name]) => name);
        });
      }`,
    });
    for (const name of names.value as string[]) found.add(name);
  }
  await cdp.detach();
  return { heap: chunks.join(''), inBytes: [...found] };
}
