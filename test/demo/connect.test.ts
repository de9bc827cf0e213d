// @vitest-environment happy-dom
import { readFileSync } from 'node:fs';
import { expect, it, vi } from 'vitest';

const page = readFileSync('src/demo/page/index.html', 'utf8');
const accounts = ['0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266', '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'];
const connecting = ['eth_accounts', 'eth_requestAccounts'];

it('takes no account of a wallet that answers after another one was chosen', async () => {
  document.body.innerHTML = page.replace(/^.*<body>|<script.*$/gs, '');
  vi.stubGlobal('fetch', async () => new Response(null, { status: 204 }));
  const answers: (() => void)[] = [];
  const wallets = accounts.map((account, index) => ({
    info: { uuid: `${index}`, name: `Wallet ${index}`, icon: '', rdns: `wallet${index}.example` },
    provider: {
      on: () => {},
      removeListener: () => {},
      request: ({ method }: { method: string }) =>
        connecting.includes(method)
          ? new Promise((resolve) => answers.push(() => resolve([account])))
          : Promise.reject(Object.assign(new Error('No such method'), { code: 4200 })),
    },
  }));
  vi.resetModules();
  await import('../../src/demo/page/main.ts');
  for (const detail of wallets) window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }));
  const buttons = document.querySelectorAll<HTMLButtonElement>('[data-testid=connect]');
  const shown = () => document.querySelector('[data-testid=account]')?.textContent;
  for (const button of buttons) button.click();
  await expect.poll(() => answers).toHaveLength(3);
  // Those of the first wallet: to the question of the page itself, and to the click.
  answers[0]?.();
  answers[1]?.();
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(shown()).toBe('');
  answers[2]?.();
  await expect.poll(shown).toBe(accounts[1]);
  // Ends the reads of the market.
  document.querySelector<HTMLElement>('[data-testid=disconnect]')?.click();
  await expect.poll(shown).toBe('');
  vi.unstubAllGlobals();
});
