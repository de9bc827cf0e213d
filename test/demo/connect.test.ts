// @vitest-environment happy-dom
import { readFileSync } from 'node:fs';
import { expect, it, vi } from 'vitest';

const page = readFileSync('src/demo/page/index.html', 'utf8');
const accounts = ['0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266', '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'];
const connecting = ['eth_accounts', 'eth_requestAccounts'];

function openPage(): void {
  document.body.innerHTML = page.replace(/^.*<body>|<script.*$/gs, '');
  vi.stubGlobal('fetch', async () => new Response(null, { status: 204 }));
  vi.resetModules();
}

it('takes no account of a wallet that answers after another one was chosen', async () => {
  openPage();
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

it('reads everything again when the site sees the same account at another exchange', async () => {
  openPage();
  const handlers = new Map<string, (value: unknown) => void>();
  let total = '1000000000000000000';
  const answers: Record<string, () => unknown> = {
    eth_accounts: () => accounts.slice(0, 1),
    eth_chainId: () => '0x7a69',
    wallet_getCapabilities: () => ({}),
    wallet_revokePermissions: () => null,
    relayer_getBalances: () => [{ tokenId: 0, total, locked: '0' }],
  };
  const provider = {
    on: (event: string, handler: (value: unknown) => void) => handlers.set(event, handler),
    removeListener: () => {},
    request: async ({ method }: { method: string }) => {
      const answer = answers[method];
      if (!answer) throw Object.assign(new Error('No such method'), { code: 4200 });
      return answer();
    },
  };
  await import('../../src/demo/page/main.ts');
  const info = { uuid: 'one', name: 'Wallet', icon: '', rdns: 'wallet.example' };
  window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: { info, provider } }));
  const shown = () => document.querySelector<HTMLElement>('[data-testid=balance-ETH]')?.dataset.total;
  await expect.poll(shown).toBe(total);
  total = '2000000000000000000';
  handlers.get('chainChanged')?.('0x7a69');
  handlers.get('accountsChanged')?.(accounts.slice(0, 1));
  await expect.poll(shown).toBe(total);
  document.querySelector<HTMLElement>('[data-testid=disconnect]')?.click();
  await expect.poll(() => document.querySelector('[data-testid=account]')?.textContent).toBe('');
  vi.unstubAllGlobals();
});
