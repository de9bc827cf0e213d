import { hexToBytes } from '@noble/hashes/utils.js';
import { generatePrivateKey } from 'viem/accounts';
import { createRelayerClient, type RelayerClient } from '../../src/client/index.ts';
import { type DemoAccount, openAccount } from '../../src/demo/openAccount.ts';
import type { PermissionKind } from '../../src/messaging/views.ts';
import type { RunningRelayer } from '../../src/relayer/createRelayer.ts';
import { type Browser, createBrowser } from './browser.ts';
import { PASSWORD, type PageRequest } from './people.ts';
import type { Plan } from './plan.ts';
import { type Secret, secretBytes, secretText } from './secrets.ts';

export const SITE = 'https://site.example';

/** All that a schedule plays with: an account of its own at the shared relayer, and browsers that hold its keys. */
export interface Stage {
  readonly relayer: RunningRelayer;
  readonly client: RelayerClient;
  readonly account: DemoAccount;
  readonly browsers: readonly Browser[];
  readonly requests: PageRequest[];
  readonly secrets: readonly Secret[];
  /** What `before` of the scenario left for later. */
  readonly memory: Record<string, string>;
}

async function addWallet(browser: Browser, relayer: RunningRelayer, account: DemoAccount, kinds: PermissionKind[]) {
  await browser.ui('createVault', { password: PASSWORD });
  const network = await browser.ui('addNetwork', { baseUrl: relayer.url, name: 'Development' });
  const { signer } = await browser.ui('importSigner', { privateKey: account.privateKey });
  const { id } = await browser.ui('addAccount', { networkId: network.id, signer, label: 'Main' });
  const { life, background } = browser.worker();
  if (kinds.length > 0) await life.run(() => background.wallet.grants.grant(SITE, [id], kinds));
  const { dataKey } = JSON.parse(browser.session.get('vault:session:key') ?? '{}') as { dataKey: string };
  return secretBytes('data key', Buffer.from(dataKey, 'base64'));
}

/** Everything up to the moment at which the page asks; nothing fails yet. */
export async function setStage(
  relayer: RunningRelayer,
  plan: Plan,
  { browsers: count, kinds }: { readonly browsers: number; readonly kinds: PermissionKind[] },
): Promise<Stage> {
  // The harness's own reads: patient, because a loaded machine is no fault.
  const client = createRelayerClient({ baseUrl: relayer.url, timeoutMs: 120_000 });
  const funds = { ETH: '10', LRC: '100000' };
  const account = await openAccount({ client, baseUrl: relayer.url, privateKey: generatePrivateKey(), funds });
  const browsers = Array.from({ length: count }, (_, index) => createBrowser(index === 0 ? '' : `${index + 1}:`, plan));
  const dataKeys = await Promise.all(browsers.map((browser) => addWallet(browser, relayer, account, kinds)));
  return {
    relayer,
    client,
    account,
    browsers,
    requests: [],
    memory: {},
    secrets: [
      secretBytes('L1 key', hexToBytes(account.privateKey.slice(2))),
      secretBytes('EdDSA key', account.secretKey),
      secretText('API key', account.apiKey),
      secretText('password', PASSWORD),
      ...dataKeys,
    ],
  };
}
