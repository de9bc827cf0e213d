import { formatUnits, parseUnits } from 'viem';
import type {
  GetDepthReturnType,
  GetNftBalancesReturnType,
  MintNftReturnType,
  Order,
  StandingApproval,
  Submission,
} from '../../viem/index.ts';
import { cid, exampleOf, type Known } from './catalogue.ts';
import { byId, make } from './elements.ts';
import { demoFacts } from './guide.ts';
import { tokenBySymbol } from './tokens.ts';
import { type Call, type OrderIntent, refusalSentence } from './wallet.ts';

/** The page's own means, as the steps use them. */
export interface Means {
  /** Makes a call through the wallet. Rejects with what the wallet refuses with. */
  call<Answer>(call: Call): Promise<Answer>;
  /** Asks for an order and lists it on the page. Rejects with what the wallet refuses with. */
  place(intent: OrderIntent): Promise<Submission>;
  /** Waits for the final status of a request. */
  settled(requestId: string): Promise<string>;
  known(): Known;
}

type Show = (...parts: readonly (Node | string)[]) => void;

interface Act {
  readonly label: string;
  /** Shown until there is more to show; most acts wait for the wallet's window. */
  readonly meanwhile?: string;
  /** The step is done once this act has succeeded. */
  readonly completes?: boolean;
  run(means: Means, show: Show): Promise<void>;
}

interface Step {
  readonly id: string;
  readonly title: string;
  readonly says: string;
  /** Acts of its button, one after another, and then the first again. */
  readonly acts: readonly Act[];
}

const market = 'LRC-ETH';
const eth = tokenBySymbol('ETH');
const lrc = tokenBySymbol('LRC');
const [sold, orders] = [parseUnits('100', lrc.decimals), 5];
const ORDER_SECONDS = 600;

const lrcText = (volume: string | bigint) =>
  `${Number(formatUnits(BigInt(volume), lrc.decimals)).toLocaleString('en')} LRC`;
const ethText = (volume: bigint) => `${formatUnits(volume, eth.decimals)} ETH`;
const short = (hex: string) => `${hex.slice(0, 8)}…${hex.slice(-6)}`;

/** A sale of 100 LRC at the best price that the book offers now. */
async function saleAtMarket({ call }: Means): Promise<OrderIntent> {
  const { bids } = await call<GetDepthReturnType>({
    method: 'relayer_getDepth',
    params: [{ market, limit: 1 }],
  });
  const price = bids[0]?.[0];
  if (price === undefined) throw new Error('Nobody buys LRC at the moment');
  const received = (sold * parseUnits(price, eth.decimals)) / 10n ** BigInt(lrc.decimals);
  return {
    sellToken: { tokenId: lrc.tokenId, volume: sold.toString() },
    buyToken: { tokenId: eth.tokenId, volume: received.toString() },
    validUntil: Math.floor(Date.now() / 1000) + ORDER_SECONDS,
    orderType: 'LIMIT_ORDER',
  };
}

/** Stages of an order; those that it has reached carry a mark. */
function stages(reached: number, last: string): Node {
  return make(
    'ol',
    { class: 'stages' },
    ...['Signed by you', 'At the exchange', last].map((text, index) =>
      make('li', index < reached ? { 'data-reached': '' } : {}, text),
    ),
  );
}

async function watchOrder(means: Means, show: Show): Promise<void> {
  const { call, place, settled } = means;
  const { hash, requestId } = await place(await saleAtMarket(means));
  show(stages(2, 'Filled'));
  const status = await settled(requestId);
  if (status !== 'processed') throw new Error(`The order ended as ${status}`);
  const { volumes } = await call<Order>({ method: 'relayer_getOrder', params: [{ orderHash: hash }] });
  const received = BigInt(volumes.quoteFilled) - BigInt(volumes.fee);
  show(stages(3, `Filled: ${ethText(received)} received`));
}

/**
 * The NFT as an object: its picture, name and collection from the demo's gateway, and how many the
 * account holds.
 */
async function nftFigure({ tokenId, total }: GetNftBalancesReturnType['data'][number]): Promise<Node> {
  const gateway = (await demoFacts)?.gateway;
  const read = async () => (await fetch(`${gateway}ipfs/${cid}/metadata.json`)).json() as Promise<object>;
  const found = gateway === undefined ? {} : await read().catch(() => ({}));
  const {
    name = 'NFT without a name',
    collection,
    image,
  } = found as { readonly name?: string; readonly collection?: { readonly name: string }; readonly image?: string };
  const picture = image?.startsWith('data:image/')
    ? make('img', { src: image, alt: '', width: '72', height: '72' })
    : make('span', { class: 'no-picture' }, 'No picture');
  const held = make('span', {}, `${total} in your account, slot ${tokenId}`);
  const family = collection === undefined ? '' : make('span', {}, `Collection “${collection.name}”`);
  return make(
    'figure',
    { 'data-testid': 'try-nft' },
    picture,
    make('figcaption', {}, make('b', {}, name), family, held),
  );
}

async function mint({ call, settled, known }: Means, show: Show): Promise<void> {
  const { requestId, nftData } = await call<MintNftReturnType>({
    method: 'relayer_mintNft',
    // A second time it mints more of the same.
    params: [{ ...exampleOf('mintNft', known()), forceToMint: true }],
  });
  show('Signed. The exchange mints it …');
  const status = await settled(requestId);
  if (status !== 'processed') throw new Error(`The mint ended as ${status}`);
  const { data } = await call<GetNftBalancesReturnType>({
    method: 'relayer_getNftBalances',
    params: [{ limit: 50 }],
  });
  const minted = data.find((nft) => BigInt(nft.nftData) === BigInt(nftData));
  if (!minted) throw new Error('The exchange does not list it in the account');
  show(await nftFigure(minted));
}

/** How much of the limit is used, as a bar and in words. */
async function usage({ call, known }: Means): Promise<readonly Node[]> {
  const rules = await call<readonly StandingApproval[]>({ method: 'relayer_getStandingApprovals' });
  const rule = rules.find(({ id }) => id === known().standingId);
  if (!rule) throw new Error('The standing approval is not in force any more');
  const [used, total] = [rule.soldVolume, rule.totalVolume].map((volume) => formatUnits(BigInt(volume), lrc.decimals));
  return [
    make('progress', { value: `${used}`, max: `${total}`, 'aria-label': 'Used of the limit' }),
    make('p', {}, `${lrcText(rule.soldVolume)} of ${lrcText(rule.totalVolume)} used.`),
  ];
}

async function allowOrders(means: Means, show: Show): Promise<void> {
  const { call, known } = means;
  await call({ method: 'relayer_requestStandingApproval', params: [exampleOf('requestStandingApproval', known())] });
  show(...(await usage(means)));
}

async function placeFive(means: Means, show: Show): Promise<void> {
  for (let signed = 1; signed <= orders; signed++) {
    await means.place(await saleAtMarket(means));
    show(make('p', {}, `${signed} of ${orders} orders signed without a window.`));
  }
  show(make('p', {}, `${orders} orders signed without a window.`), ...(await usage(means)));
}

async function giveBack({ call, known }: Means, show: Show): Promise<void> {
  await call({ method: 'relayer_revokeStandingApproval', params: [exampleOf('revokeStandingApproval', known())] });
  show('Given back. The next order opens a window again.');
}

async function replaceKey({ call }: Means, show: Show): Promise<void> {
  const { publicKey } = await call<{ readonly publicKey: { readonly x: string } }>({
    method: 'relayer_updateAccountKey',
    params: [{}],
  });
  show(
    make('p', {}, 'The exchange knows the new key ', make('code', { title: publicKey.x }, short(publicKey.x)), '.'),
    make('p', {}, 'Without a site: open the account in the wallet, then its key.'),
  );
}

/** Steps that a newcomer tries after connecting, the quickest first. */
const steps: readonly Step[] = [
  {
    id: 'order',
    title: 'Watch an order fill',
    says: 'It takes the best offer in the book: approve it, and see its status change.',
    acts: [{ label: 'Sell 100 LRC', completes: true, run: watchOrder }],
  },
  {
    id: 'mint',
    title: 'Mint an NFT',
    says: 'Five prints become yours on the exchange; their picture comes from this demo’s own gateway.',
    acts: [{ label: 'Mint five prints', completes: true, run: mint }],
  },
  {
    id: 'standing',
    title: 'Trade without a window',
    says: 'Approve limits once, and the wallet signs small orders within them by itself.',
    acts: [
      { label: 'Set the limits', run: allowOrders },
      { label: 'Place five orders', meanwhile: 'No window opens.', completes: true, run: placeFive },
      { label: 'Give it back', meanwhile: 'No window opens.', run: giveBack },
    ],
  },
  {
    id: 'key',
    title: 'Replace the account key',
    says: 'The wallet makes a new key on its own page, and the old one stops working for everyone.',
    acts: [{ label: 'Open the key page', completes: true, run: replaceKey }],
  },
];

const storageKey = (owner: string) => `tried ${owner.toLowerCase()}`;

/**
 * Steps that an account has done, kept in the page's own storage so that a reload still shows them.
 */
function doneBy(owner: string): readonly string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey(owner)) ?? '[]');
    return Array.isArray(stored) ? stored.map(String) : [];
  } catch {
    return [];
  }
}

function stepElement(owner: string, { id, title, says, acts }: Step, means: Means, onDone: () => void): HTMLElement {
  let next = 0;
  let busy = false;
  const button = make('button', { type: 'button', 'data-testid': `try-${id}-act` });
  const result = make('div', { class: 'result', role: 'status', 'data-testid': `try-${id}-result` });
  const problem = make('p', { class: 'problem', role: 'alert', hidden: '' });
  const item = make(
    'li',
    { class: 'step', 'data-testid': `try-${id}` },
    make('h3', {}, title, make('span', { class: 'done-word' }, ' (done)')),
    make('p', {}, says),
    button,
    make('div', {}, result, problem),
  );
  const draw = () => {
    button.textContent = acts[next]?.label ?? '';
    // Still in the order of the keys, so that the focus stays where it is.
    button.setAttribute('aria-disabled', String(busy));
    item.toggleAttribute('data-done', doneBy(owner).includes(id));
  };
  button.addEventListener('click', async () => {
    const act = acts[next];
    if (busy || !act) return;
    busy = true;
    problem.hidden = true;
    result.replaceChildren(act.meanwhile ?? 'Decide in the wallet’s window.');
    draw();
    try {
      await act.run(means, (...parts) => result.replaceChildren(...parts));
      next = (next + 1) % acts.length;
      if (act.completes) localStorage.setItem(storageKey(owner), JSON.stringify([...new Set([...doneBy(owner), id])]));
    } catch (error) {
      result.replaceChildren();
      problem.textContent = refusalSentence(error);
      problem.hidden = false;
    }
    busy = false;
    draw();
    onDone();
  });
  draw();
  return item;
}

/** Offers the steps to a connected account; to nobody with `null`. */
export function offerSteps(owner: string | null, means: Means): void {
  byId('try-next').hidden = owner === null;
  if (owner === null) return;
  const count = () => {
    byId('try-count').textContent = `${doneBy(owner).length} of ${steps.length} done`;
  };
  byId('try-list').replaceChildren(...steps.map((step) => stepElement(owner, step, means, count)));
  count();
}
