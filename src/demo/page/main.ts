import { type EIP1193EventMap, type EIP1193Provider, formatUnits, getAddress } from 'viem';
import type { GetBalancesReturnType, Submission } from '../../viem/index.ts';
import { type Capability, drawCalls } from './calls.ts';
import type { Known } from './catalogue.ts';
import { discoverWallets, type FoundWallet } from './discovery.ts';
import { byId, make, showProblem } from './elements.ts';
import { hideGuide, showGuide } from './guide.ts';
import { clearLog, logCall, logEvent } from './log.ts';
import { followMarket } from './market.ts';
import { prepareForm, readIntent } from './orderForm.ts';
import { addOrder, drawOrders, setStatus } from './orders.ts';
import { tokens } from './tokens.ts';
import { type Means, offerSteps } from './tryNext.ts';
import { type Call, type Connection, connectTo, type OrderIntent, refusalSentence, walletError } from './wallet.ts';

let wallet: FoundWallet | null = null;
let connection: Connection | null = null;
let stopListening = () => {};
let owner: string | null = null;
let stopMarket = () => {};

interface AskOptions {
  /** A call that the page makes by itself, for fresh figures. */
  readonly own?: boolean;
}

/**
 * Makes a call through the connected wallet, writing call and answer down.
 * @throws what the wallet refused with.
 */
async function makeCall<Answer>(call: Call, { own = false }: AskOptions = {}): Promise<Answer> {
  if (!connection) throw new Error('Connect a wallet first');
  const entry = logCall(call, !own);
  try {
    const answer = await connection.request(call);
    entry.answered(answer);
    learn(call, answer);
    return answer as Answer;
  } catch (error) {
    entry.failed(walletError(error));
    throw error;
  }
}

/** Answers `null` when the wallet refused, which the log shows. */
const ask = <Answer>(call: Call, options?: AskOptions): Promise<Answer | null> =>
  makeCall<Answer>(call, options).catch(() => null);

const asked = new Map<string, number>();

/**
 * As `ask`, for what is drawn: `undefined` when the same was asked again meanwhile, as after two
 * changes of the exchange that follow each other closely.
 */
async function askLatest<Answer>(call: Call, options: AskOptions): Promise<Answer | null | undefined> {
  const turn = (asked.get(call.method) ?? 0) + 1;
  asked.set(call.method, turn);
  const answer = await ask<Answer>(call, options);
  return asked.get(call.method) === turn ? answer : undefined;
}

/** Facts for the examples of the calls; grows with the wallet's answers. */
let known: Known = {
  owner: '0x0000000000000000000000000000000000000000',
  orderHash: `0x${'0'.repeat(64)}`,
  requestId: '',
  nft: { tokenId: 32768, nftData: '0x0', tokenAddress: '0x0000000000000000000000000000000000000000' },
  lpAmount: '0',
  standingId: '',
};
const lpToken = 100;
const placing = ['relayer_submitOrder', 'relayer_replaceOrder', 'relayer_submitOneOf'];

/** Keeps what later examples can use. */
function learn({ method }: Call, answer: unknown): void {
  const { hash, requestId, id, data } = (answer ?? {}) as Readonly<Record<string, string>> & { data?: Known['nft'][] };
  if (typeof requestId === 'string') known = { ...known, requestId };
  if (placing.includes(method) && hash) known = { ...known, orderHash: hash };
  if (method === 'relayer_requestStandingApproval' && id) known = { ...known, standingId: id };
  if (method === 'relayer_getNftBalances' && data?.[0]) known = { ...known, nft: data[0] };
  if (method === 'relayer_getBalances') {
    const lp = (answer as GetBalancesReturnType).find(({ tokenId }) => tokenId === lpToken);
    if (lp) known = { ...known, lpAmount: lp.total };
  }
}

/** Names of the permissions that the wallet knows, such as `relayer_transfers`. */
let permissions: ReadonlySet<string> = new Set();

/** The calls that the wallet says it has. */
async function drawCapabilities(): Promise<void> {
  interface Chain {
    readonly relayer?: { readonly methods: readonly Capability[] };
    readonly layer1Signatures?: { readonly supported: boolean; readonly methods: readonly Capability[] };
  }
  const chains = await askLatest<Readonly<Record<string, Chain>>>({ method: 'wallet_getCapabilities' }, { own: true });
  if (chains === undefined) return;
  const offered = Object.values(chains ?? {});
  const calls = offered.flatMap(({ relayer }) => relayer?.methods ?? []);
  const signatures = offered.flatMap(({ layer1Signatures }) => layer1Signatures ?? []);
  const methods = [...calls, ...signatures.flatMap((layer1) => (layer1.supported ? layer1.methods : []))];
  // The permission to sign texts exists also where the key is elsewhere.
  const named = [...calls, ...signatures.flatMap((layer1) => layer1.methods)];
  permissions = new Set(named.flatMap(({ permission }) => permission ?? []));
  drawCalls(
    methods,
    () => known,
    (call) => void ask(call),
  );
}

async function refreshBalances(own: boolean): Promise<void> {
  const balances = await askLatest<GetBalancesReturnType>({ method: 'relayer_getBalances', params: [{}] }, { own });
  if (balances) drawBalances(balances);
}

function drawBalances(balances: GetBalancesReturnType): void {
  const rows = tokens.flatMap(({ tokenId, symbol, decimals }) => {
    const balance = balances.find((candidate) => candidate.tokenId === tokenId);
    if (!balance) return [];
    const free = BigInt(balance.total) - BigInt(balance.locked);
    const cell = (volume: bigint) => make('td', { title: `${volume} base units` }, formatUnits(volume, decimals));
    return [
      make(
        'tr',
        { 'data-testid': `balance-${symbol}`, 'data-total': balance.total, 'data-locked': balance.locked },
        make('th', { scope: 'row' }, symbol),
        cell(free),
        cell(BigInt(balance.locked)),
      ),
    ];
  });
  byId('balances')
    .querySelector('tbody')
    ?.replaceChildren(...rows);
  byId('balances').hidden = rows.length === 0;
  byId('no-balances').hidden = rows.length > 0;
  byId('no-balances').textContent = 'The account holds nothing yet.';
}

async function cancelOrder(hash: string): Promise<void> {
  const answer = await ask<Submission>({ method: 'relayer_cancelOrder', params: [{ orderHash: hash }] });
  if (!answer) return;
  setStatus({ hash }, answer.relayerStatus ?? answer.status);
  draw();
  await refreshBalances(true);
}

/**
 * Asks for an order, and lists it once it is placed.
 * @throws what the wallet refused with.
 */
async function place(intent: OrderIntent): Promise<Submission> {
  const answer = await makeCall<Submission>({ method: 'relayer_submitOrder', params: [intent] });
  if (owner === null) return answer;
  const { hash, requestId } = answer;
  const status = answer.relayerStatus ?? answer.status;
  addOrder({ hash, requestId, owner, sell: intent.sellToken, buy: intent.buyToken, status });
  draw();
  await refreshBalances(true);
  return answer;
}

async function submitOrder(): Promise<void> {
  showProblem('form-problem', null);
  try {
    await place(readIntent(Math.floor(Date.now() / 1000)));
  } catch (error) {
    showProblem('form-problem', refusalSentence(error));
  }
}

/** Draws what depends on the connected account. */
function draw(): void {
  const connected = owner !== null;
  byId('connected').hidden = !connected;
  byId('wallets').hidden = connected;
  hideGuide(connected);
  byId('account').textContent = owner ?? '';
  byId<HTMLButtonElement>('submit-order').disabled = !connected;
  byId<HTMLButtonElement>('refresh-balances').disabled = !connected;
  byId<HTMLButtonElement>('allow-all').disabled = !connected;
  if (!connected) {
    byId('balances').hidden = true;
    byId('no-balances').hidden = false;
    byId('no-balances').textContent = 'Connect to see what the account holds.';
  }
  drawOrders(owner, (hash) => void cancelOrder(hash));
}

const means: Means = {
  call: (call) => makeCall(call),
  place,
  settled: (requestId) => connection?.settled(requestId) ?? Promise.reject(new Error('Connect a wallet first')),
  known: () => known,
};

async function useAccounts(accounts: readonly string[]): Promise<void> {
  const first = accounts[0];
  const next = first === undefined ? null : getAddress(first);
  // Connecting brings the same account twice: as the answer and as `accountsChanged`.
  if (next === owner) return;
  owner = next;
  stopMarket();
  draw();
  offerSteps(owner, means);
  if (owner === null) return;
  known = { ...known, owner };
  await readAll();
}

/** Reads what the page shows of the account and its exchange. */
async function readAll(): Promise<void> {
  if (owner === null || !connection) return;
  stopMarket();
  stopMarket = followMarket(connection);
  const chainId = await askLatest<string>({ method: 'eth_chainId' }, { own: true });
  if (typeof chainId === 'string') byId('chain').textContent = String(Number(chainId));
  await drawCapabilities();
  await refreshBalances(true);
}

/** Follows a provider's events. Returns what ends that. */
function listen(provider: EIP1193Provider): () => void {
  const handlers: EIP1193EventMap = {
    accountsChanged(accounts) {
      logEvent('accountsChanged', accounts);
      void useAccounts(accounts);
    },
    chainChanged(chainId) {
      logEvent('chainChanged', chainId);
      // Another exchange, perhaps with the same chain and the same account.
      void readAll();
    },
    message(message) {
      logEvent('message', message);
      const { requestId, status } = (message.data ?? {}) as { requestId?: unknown; status?: unknown };
      // That the relayer took an order says less than the relayer's own word for it, which stands
      // there already.
      if (typeof requestId !== 'string' || typeof status !== 'string' || status === 'acknowledged') return;
      const isOrder = setStatus({ requestId }, status);
      if (isOrder) draw();
      if (owner !== null && (isOrder || status === 'processed')) void refreshBalances(true);
    },
    connect: (info) => logEvent('connect', info),
    disconnect: (error) => logEvent('disconnect', walletError(error)),
  };
  const events = Object.keys(handlers) as (keyof EIP1193EventMap)[];
  for (const event of events) provider.on(event, handlers[event]);
  return () => {
    for (const event of events) provider.removeListener(event, handlers[event]);
  };
}

/** Connects to a wallet. Once another one is chosen, the accounts that it answers with are late. */
async function connect(next: FoundWallet, call: Call, options?: AskOptions): Promise<void> {
  if (wallet !== next) {
    stopListening();
    wallet = next;
    connection = connectTo(next.provider);
    stopListening = listen(next.provider);
  }
  const accounts = await ask<readonly string[]>(call, options);
  if (accounts && wallet === next) await useAccounts(accounts);
}

/**
 * Offers a wallet that announced itself. The first one is asked for `eth_accounts`, which needs no
 * window: a wallet that already knows this page answers with its account, so that a reload stays
 * connected.
 */
function offer(found: FoundWallet): void {
  const { info } = found;
  byId('no-wallet').hidden = true;
  const button = make(
    'button',
    { type: 'button', class: 'wallet', 'data-testid': 'connect', 'data-rdns': info.rdns },
    ...(info.icon.startsWith('data:image/')
      ? [make('img', { src: info.icon, alt: '', width: '32', height: '32' })]
      : []),
    make('span', {}, make('b', {}, `Connect ${info.name}`), make('small', {}, info.rdns)),
  );
  button.addEventListener('click', async () => {
    button.disabled = true;
    await connect(found, { method: 'eth_requestAccounts' });
    button.disabled = false;
  });
  byId('wallet-list').append(button);
  if (wallet === null) void connect(found, { method: 'eth_accounts' }, { own: true });
}

async function sendRaw(): Promise<void> {
  showProblem('raw-problem', null);
  const method = byId<HTMLInputElement>('raw-method').value.trim();
  const text = byId<HTMLTextAreaElement>('raw-params').value.trim();
  try {
    const params: unknown = text === '' ? undefined : JSON.parse(text);
    await ask({ method, ...(params === undefined ? {} : { params: params as readonly unknown[] }) });
  } catch {
    showProblem('raw-problem', 'The params are not JSON');
  }
}

prepareForm();
draw();
byId('order-form').addEventListener('submit', (event) => {
  event.preventDefault();
  void submitOrder();
});
byId('raw-form').addEventListener('submit', (event) => {
  event.preventDefault();
  void sendRaw();
});
byId('refresh-balances').addEventListener('click', () => void refreshBalances(false));
byId('allow-all').addEventListener('click', () => {
  const params = [Object.fromEntries(['eth_accounts', ...permissions].map((name) => [name, {}]))];
  void ask({ method: 'wallet_requestPermissions', params });
});
byId('clear-log').addEventListener('click', clearLog);
byId('disconnect').addEventListener('click', async () => {
  await ask({ method: 'wallet_revokePermissions', params: [{ eth_accounts: {} }] });
  await useAccounts([]);
});
discoverWallets(offer);
void showGuide();
