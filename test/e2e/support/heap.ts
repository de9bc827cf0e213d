import type { BrowserContext } from 'playwright-core';

/** What is put into the worker's memory first, to see that the snapshot shows it. */
export const PLANTED = 'planted-text-9b1f';

/**
 * A heap snapshot of the service worker after garbage collection, as text: every string that
 * anything in it still reaches. Playwright opens no session to a worker, so messages go through the
 * browser's.
 */
export async function workerHeap(context: BrowserContext, extensionId: string): Promise<string> {
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
  const send = async (method: string, params: object = {}): Promise<unknown> => {
    const id = ++lastId;
    const answer = new Promise((done, failed) => waiting.set(id, { done, failed }));
    await cdp.send('Target.sendMessageToTarget', { sessionId, message: JSON.stringify({ id, method, params }) });
    return answer;
  };
  // In pieces: the script itself is in the snapshot too.
  await send('Runtime.evaluate', {
    expression: `globalThis.planted = ${JSON.stringify(PLANTED.split('-'))}.join('-')`,
  });
  await send('HeapProfiler.enable');
  await send('HeapProfiler.collectGarbage');
  await send('HeapProfiler.takeHeapSnapshot');
  await cdp.detach();
  return chunks.join('');
}
