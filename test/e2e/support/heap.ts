import type { BrowserContext } from 'playwright-core';

/**
 * A heap snapshot of the service worker after garbage collection, as text: every string that anything in it still reaches.
 * Playwright opens no session to a worker, so messages go through the browser's.
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
  let answered: (id: number) => void = () => {};
  cdp.on('Target.receivedMessageFromTarget', (event) => {
    if (event.sessionId !== sessionId) return;
    const message = JSON.parse(event.message) as { id?: number; method?: string; params?: { chunk?: string } };
    if (message.method === 'HeapProfiler.addHeapSnapshotChunk') chunks.push(message.params?.chunk ?? '');
    if (message.id !== undefined) answered(message.id);
  });
  for (const [id, method] of [
    'HeapProfiler.enable',
    'HeapProfiler.collectGarbage',
    'HeapProfiler.takeHeapSnapshot',
  ].entries()) {
    const done = new Promise<void>((resolve) => {
      answered = (answer) => {
        if (answer === id) resolve();
      };
    });
    await cdp.send('Target.sendMessageToTarget', { sessionId, message: JSON.stringify({ id, method, params: {} }) });
    await done;
  }
  await cdp.detach();
  return chunks.join('');
}
