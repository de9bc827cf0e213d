import type { Page } from 'playwright-core';

/** Longest wait for an approve button to answer, in milliseconds. */
const patience = 120_000;

/** Scrolls a request to its end, as a reader does, until its approve button answers. */
export async function readToEnd(window: Page): Promise<void> {
  const armed = window.locator('[data-testid="approve"][aria-disabled="false"]');
  const deadline = Date.now() + patience;
  while (!(await armed.isVisible())) {
    if (Date.now() > deadline) throw new Error(`the approve button does not answer: ${await window.innerText('body')}`);
    // A request that is drawn anew starts at its top again.
    for (const end of await window.locator('.approval-end').all())
      await end
        .evaluate((element) => element.scrollIntoView({ block: 'end' }), undefined, { timeout: 500 })
        .catch(() => {});
    await window.waitForTimeout(100);
  }
}
