// @vitest-environment happy-dom
import { expect, it, vi } from 'vitest';
import type { PreviewView } from '../../../src/messaging/views.ts';
import { roundedRows } from '../../../src/operations/recipient.ts';
import type { Review } from '../../../src/operations/review.ts';
import type { Handlers } from '../support/fakeBackground.ts';
import * as f from '../support/fixtures.ts';
import { installObservers } from '../support/observers.ts';
import {
  all,
  amounts,
  background,
  emptyPages,
  enter,
  find,
  openPopup,
  press,
  problems,
  settled,
  started,
  submit,
  text,
} from '../support/page.tsx';

const [nft] = f.nfts;
const cid = 'QmbWqxBEKC3P8tqsKc98xmWNzrzDtRLMiMPL8wBuTGsMnR';

const open = (at: string, shown: string, handlers: Handlers = {}) =>
  openPopup(
    at,
    {
      getNfts: () => f.fresh(f.nfts),
      getNftMetadata: () => f.nftMetadata,
      getMarkets: () => f.markets,
      previewOperation: (): PreviewView => ({ review: f.nftOfferReview, refused: null }),
      startOperation: () => ({ id: 'a1', problem: null }),
      getApproval: () => f.ownApproval(),
      ...handlers,
    },
    shown,
  );

const type = (label: string, value: string) =>
  enter(
    all('.field')
      .find((one) => one.querySelector('label')?.textContent === label)
      ?.querySelector('input'),
    value,
  );

emptyPages();

it('asks for the picture of an NFT once it is in view, and not again when something has changed', async () => {
  const observers = installObservers();
  observers.inView(false);
  const many = Array.from({ length: 100 }, (_, n) => ({ ...f.nfts[0], slot: 40_000 + n, nftId: `0x${n + 1}` }));
  await open('#/nfts', 'Mint', { getNfts: () => f.fresh(many as typeof f.nfts) });
  const asked = () => background.callsOf('getNftMetadata').length;
  // Of the first one, whether there is a gateway at all.
  expect(asked()).toBe(1);
  observers.inView(true);
  await settled();
  expect(asked()).toBe(101);
  expect(all('.nft-card img')).toHaveLength(100);
  background.changed();
  await settled();
  expect(asked()).toBe(102);
});

it('asks the browser for a gateway that it withholds, and then for the pictures', async () => {
  const asked: unknown[] = [];
  const request = async (wanted: unknown) => asked.push(wanted) > 0;
  const settings = { ...f.wallet.settings, ipfsGateway: 'https://ipfs.example:8443/' };
  await open('#/nfts', 'The browser may not talk to ipfs.example:8443', {
    getState: () => ({ ...f.wallet, settings }),
    getNftMetadata: () => (asked.length > 0 ? f.nftMetadata : { ...f.noMetadata, status: 'withheld' }),
  });
  Object.assign((globalThis as unknown as { chrome: object }).chrome, { permissions: { request } });
  expect(text()).not.toContain('no IPFS gateway is chosen');
  expect(all('.nft-card img')).toHaveLength(0);
  await press(all('.banner button')[0]);
  expect(asked).toEqual([{ origins: ['https://ipfs.example/*'] }]);
  expect(text()).not.toContain('The browser may not talk');
  expect(all('.nft-card img')).toHaveLength(f.nfts.length);
});

it('offers an NFT at the price that was typed, for the exchange to hold', async () => {
  await open(`#/nfts/${nft?.slot}/sell`, 'Price');
  await submit();
  expect(started()).toEqual([]);
  await type('Amount', '9999');
  await type('Price', '0.25');
  await submit();
  expect(problems()).toEqual(['Not that many are free.']);
  expect(started()).toEqual([]);
  await type('Amount', '2');
  await submit();
  const quote = f.markets[0]?.quote;
  expect(started()).toEqual([
    {
      operation: 'signNftOrder',
      account: f.account.id,
      intent: {
        sellToken: { tokenId: nft?.slot, nftData: nft?.nftData, amount: '2' },
        buyToken: { tokenId: quote?.tokenId, amount: String(10n ** BigInt(quote?.decimals ?? 0) / 4n) },
        validate: true,
      },
    },
  ]);
});

it('forgets the price that was typed for another token', async () => {
  await open(`#/nfts/${nft?.slot}/sell`, 'Price');
  await type('Price', '0.25');
  const token = all('select')[0] as HTMLSelectElement;
  token.value = String(f.markets.find(({ quote }) => quote.tokenId !== f.markets[0]?.quote.tokenId)?.quote.tokenId);
  token.dispatchEvent(new Event('change', { bubbles: true }));
  await settled();
  expect(amounts()).toEqual(['']);
});

it('shows what is left of the price after the highest fee, before anything is asked', async () => {
  await open(`#/nfts/${nft?.slot}/sell`, 'Price');
  await type('Price', '0.25');
  await vi.waitFor(() => expect(all('.rows .row')[0]?.textContent).toContain('0.248425'), { timeout: 240_000 });
});

it('shows what an exchange keeps of a price with many digits', async () => {
  const review = {
    ...f.nftOfferReview,
    rows: [
      ...f.nftOfferReview.rows,
      ...roundedRows({ kind: 'amount', volume: '600001000000000000', token: f.eth }, 'review_price'),
    ],
  };
  await open(`#/nfts/${nft?.slot}/sell`, 'Price', { previewOperation: (): PreviewView => ({ review, refused: null }) });
  await type('Price', '0.600001');
  await vi.waitFor(() => expect(all('.rows .row')[0]?.textContent).toMatch(/^Price.*0\.6\sETH/), { timeout: 240_000 });
});

it('says that the exchange names no fee for sending an NFT', async () => {
  await open(`#/nfts/${nft?.slot}/transfer`, 'names no token in which the fee can be paid', { getFees: () => [] });
  expect(all('form [role=alert].banner')).toHaveLength(1);
});

it.each([
  ['ipfs://QmbWqxBEKC3P8tqsKc98xmWNzrzDtRLMiMPL8wBuTGsMnR/1', 'Enter the name alone'],
  ['bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi', 'the newer form of an IPFS name'],
  ['QmbWqxBEKC3P8tqsKc98xmWNzrzDtRLMiMPL8wBuTGsMn0', 'a letter is wrong or missing'],
  ['QmbWqxBEKC3P8tqsKc98xmWNzrzDtRLMiMPL8wBuTGsMnRR', 'a letter is wrong or missing'],
])('says what is wrong with %s as an IPFS name, and asks nobody', async (name, said) => {
  await open('#/nfts/mint', 'New NFTs');
  await type('IPFS name', name);
  expect(all('.field-error').map(({ textContent }) => textContent)).toEqual([expect.stringContaining(said)]);
  await submit();
  expect(started()).toEqual([]);
});

it('lets an IPFS name be typed to its end before it says that it is too short', async () => {
  await open('#/nfts/mint', 'New NFTs');
  await type('IPFS name', cid.slice(0, 45));
  expect(all('.field-error')).toEqual([]);
  await submit();
  expect(all('.field-error')).toHaveLength(1);
  await type('IPFS name', cid);
  expect(all('.field-error')).toEqual([]);
});

it('asks for a factory without calling it a mistake that nobody could have avoided', async () => {
  const refused = { field: 'nftFactory', problem: { key: 'problem_feeRate', values: {} } } as const;
  await open('#/nfts/mint', 'New NFTs', { previewOperation: (): PreviewView => ({ review: null, refused }) });
  await type('IPFS name', cid);
  await vi.waitFor(() => expect(text()).toContain('This chain has no official factory.'), { timeout: 240_000 });
  expect(problems()).toEqual([]);
  expect(all('.banner')).toEqual([]);
});

it('mints what is named, says why it cannot, and asks for a factory only where the chain has none', async () => {
  const bounds = { needed: { kind: 'bips', bips: 100 }, most: { kind: 'bips', bips: 63 } } as const;
  const refused = { field: 'nftFactory', problem: { key: 'problem_feeRate', values: bounds } } as const;
  await open('#/nfts/mint', 'New NFTs', {
    previewOperation: ({ intent }: { intent: object }): PreviewView =>
      'nftFactory' in intent ? { review: f.nftOfferReview, refused: null } : { review: null, refused },
  });
  const labels = () => all('.field label').map(({ textContent }) => textContent);
  expect(labels()).toEqual(['IPFS name', 'Amount']);
  await submit();
  expect(problems()).toEqual(['Enter the IPFS name.']);
  await type('IPFS name', ` ${cid} `);
  await vi.waitFor(() => expect(labels()).toContain('Factory contract'), { timeout: 240_000 });
  expect(text()).toContain('This needs a fee rate of 1%, royalty included. An order allows 0.63% at most.');
  await type('Factory contract', f.account.owner);
  await type('Amount', '5');
  await submit();
  expect(started()).toEqual([
    { operation: 'mintNft', account: f.account.id, intent: { cid, amount: '5', nftFactory: f.account.owner } },
  ]);
});

it('shows the token that the wallet takes for the fee of a mint, and takes the one that is picked', async () => {
  const volume = '2500000000000000000';
  const rows: Review['rows'] = [
    { label: { key: 'review_fee' }, value: { kind: 'amount', volume, token: f.lrc } },
    { label: { key: 'review_nftContract' }, value: { kind: 'address', address: f.account.owner } },
  ];
  await open('#/nfts/mint', 'New NFTs', {
    getFees: () => f.fees,
    previewOperation: (): PreviewView => ({ review: { ...f.nftOfferReview, rows }, refused: null }),
  });
  const minted = { operation: 'mintNft', account: f.account.id };
  await type('IPFS name', cid);
  await vi.waitFor(() => expect(find('.fee-line select')).toMatchObject({ value: String(f.lrc.tokenId) }), {
    timeout: 240_000,
  });
  expect(background.callsOf('getFees')).toEqual([{ ...minted, tokenAddress: f.account.owner }]);
  await submit();
  const select = find('.fee-line select') as HTMLSelectElement;
  select.value = String(f.usdt.tokenId);
  select.dispatchEvent(new Event('change', { bubbles: true }));
  await settled();
  await submit();
  expect(started()).toEqual([
    { ...minted, intent: { cid, amount: '1' } },
    { ...minted, intent: { cid, amount: '1', feeTokenId: f.usdt.tokenId } },
  ]);
});

it.each(['transfer', 'withdraw', 'sell'])(
  'has nothing to %s where orders are said to hold more than all',
  async (what) => {
    await open(`#/nfts/${nft?.slot}/${what}`, 'Amount', {
      getNfts: () => f.fresh(f.nfts.map((one) => ({ ...one, locked: '7' }))),
      getFees: () => f.fees,
    });
    expect(text()).not.toContain('-2');
    await submit();
    expect(problems()[0]).toBe('Not that many are free.');
    expect(started()).toEqual([]);
  },
);

it('pays a fee of nothing in a token of which orders are said to hold more than all', async () => {
  const fees = [f.lrc, f.eth].map((token, volume) => ({ token, volume: String(volume) }));
  const balances = f.balances.map((one) => (one.token === f.lrc ? { ...one, locked: `${one.total}0` } : one));
  await open(`#/nfts/${nft?.slot}/withdraw`, 'fee', {
    getFees: () => fees,
    getBalances: () => balances,
  });
  expect(find('.fee-line select')).toMatchObject({ value: String(f.lrc.tokenId) });
});

it.each([`${nft?.slot}/transfer`, `${nft?.slot}/sell`, 'mint'])(
  'asks at nfts/%s how many, once the form is submitted, and takes whole numbers above zero',
  async (place) => {
    await open(`#/nfts/${place}`, 'Amount', { getFees: () => f.fees });
    const typed = async (count: string) => {
      const field = all('.field').find((one) => one.querySelector('label')?.textContent === 'Amount');
      await enter(field?.querySelector('input'), count);
      return field?.querySelector('.field-error')?.textContent;
    };
    expect(await typed('')).toBeUndefined();
    await submit();
    expect(await typed('')).toBe('How much?');
    expect(await typed('1.5')).toBe('Only whole numbers, please.');
    expect(await typed('0')).toBe('The amount is zero.');
    expect(await typed('2')).toBeUndefined();
    await submit();
    expect(started()).toEqual([]);
  },
);

it.each([
  ['were never read', null],
  ['are none', []],
])(
  'says that there is not enough for the fee only of balances that were read: those that %s',
  async (_of, balances) => {
    await open(`#/nfts/${nft?.slot}/transfer`, 'fee', {
      getFees: () => f.fees,
      getHome: () => ({ ...f.home, balances: [], balancesAt: null }),
      getBalances: () => balances,
    });
    expect(text().includes('There is not enough')).toBe(balances !== null);
  },
);

it('says where nothing can be sold, because the exchange has no market', async () => {
  await open(`#/nfts/${nft?.slot}/sell`, 'This exchange has no open market.', { getMarkets: () => [] });
});

it('keeps the token of a price that was typed while other markets come first', async () => {
  let markets = f.markets;
  await open(`#/nfts/${nft?.slot}/sell`, 'Price', { getMarkets: () => markets });
  const token = () => (all('select')[0] as HTMLSelectElement).value;
  const before = token();
  await type('Price', '0.25');
  const listed = async (next: typeof f.markets) => {
    markets = next;
    background.changed();
    await settled();
  };
  await listed(f.markets.toReversed());
  expect([token(), amounts()]).toEqual([before, ['0.25']]);
  await listed(f.markets.filter(({ quote }) => String(quote.tokenId) !== before));
  expect(amounts()).toEqual(['']);
});

it('says whom to ask about a deployment that failed, and offers no second payment', async () => {
  const failed = { ...nft, deployment: 'DEPLOY_FAILED' } as typeof nft;
  await open(`#/nfts/${nft?.slot}`, 'Deployment failed', { getNfts: () => f.fresh([failed] as typeof f.nfts) });
  expect(find('.banner').textContent).toBe('Its deployment was paid but failed. Ask the operator to repeat it.');
  expect(all('.actions > *').map((one) => one.textContent)).toEqual(['Send', 'Sell', 'Withdraw']);
});

it('offers to withdraw an NFT whose contract the exchange calls not deployed, beside the deployment', async () => {
  const undeployed = f.nfts.find(({ deployment }) => deployment === 'NOT_DEPLOYED');
  await open(`#/nfts/${undeployed?.slot}`, 'Deploy contract');
  expect(all('.actions > *').map((one) => one.textContent)).toEqual(['Send', 'Sell', 'Withdraw', 'Deploy contract']);
  expect(find('.actions').innerHTML).toContain(`#/nfts/${undeployed?.slot}/withdraw`);
});
