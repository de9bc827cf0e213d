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

it('shows the last exchange of two changes, in whichever order the answers come', async () => {
  openPage();
  const handlers = new Map<string, (value: unknown) => void>();
  const pending: { readonly method: string; readonly answer: (value: unknown) => void }[] = [];
  const provider = {
    on: (event: string, handler: (value: unknown) => void) => handlers.set(event, handler),
    removeListener: () => {},
    request: ({ method }: { method: string }) => {
      if (connecting.includes(method)) return Promise.resolve(accounts.slice(0, 1));
      return new Promise((answer) => pending.push({ method, answer }));
    },
  };
  const asked = (method: string) => pending.filter((one) => one.method === method);
  const answer = (method: string, ...values: unknown[]) => {
    for (const value of values) {
      const last = asked(method).at(-1);
      if (!last) throw new Error(`nobody asked for ${method}`);
      pending.splice(pending.indexOf(last), 1);
      last.answer(value);
    }
  };
  await import('../../src/demo/page/main.ts');
  const info = { uuid: 'one', name: 'Wallet', icon: '', rdns: 'wallet.example' };
  window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: { info, provider } }));
  const chain = () => document.querySelector('[data-testid=chain]')?.textContent;
  const total = () => document.querySelector<HTMLElement>('[data-testid=balance-ETH]')?.dataset.total;
  const balances = (amount: string) => [{ tokenId: 0, total: amount, locked: '0' }];
  await expect.poll(() => asked('eth_chainId')).toHaveLength(1);
  answer('eth_chainId', '0x1');
  await expect.poll(chain).toBe('1');
  handlers.get('chainChanged')?.('0x2');
  handlers.get('chainChanged')?.('0x3');
  await expect.poll(() => asked('eth_chainId')).toHaveLength(2);
  // The later question is answered first.
  answer('eth_chainId', '0x3', '0x2');
  await expect.poll(() => asked('wallet_getCapabilities')).toHaveLength(3);
  expect(chain()).toBe('3');
  answer('wallet_getCapabilities', {}, {}, {});
  await expect.poll(() => asked('relayer_getBalances')).toHaveLength(3);
  answer('relayer_getBalances', balances('3'), balances('2'), balances('1'));
  await expect.poll(total).toBe('3');
  handlers.get('accountsChanged')?.([]);
  await expect.poll(() => document.querySelector('[data-testid=account]')?.textContent).toBe('');
  vi.unstubAllGlobals();
});
