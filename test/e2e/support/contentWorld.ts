import type { Page } from 'playwright-core';
import type { Extension } from './extension.ts';

/**
 * Runs code in the content-script world of a tab: what is open to a compromised renderer of that
 * tab.
 * @returns What evaluates the body of an asynchronous function there.
 */
export async function contentWorld(
  { context, id }: Pick<Extension, 'context' | 'id'>,
  tab: Page,
): Promise<(body: string) => Promise<unknown>> {
  const cdp = await context.newCDPSession(tab);
  const worlds: { id: number; origin: string }[] = [];
  cdp.on('Runtime.executionContextCreated', ({ context: world }) => worlds.push(world));
  await cdp.send('Runtime.enable');
  const world = worlds.find(({ origin }) => origin === `chrome-extension://${id}`);
  if (!world) throw new Error('the tab has no content script of the extension');
  return async (body) => {
    const { result, exceptionDetails } = await cdp.send('Runtime.evaluate', {
      expression: `(async () => { ${body} })()`,
      contextId: world.id,
      awaitPromise: true,
      returnByValue: true,
    });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  };
}
