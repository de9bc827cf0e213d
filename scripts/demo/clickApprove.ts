import type { Page } from 'playwright-core';
import { readToEnd } from './readToEnd.ts';

/** Longest wait for a click to have its effect, in milliseconds. */
const EFFECT_MS = 3_000;

/** Waits until the approve button works on its answer, or is gone with its window. */
const taken = (window: Page): Promise<true> =>
  window
    .evaluate(
      () =>
        new Promise<true>((resolve) => {
          const observer = new MutationObserver(() => {
            const button = document.querySelector('[data-testid="approve"]');
            if (button?.getAttribute('aria-busy') === 'false') return;
            observer.disconnect();
            resolve(true);
          });
          observer.observe(document.body, { subtree: true, childList: true, attributeFilter: ['aria-busy'] });
        }),
    )
    .catch(() => true);

/**
 * Clicks the approve button of a request that was read to its end. A click has no effect when
 * something new is drawn just before it, such as a balance that comes late: a user then moves the
 * pointer away and clicks again.
 */
export async function clickApprove(window: Page): Promise<void> {
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    const effect = taken(window);
    await window.getByTestId('approve').click();
    if (await Promise.race([effect, window.waitForTimeout(EFFECT_MS).catch(() => true)])) return;
    await window.mouse.move(1, 1);
    await readToEnd(window);
  }
  throw new Error(`the approve button takes no click: ${await window.innerText('body')}`);
}
