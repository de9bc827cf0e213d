import type { BrowserContext } from 'playwright-core';

/** Ends what hangs; a busy machine opens it later. */
const PATIENCE_MS = 120_000;

/**
 * Closes the tab that the installation of the extension opens, which would draw itself anew at each
 * change, also while something else is measured or tested.
 * @throws {Error} No such tab was opened.
 */
export async function closeGreeting(context: BrowserContext): Promise<void> {
  for (const end = Date.now() + PATIENCE_MS; ; ) {
    const greeting = context.pages().find((page) => page.url().endsWith('/src/ui/onboarding.html'));
    if (greeting) return greeting.close();
    if (Date.now() > end) throw new Error('the installation opened no tab');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
