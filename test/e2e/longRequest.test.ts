import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rejectIn, type Stage, setStage } from './support/stage.ts';

const GRAVE = 'I hand over my house.';

let stage: Stage;
let tab: Page;
beforeAll(async () => {
  stage = await setStage();
  tab = await stage.connectedPage();
});
afterAll(() => stage?.close());

const askFor = (text: string) => stage.ask(tab, 'personal_sign', [text, stage.account.owner]);
const approveButton = (window: Page) => window.getByTestId('approve');
const armed = (window: Page) => window.locator('[data-testid=approve][aria-disabled=false]');
/** Whether the last line of the text lies inside the part of the window that scrolls. */
const lastLineInView = (window: Page) =>
  window.locator('.document').evaluate((element) => {
    const box = element.closest('.approval-content')?.getBoundingClientRect();
    return box !== undefined && element.getBoundingClientRect().bottom <= box.bottom;
  });

/** Everything the button was since now, in order. */
async function watchButton(window: Page): Promise<() => Promise<readonly (string | null)[]>> {
  await approveButton(window).evaluate((button) => {
    const states: (string | null)[] = [];
    Object.assign(globalThis, { states });
    new MutationObserver(() => states.push(button.getAttribute('aria-disabled'))).observe(button, {
      attributeFilter: ['aria-disabled'],
    });
  });
  return () => window.evaluate(() => (globalThis as unknown as { states: (string | null)[] }).states);
}

test('the last sentence of a text is in view before it can be approved', async () => {
  const { window, answer } = await askFor(`Log in.\n${'.\n'.repeat(3_000)}${GRAVE}`);
  const states = await watchButton(window);
  await window.getByText('Scroll to the end to approve.').waitFor();
  // Longer than the still time: what holds now is the end alone.
  await window.waitForTimeout(1_500);
  expect(await lastLineInView(window)).toBe(false);
  expect(await states()).toEqual([]);
  await approveButton(window).click({ force: true });
  await window.waitForTimeout(300);
  await window.getByText('Scroll to the end to approve.').waitFor();

  await window.locator('.document').hover();
  await window.mouse.wheel(0, 1_000_000);
  await armed(window).waitFor();
  expect(await states()).toEqual(['false']);
  await approveButton(window).click();
  expect(await answer).toHaveProperty('result');
  await window.close();
});

test('3,000 newlines before the last sentence are one line that counts them', async () => {
  const { window, answer } = await askFor(`Log in.${'\n'.repeat(3_000)}${GRAVE}`);
  await approveButton(window).waitFor();
  expect(await window.locator('.document').innerText()).toBe(`Log in.\n… 2,999 blank lines\n${GRAVE}`);
  expect(await window.locator('.document').evaluate((element) => element.getBoundingClientRect().height)).toBeLessThan(
    200,
  );
  await rejectIn(window);
  expect(await answer).toMatchObject({ error: { code: 4001 } });
});

test('a change of the layout makes the button wait again', async () => {
  const { window, answer } = await askFor('Log in.');
  await armed(window).waitFor();
  const states = await watchButton(window);
  await window.locator('.details summary').first().click();
  await expect.poll(states).toEqual(['true', 'false']);
  await rejectIn(window);
  expect(await answer).toMatchObject({ error: { code: 4001 } });
});
