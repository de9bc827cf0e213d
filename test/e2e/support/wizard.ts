import type { Page } from 'playwright-core';
import { PASSWORD } from './stage.ts';

/** Walks the key wizard up to its last button, which is left to the test. */
export async function walkWizard(page: Page, kind: 'derived' | 'random', feeSymbol?: string): Promise<void> {
  await page.getByText('Why replace it?').waitFor();
  await page.getByRole('radio', { name: 'Somebody may have it' }).check();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('radio', { name: kind === 'derived' ? /^Derive it/ : /^Make a random key/ }).check();
  if (feeSymbol !== undefined) await page.getByRole('radio', { name: `${feeSymbol}:` }).check();
  await page.getByRole('button', { name: 'Make the key' }).click();
  if (kind === 'random') {
    await page.getByText('Write the new key down').first().waitFor();
    await page.locator('input[autocomplete=current-password]').fill(PASSWORD);
    await page.getByRole('button', { name: 'Show the digits' }).click();
    const digits = (await page.locator('.backup-digits').innerText()).trim();
    await page.getByRole('button', { name: 'I have written it down' }).click();
    await page.getByLabel('Type the last six digits').fill(digits.slice(-6));
    await page.getByRole('button', { name: 'Continue' }).click();
  }
  // The step before has a field for the password too.
  await page.getByRole('button', { name: 'Replace the key' }).waitFor();
  await page.locator('input[autocomplete=current-password]').fill(PASSWORD);
}

/**
 * From the window in which a site asks for a new key through the wizard to the relayer's answer.
 */
export async function approveKeyUpdate(window: Page, feeSymbol?: string): Promise<void> {
  await window.getByText('This site asks you to replace the account key').waitFor();
  await window.getByRole('button', { name: 'Continue' }).click();
  await walkWizard(window, 'derived', feeSymbol);
  await window.getByRole('button', { name: 'Replace the key' }).click();
}
