import { formatUnits, parseUnits } from 'viem';
import { byId, make } from './elements.ts';
import { lrcInEth } from './prices.ts';
import { tokenById, tokenBySymbol, tokens } from './tokens.ts';
import type { OrderIntent } from './wallet.ts';

const sellToken = () => tokenById(Number(byId<HTMLSelectElement>('sell-token').value));
const buyToken = () => tokenById(Number(byId<HTMLSelectElement>('buy-token').value));
const input = (testId: string) => byId<HTMLInputElement>(testId);

/** Digits after the point while a price is worked out. */
const priceDigits = 18;

function number(testId: string, what: string, decimals: number): bigint {
  const text = input(testId).value.trim();
  if (!/^\d+(\.\d+)?$/.test(text)) throw new Error(`${what} is not a number: write it like 12.5`);
  if ((text.split('.')[1] ?? '').length > decimals) throw new Error(`${what} has more than ${decimals} decimals`);
  const value = parseUnits(text, decimals);
  if (value === 0n) throw new Error(`${what} is zero`);
  return value;
}

/**
 * Reads the form as an intent: what a page may ask of the wallet, in base units.
 * @throws {Error} with a sentence for the user.
 */
export function readIntent(nowSeconds: number): OrderIntent {
  const sell = sellToken();
  const buy = buyToken();
  if (sell.tokenId === buy.tokenId) throw new Error('Pay and receive in two different tokens');
  return {
    sellToken: { tokenId: sell.tokenId, volume: number('sell-amount', 'What you pay', sell.decimals).toString() },
    buyToken: { tokenId: buy.tokenId, volume: number('buy-amount', 'What you receive', buy.decimals).toString() },
    validUntil: nowSeconds + Number(byId<HTMLSelectElement>('expiry').value),
    orderType: byId<HTMLSelectElement>('order-type').value,
  };
}

/** The price follows the two amounts, and what is received follows an edited price. */
function amountsToPrice(): void {
  try {
    const paid = number('sell-amount', '', sellToken().decimals);
    const received = number('buy-amount', '', buyToken().decimals);
    const scale = 10n ** BigInt(priceDigits + sellToken().decimals - buyToken().decimals);
    input('price').value = formatUnits((received * scale) / paid, priceDigits);
  } catch {
    input('price').value = '';
  }
}

function priceToAmount(): void {
  try {
    const paid = number('sell-amount', '', sellToken().decimals);
    const price = number('price', '', priceDigits);
    const scale = 10n ** BigInt(priceDigits + sellToken().decimals - buyToken().decimals);
    input('buy-amount').value = formatUnits((paid * price) / scale, buyToken().decimals);
  } catch {
    // an unfinished number while it is being typed
  }
}

function label(): void {
  byId('price-label').textContent = `${buyToken().symbol} for one ${sellToken().symbol}`;
}

/** Fills the form with 1,000 LRC sold at a price of the form `0.0000666` (ETH for one LRC). */
function preset(price: string): void {
  byId<HTMLSelectElement>('sell-token').value = String(tokenBySymbol('LRC').tokenId);
  byId<HTMLSelectElement>('buy-token').value = String(tokenBySymbol('ETH').tokenId);
  input('sell-amount').value = '1000';
  input('price').value = price;
  label();
  priceToAmount();
}

/** Half as much again as the market maker asks: nobody takes it. */
const farPrice = formatUnits((parseUnits(lrcInEth.ask, 18) * 3n) / 2n, 18);

export function prepareForm(): void {
  for (const testId of ['sell-token', 'buy-token']) {
    const select = byId<HTMLSelectElement>(testId);
    select.append(...tokens.map(({ tokenId, symbol }) => make('option', { value: String(tokenId) }, symbol)));
    select.addEventListener('change', () => {
      label();
      amountsToPrice();
    });
  }
  input('sell-amount').addEventListener('input', amountsToPrice);
  input('buy-amount').addEventListener('input', amountsToPrice);
  input('price').addEventListener('input', priceToAmount);
  byId('preset-fill').addEventListener('click', () => preset(lrcInEth.bid));
  byId('preset-rest').addEventListener('click', () => preset(farPrice));
  preset(lrcInEth.bid);
}
