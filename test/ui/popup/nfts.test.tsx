// @vitest-environment happy-dom
import { render } from 'preact';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { PreviewView } from '../../../src/messaging/views.ts';
import { PopupApp } from '../../../src/ui/popup/PopupApp.tsx';
import { type FakeBackground, type Handlers, installBackground, useLanguage } from '../support/fakeBackground.ts';
import * as f from '../support/fixtures.ts';
import { settled as drawn } from '../support/settled.ts';

let root: HTMLElement;
let background: FakeBackground;
const settled = () => drawn(root);
const all = (selector: string) => [...root.querySelectorAll<HTMLElement>(selector)];
const started = () => background.callsOf('startOperation');
const [nft] = f.nfts;
const cid = 'QmbWqxBEKC3P8tqsKc98xmWNzrzDtRLMiMPL8wBuTGsMnR';

async function open(at: string, shown: string, handlers: Handlers = {}): Promise<void> {
  location.hash = at;
  background = installBackground({
    getState: () => f.wallet,
    touch: () => null,
    getHome: () => f.home,
    getNfts: () => f.fresh(f.nfts),
    getNftMetadata: () => f.nftMetadata,
    getMarkets: () => f.markets,
    previewOperation: (): PreviewView => ({ review: f.nftOfferReview, refused: null }),
    startOperation: () => ({ id: 'a1', problem: null }),
    getApproval: () => f.ownApproval(),
    ...handlers,
  });
  render(<PopupApp />, root);
  // The screen's code comes when it is opened.
  await vi.waitFor(() => expect(root.textContent).toContain(shown), { timeout: 240_000 });
  await settled();
}

async function type(label: string, value: string): Promise<void> {
  const field = all('.field').find((one) => one.querySelector('label')?.textContent === label);
  const input = field?.querySelector('input');
  if (!input) throw new Error(`no field ${label}: ${root.textContent}`);
  input.value = value;
  input.dispatchEvent(new Event('input', { bubbles: true }));
  await settled();
}
async function submit(): Promise<void> {
  all('form')[0]?.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }));
  await settled();
}

beforeEach(() => {
  useLanguage('en');
  localStorage.clear();
  root = document.createElement('div');
  document.body.append(root);
});

afterEach(async () => {
  render(null, root);
  await settled();
  root.remove();
  location.hash = '';
});

it('offers an NFT at the price that was typed, for the exchange to hold', async () => {
  await open(`#/nfts/${nft?.slot}/sell`, 'Price');
  await submit();
  expect(started()).toEqual([]);
  await type('Amount', '9999');
  await type('Price', '0.25');
  await submit();
  expect(all('.field-error').map(({ textContent }) => textContent)).toEqual(['The account does not hold that many.']);
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

it('shows what is left of the price after the highest fee, before anything is asked', async () => {
  await open(`#/nfts/${nft?.slot}/sell`, 'Price');
  await type('Price', '0.25');
  await vi.waitFor(() => expect(all('.rows .row')[0]?.textContent).toContain('0.248425'), { timeout: 240_000 });
});

it('mints what is named, and asks for a factory only where the chain has none', async () => {
  const refused = { field: 'nftFactory', reason: 'nftFactory: chain 31337 has no official factory' };
  await open('#/nfts/mint', 'New NFTs', {
    previewOperation: ({ intent }: { intent: object }): PreviewView =>
      'nftFactory' in intent ? { review: f.nftOfferReview, refused: null } : { review: null, refused },
  });
  const labels = () => all('.field label').map(({ textContent }) => textContent);
  expect(labels()).toEqual(['IPFS name', 'Amount']);
  await submit();
  expect(all('.field-error').map(({ textContent }) => textContent)).toEqual(['Enter the IPFS name.']);
  await type('IPFS name', ` ${cid} `);
  await vi.waitFor(() => expect(labels()).toContain('Factory contract'), { timeout: 240_000 });
  await type('Factory contract', f.account.owner);
  await type('Amount', '5');
  await submit();
  expect(started()).toEqual([
    { operation: 'mintNft', account: f.account.id, intent: { cid, amount: '5', nftFactory: f.account.owner } },
  ]);
});
