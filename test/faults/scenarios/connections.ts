import type { Browser } from '../browser.ts';
import type { Scenario } from '../scenario.ts';
import { SITE } from '../stage.ts';

/** The asking site has a grant. */
async function isConnected(browser: Browser): Promise<boolean> {
  const sites = JSON.parse(browser.local.get('sites') ?? '[]') as { origin: string; grants: unknown[] }[];
  return (sites.find(({ origin }) => origin === SITE)?.grants.length ?? 0) > 0;
}

export const connectionScenarios: readonly Scenario[] = [
  {
    name: 'connect',
    operation: 'connect',
    kinds: [],
    browsers: 1,
    mayStayOpen: false,
    ask: () => [{ method: 'eth_requestAccounts' }, { method: 'eth_requestAccounts', tab: 2 }],
    steps: () => ['approve'],
    atRelayer: async () => [],
    carriedOut: isConnected,
  },
  {
    name: 'connect-rejected',
    operation: 'connect',
    kinds: [],
    browsers: 1,
    mayStayOpen: false,
    ask: () => [{ method: 'eth_requestAccounts' }],
    steps: () => ['reject'],
    atRelayer: async () => [],
    carriedOut: isConnected,
  },
];
