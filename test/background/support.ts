import { privateKeyToAccount } from 'viem/accounts';
import { type DemoAccount, openAccount } from '../../scripts/demo/openAccount.ts';
import { grantsChanged } from '../../src/background/approvals/siteRights.ts';
import type { Ports } from '../../src/background/ports.ts';
import type { RelayerClient } from '../../src/client/index.ts';
import { formatSignature, getPublicKey, sign } from '../../src/crypto/index.ts';
import type { PermissionKind } from '../../src/messaging/views.ts';
import {
  accountUpdateTypedData,
  bodyText,
  endpoints,
  formatHash,
  orderHash,
  requestHash,
  requestMessage,
} from '../../src/protocol/index.ts';
import type { RelayerConfigInput } from '../../src/relayer/config.ts';
import type { RunningRelayer } from '../../src/relayer/createRelayer.ts';
import { developmentRelayer } from '../relayer/support/startRelayer.ts';
import { randomSecretKey } from '../relayer/support/testAccount.ts';
import { dev } from '../support/dev.ts';
import { patientClient } from '../support/patientClient.ts';
import { createWalletHarness, PASSWORD, type PageOutcome, type WalletHarness } from '../support/wallet.ts';

export { START_TIMEOUT_MS } from '../relayer/support/databases.ts';
export const SITE = 'https://site.example';
export { PASSWORD };

/** Sell 100 LRC for 0.05 ETH: far above the pool's price, so it rests. */
export const ORDER = {
  sellToken: { tokenId: 1, volume: '100000000000000000000' },
  buyToken: { tokenId: 0, volume: '50000000000000000' },
  tradeChannel: 'ORDER_BOOK',
};

export const startRelayer = (settings: RelayerConfigInput = {}): Promise<RunningRelayer> =>
  developmentRelayer({ requestsPerSecond: 1000, blockAgeMs: 200, ...settings });

/** A wallet that knows a relayer, and has no account. */
export async function setUpNetwork(relayer: RunningRelayer, changes: Partial<Ports> = {}) {
  const wallet = createWalletHarness(changes);
  await wallet.ui('createVault', { password: PASSWORD });
  const network = await wallet.ui('addNetwork', { baseUrl: relayer.url, name: 'Development' });
  return { wallet, network };
}

/** A funded account with a registered key. */
export const openFunded = (relayer: RunningRelayer) => openOther(relayer, { ETH: '10', LRC: '100000' });

/**
 * A funded account with a registered key, and a wallet that holds it; the site is connected.
 * @param opened - The account of several tests, none of which changes it; a new one when absent.
 */
export async function setUp(
  relayer: RunningRelayer,
  changes: Partial<Ports> = {},
  kinds: readonly PermissionKind[] = [],
  opened?: DemoAccount,
) {
  const client = patientClient(relayer.url);
  const account = opened ?? (await openFunded(relayer));
  const { wallet, network } = await setUpNetwork(relayer, changes);
  const { signer } = await wallet.ui('importSigner', { privateKey: account.privateKey });
  const { id } = await wallet.ui('addAccount', { networkId: network.id, signer, label: 'Main' });
  await wallet.background().wallet.grants.grant(SITE, [id], ['read', 'orders', ...kinds]);
  await grantsChanged(wallet.background().wallet, SITE);
  return { client, account, wallet, network, accountView: id };
}

export type SetUp = Awaited<ReturnType<typeof setUp>>;

/** The same account, connected to the same site, in another browser. */
export async function restoredElsewhere({ wallet, accountView }: Pick<SetUp, 'wallet' | 'accountView'>) {
  const { file } = await wallet.ui('exportBackup', { password: PASSWORD });
  const elsewhere = createWalletHarness();
  await elsewhere.ui('restoreBackup', { file, password: PASSWORD });
  await elsewhere.background().wallet.grants.grant(SITE, [accountView], ['read', 'orders']);
  return elsewhere;
}

/** Moves the clock of a development relayer on. */
export async function moveRelayerClock(relayer: RunningRelayer, advanceMs: number): Promise<void> {
  await dev(relayer, 'clock', { advanceMs });
}

/** Settles what is in progress at a development relayer, and seals a block of it. */
export async function seal(relayer: RunningRelayer): Promise<void> {
  await dev(relayer, 'blocks');
}

/**
 * As long as a test may take, less what it needs to say what it waited for: how long something
 * takes on a busy machine is no fact of a test.
 */
const PATIENCE_MS = 240_000;

/** Waits for something that happens in the background. */
export async function until<T>(look: () => Promise<T | undefined | false>): Promise<T> {
  const end = Date.now() + PATIENCE_MS;
  while (Date.now() < end) {
    const found = await look();
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`waited ${PATIENCE_MS / 1000} s for nothing`);
}

/** The only open question, when it has reached a stage. */
export const question = (wallet: WalletHarness, stage = 'ready') =>
  until(async () => {
    const [open] = await wallet.ui('listApprovals', {});
    const view = open && (await wallet.ui('getApproval', { id: open.id }));
    if (stage === 'locked') return view?.needsPassword ? view : undefined;
    return view?.stage === stage && !view.needsPassword ? view : undefined;
  });

/** Asks for something and approves it, exactly as shown. */
export async function approveRequest(wallet: WalletHarness, method: string, intent: object): Promise<PageOutcome> {
  const answer = wallet.page(SITE, method, [intent]);
  const view = await question(wallet);
  await wallet.ui('approve', {
    id: view.id,
    digest: view.digest ?? '',
    account: view.account?.id ?? null,
    password: PASSWORD,
  });
  return answer;
}

/**
 * Approves the question that is put again because its storage id was used elsewhere.
 * @returns What the user was shown.
 */
export async function approveAgain(wallet: WalletHarness) {
  const view = await until(async () => {
    const shown = await question(wallet);
    return shown.review?.warnings[0]?.rule === 'signed-before' && shown;
  });
  await wallet.ui('approve', { id: view.id, digest: view.digest ?? '', account: view.account?.id ?? null });
  return view;
}

/** Asks for an order and approves it, exactly as shown. */
export const approveOrder = (wallet: WalletHarness, changes: object = {}) =>
  approveRequest(wallet, 'relayer_submitOrder', { ...ORDER, ...changes });

/** The result of a request that must have one. */
export function resultOf<Result = { hash: string; status: string; requestId: string; storageId?: number }>(
  outcome: PageOutcome,
): Result {
  if ('error' in outcome) throw new Error(JSON.stringify(outcome.error));
  return outcome.result as Result;
}

/** A second account of the same relayer. */
export const openOther = (relayer: RunningRelayer, funds: Record<string, string> = { ETH: '1' }) =>
  openAccount({
    client: patientClient(relayer.url),
    baseUrl: relayer.url,
    funds,
  });

/**
 * Registers a random key in place of an account's own, as another wallet would, and returns it when
 * it is reported.
 */
export async function replaceKeyElsewhere(client: RelayerClient, account: DemoAccount) {
  const { accountId, owner, exchange } = account;
  const secretKey = randomSecretKey();
  const { x, y } = getPublicKey(secretKey);
  const publicKey = { x: formatHash(x), y: formatHash(y) };
  const { chainId } = await client.getExchangeInfo({});
  const { nonce } = await client.getAccount({ query: { accountId } });
  const body = {
    exchange,
    owner,
    accountId,
    publicKey,
    maxFee: { tokenId: 0, volume: '1000000000000000' },
    validUntil: Math.floor(Date.now() / 1000) + 3_600,
    nonce,
  };
  const ecdsaSignature = await privateKeyToAccount(account.privateKey).signTypedData(
    accountUpdateTypedData(chainId, body) as never,
  );
  await client.updateAccount({ body: { ...body, ecdsaSignature }, signature: ecdsaSignature });
  await until(async () => BigInt((await client.getAccount({ query: { accountId } })).publicKey.x) === x);
  return { secretKey, publicKey };
}

/** Total of a token that an account has, base units. */
export async function balanceOf(
  client: RelayerClient,
  { accountId, apiKey }: { accountId: number; apiKey: string },
  tokenId: number,
): Promise<bigint> {
  const rows = await client.getBalances({ query: { accountId, tokens: String(tokenId) }, apiKey });
  return BigInt(rows[0]?.total ?? 0);
}

/** A clock that the test moves on, so that nobody waits for the next look at an open submission. */
export function movableClock() {
  let ahead = 0;
  return {
    now: () => Date.now() + ahead,
    advance(ms: number) {
      ahead += ms;
    },
  };
}

/** Lets the wallet look until the newest submission (of an operation) has reached its end. */
export const finalStatus = (wallet: WalletHarness, clock: ReturnType<typeof movableClock>, operation?: string) =>
  until(async () => {
    await new Promise((resolve) => setTimeout(resolve, 100));
    // The clock that makes the next look due must not lock the wallet.
    await wallet.ui('touch', {});
    clock.advance(20_000);
    await wallet.background().onWake();
    const listed = await wallet.ui('getActivity', { limit: 10 });
    const newest = operation === undefined ? listed[0] : listed.find((item) => item.operation === operation);
    return newest && !['acknowledged', 'unknown', 'reserved', 'approved'].includes(newest.status)
      ? newest.status
      : undefined;
  });

/** All orders of the account at the relayer; no two share a storage id. */
export async function ordersOf({ client, account }: Pick<SetUp, 'client' | 'account'>) {
  const query = { accountId: account.accountId, limit: 50 };
  const { orders } = await client.getOrders({ query, apiKey: account.apiKey });
  const ids = orders.map(({ storageInfo }) => storageInfo?.storageId);
  if (new Set(ids).size !== ids.length) throw new Error(`a storage id was used twice: ${ids.join(', ')}`);
  return orders;
}

interface Unregistered {
  readonly networkId: string;
  readonly signer: string;
  readonly owner?: string;
}

/**
 * Claims an account without a key and asks for its first one; a random key is backed up.
 * @returns What the user is shown.
 */
export async function askFirstKey(wallet: WalletHarness, place: Unregistered, kind: 'derived' | 'random' = 'derived') {
  const { id: account } = await wallet.ui('claimAccount', { ...place, label: 'Main' });
  await wallet.ui('startKeyUpdate', { account, approval: null, kind, feeTokenId: null });
  const asked = await wallet.ui('getKeyUpdate', { account, approval: null });
  const { approval, newKey } = asked;
  if (!approval || !newKey) throw new Error(`nothing is asked for ${account}`);
  if (kind === 'derived') return { account, approval, newKey, backup: '' };
  const key = { account, pending: newKey.publicKey.x, password: PASSWORD } as const;
  const { text } = await wallet.ui('exportAccountKey', { ...key, form: 'hex' });
  await wallet.ui('confirmBackup', { approval: approval.id, shown: { lastDigits: text.slice(-6) } });
  return { account, approval, newKey, backup: text };
}

type FirstKey = Pick<Awaited<ReturnType<typeof askFirstKey>>, 'account' | 'approval'>;

export const approveFirstKey = (wallet: WalletHarness, { account, approval }: FirstKey) =>
  wallet.uiAnswer('approve', { id: approval.id, digest: approval.digest ?? '', account, password: PASSWORD });

/** The account, once its first key is in use. */
export const firstKeyInUse = (wallet: WalletHarness, { account }: Pick<FirstKey, 'account'>) =>
  until(async () => {
    for (const { id } of await wallet.background().wallet.journal.pending())
      await wallet.background().wallet.submissions.check(id);
    return (await wallet.ui('getState', {})).accounts.find(({ id }) => id === account);
  });

/** Registers the first key of an account, which is in use then. */
export async function activate(wallet: WalletHarness, place: Unregistered, kind: 'derived' | 'random' = 'derived') {
  const asked = await askFirstKey(wallet, place, kind);
  const answer = await approveFirstKey(wallet, asked);
  if (!answer.ok) throw new Error(answer.error.code);
  return { ...asked, added: await firstKeyInUse(wallet, asked) };
}

/**
 * An order of somebody else: so much ETH for so many LRC.
 * @param orderType - Whether it rests in the book when nobody sells, as by default.
 */
export async function buyLrc(
  relayer: RunningRelayer,
  { accountId, exchange, apiKey, secretKey }: DemoAccount,
  eth: bigint,
  lrc: bigint,
  orderType: 'LIMIT_ORDER' | 'TAKER_ONLY' = 'LIMIT_ORDER',
): Promise<void> {
  const query = new URLSearchParams({ accountId: String(accountId), sellTokenId: '0', maxNext: 'true' });
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' };
  const ids = await fetch(`${relayer.url}/api/v3/storageId?${query}`, { headers });
  const { orderId } = (await ids.json()) as { orderId: number };
  const order = {
    ...{ exchange, accountId, storageId: orderId, allOrNone: false, fillAmountBOrS: false, maxFeeBips: 60 },
    sellToken: { tokenId: 0, volume: String(eth) },
    buyToken: { tokenId: 1, volume: String(lrc) },
    validUntil: Math.floor(Date.now() / 1000) + 86_400,
    ...{ tradeChannel: 'ORDER_BOOK', orderType },
  };
  const body = JSON.stringify({ ...order, eddsaSignature: formatSignature(sign(orderHash(order), secretKey)) });
  const answer = await fetch(`${relayer.url}/api/v3/order`, { method: 'POST', headers, body });
  if (!answer.ok) throw new Error(`the order was refused: ${await answer.text()}`);
}

/** Brings two NFT orders together, as a marketplace does. */
export async function submitTrade(
  { url: baseUrl }: RunningRelayer,
  { client, account }: Pick<SetUp, 'client' | 'account'>,
  trade: object,
): Promise<void> {
  const { method, path } = endpoints.tradeNft;
  const text = bodyText(trade);
  const message = requestMessage({ method, baseUrl, path, bodyText: text });
  const signature = formatSignature(sign(requestHash(message), account.secretKey));
  await client.tradeNft({ bodyText: text, apiKey: account.apiKey, signature });
}

/** Id of another wallet's extension in Chromium. */
export const EXTENSION = 'abcdefghijklmnopabcdefghijklmnop';

/** Kinds of the records in the vault. */
export const secretsOf = async (wallet: WalletHarness) =>
  (await wallet.background().wallet.vault.listSecrets()).map(({ kind }) => kind).sort();

type Lie = (answer: never) => unknown;

/** A fetch that changes the answers of some paths; other statuses than success stay as they are. */
export function lyingFetch(...entries: readonly (readonly [path: string, lie: Lie])[]) {
  const lies = new Map(entries);
  const send: typeof fetch = async (input, init) => {
    const answer = await fetch(input, init);
    const lie = lies.get(new URL(String(input)).pathname);
    return lie && answer.ok ? Response.json(lie((await answer.json()) as never)) : answer;
  };
  return { lies, send };
}

/** The public key that the relayer has for an account. */
export const registeredX = async ({ client, account }: Pick<SetUp, 'client' | 'account'>) =>
  (await client.getAccount({ query: { accountId: account.accountId } })).publicKey.x;

/** A relayer's refusal, as it answers. */
export const refusal = (code: number, status = 400) =>
  Response.json({ resultInfo: { code, message: 'no' } }, { status });
