import { generatePrivateKey } from 'viem/accounts';
import type { Ports } from '../../src/background/ports.ts';
import { createRelayerClient } from '../../src/client/index.ts';
import { openAccount } from '../../src/demo/openAccount.ts';
import { createRelayer, type RunningRelayer } from '../../src/relayer/createRelayer.ts';
import { createWalletHarness, type PageOutcome, type WalletHarness } from '../support/wallet.ts';

export const SITE = 'https://site.example';
export const PASSWORD = 'correct horse battery staple';

/** Sell 100 LRC for 0.05 ETH: far above the pool's price, so it rests. */
export const ORDER = {
  sellToken: { tokenId: 1, volume: '100000000000000000000' },
  buyToken: { tokenId: 0, volume: '50000000000000000' },
  tradeChannel: 'ORDER_BOOK',
};

export const startRelayer = (): Promise<RunningRelayer> =>
  createRelayer({ dev: true, port: 0, logLevel: 'silent', requestsPerSecond: 1000 });

/** A funded account with a registered key, and a wallet that holds it; the site is connected. */
export async function setUp(relayer: RunningRelayer, changes: Partial<Ports> = {}) {
  const client = createRelayerClient({ baseUrl: relayer.url });
  const account = await openAccount({
    client,
    baseUrl: relayer.url,
    privateKey: generatePrivateKey(),
    funds: { ETH: '10', LRC: '100000' },
  });
  const wallet = createWalletHarness(changes);
  await wallet.ui('createVault', { password: PASSWORD });
  const network = await wallet.ui('addNetwork', { baseUrl: relayer.url, name: 'Development' });
  const { signer } = await wallet.ui('importSigner', { privateKey: account.privateKey });
  const { id } = await wallet.ui('addAccount', { networkId: network.id, signer, label: 'Main' });
  await wallet.background().wallet.grants.grant(SITE, [id], ['read', 'orders']);
  return { client, account, wallet, network, accountView: id };
}

export type SetUp = Awaited<ReturnType<typeof setUp>>;

/** Waits for something that happens in the background. */
export async function until<T>(look: () => Promise<T | undefined | false>): Promise<T> {
  for (let i = 0; i < 500; i++) {
    const found = await look();
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error('waited 5 s for nothing');
}

/** The only open question, when it has reached a stage. */
export const question = (wallet: WalletHarness, stage = 'ready') =>
  until(async () => {
    const [open] = await wallet.ui('listApprovals', {});
    const view = open && (await wallet.ui('getApproval', { id: open.id }));
    return view?.stage === stage ? view : undefined;
  });

/** Asks for an order and approves it, exactly as shown. */
export async function approveOrder(wallet: WalletHarness, changes: object = {}): Promise<PageOutcome> {
  const answer = wallet.page(SITE, 'relayer_submitOrder', [{ ...ORDER, ...changes }]);
  const view = await question(wallet);
  await wallet.ui('approve', { id: view.id, digest: view.digest ?? '', account: view.account?.id ?? null });
  return answer;
}

/** All orders of the account at the relayer; no two share a storage id. */
export async function ordersOf({ client, account }: Pick<SetUp, 'client' | 'account'>) {
  const query = { accountId: account.accountId, limit: 50 };
  const { orders } = await client.getOrders({ query, apiKey: account.apiKey });
  const ids = orders.map(({ storageInfo }) => storageInfo?.storageId);
  if (new Set(ids).size !== ids.length) throw new Error(`a storage id was used twice: ${ids.join(', ')}`);
  return orders;
}
