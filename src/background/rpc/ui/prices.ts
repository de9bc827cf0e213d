import { legalCurrencies } from '../../../messaging/legalCurrencies.ts';
import type { PricesView } from '../../../messaging/views.ts';
import type { Reads } from '../../../operations/reads.ts';
import { listedSymbol } from '../../../operations/tokenSymbol.ts';
import type { EndpointAnswer } from '../../../protocol/index.ts';
import { ageAt } from '../../relayers/age.ts';
import { publicReadsFor } from '../../relayers/reads.ts';
import { FACTS_MAX_AGE_MS, tokenFacts } from '../../relayers/relayers.ts';
import { type MarketMove, rateOf, shareRates, tokenRates } from '../../relayers/tokenRates.ts';
import { told } from '../../relayers/told.ts';
import type { StoredAccount } from '../../settings/storedConfig.ts';
import type { Wallet } from '../../wallet.ts';
import { accountNamed, networkNamed, placeNamed } from './named.ts';
import { storedRead } from './storedRead.ts';
import { traded } from './tokensOf.ts';
import type { UiHandlers } from './uiHandler.ts';

type Facts = Pick<Wallet, 'config' | 'relayers'>;
type Market = EndpointAnswer<'getMarkets'>['markets'][number];

/** Milliseconds for which prices are not read again. */
const FRESH_MS = 30_000;
/** Maximum age of earlier prices that are still shown, with their age. */
const KEPT_MS = 24 * 60 * 60_000;
/** A listed price that the relayer itself calls older than this is none. */
const LISTED_MS = 60 * 60_000;
/** Markets in one request for tickers. */
const MARKETS_AT_ONCE = 50;

/**
 * The last price, as far as the book agrees: between two accounts of one user anything is a
 * price, and nobody else could trade at it.
 */
function fairClose(last: bigint, bid: bigint | null, ask: bigint | null): bigint {
  if (bid !== null && last < bid) return bid;
  return ask !== null && last > ask ? ask : last;
}

async function movesOf({ read }: Pick<Reads, 'read'>, markets: readonly Market[]): Promise<MarketMove[]> {
  const found: MarketMove[] = [];
  for (let start = 0; start < markets.length; start += MARKETS_AT_ONCE) {
    const asked = markets.slice(start, start + MARKETS_AT_ONCE);
    const answer = await told(read('getMixTicker', { query: { market: asked.map(({ market }) => market).join(',') } }));
    for (const [name = '', , , , from = '', , , to = '', , bid = '', ask = ''] of answer?.tickers ?? []) {
      const market = asked.find(({ market }) => market === name.replace(/^COMBINE-/, ''));
      // Without a trade on that day there is no opening price, and the last one is older.
      const [open, close] = [rateOf(from), rateOf(to)];
      if (market && open && close) found.push({ ...market, open, close: fairClose(close, rateOf(bid), rateOf(ask)) });
    }
  }
  return found;
}

async function readPrices(
  wallet: Facts & Pick<Wallet, 'ports'>,
  { networkId }: StoredAccount,
  reads: Pick<Reads, 'read'>,
  currency: string,
): Promise<PricesView> {
  const network = await networkNamed(wallet, networkId);
  const { markets } = await wallet.relayers.facts(network);
  const tokens = (await wallet.relayers.unchangedTokens(network)).map(tokenFacts);
  const legal = legalCurrencies.includes(currency) ? currency : (legalCurrencies[0] ?? '');
  const [list, moves, pools] = await Promise.all([
    told(reads.read('getPrice', { query: { legal } })),
    movesOf(reads, traded(markets)),
    told(reads.read('getAmmBalances', {})),
  ]);
  const now = wallet.ports.now();
  const listed = new Map<number, bigint>();
  for (const { symbol, price, updatedAt } of list?.prices ?? []) {
    const [token, other] = tokens.filter((one) => listedSymbol(one) === symbol);
    const rate = rateOf(price);
    // Which of two is meant nobody says.
    if (token && !other && rate && now - Number(updatedAt) < LISTED_MS) listed.set(token.tokenId, rate);
  }
  const ofTokens = tokenRates({ currency, tokens, listed, moves });
  const rates = [...ofTokens, ...shareRates(pools ?? [], tokens, ofTokens)].map(([tokenId, { now, before }]) => ({
    tokenId,
    now: now.toString(),
    before: before?.toString() ?? null,
  }));
  return { currency, rates };
}

export const priceHandlers = {
  async getPrices(wallet, { account: id, refresh }) {
    const account = await accountNamed(wallet, id);
    const { currency } = (await wallet.config.read()).settings;
    if (currency === '') return { data: null, at: null, problem: null };
    const prices = (again: boolean) =>
      storedRead(wallet, account, 'prices', again, (reads) => readPrices(wallet, account, reads, currency));
    const ageOf = ({ data, at }: Awaited<ReturnType<typeof prices>>) =>
      ageAt(wallet.ports.now(), data?.currency === currency ? at : null);
    const kept = await prices(false);
    const found = refresh && ageOf(kept) >= FRESH_MS ? await prices(true) : kept;
    return ageOf(found) < KEPT_MS ? found : { data: null, at: null, problem: found.problem };
  },

  async getCurrencies(wallet, { account: id }) {
    const { network } = await placeNamed(wallet, id);
    const { markets, tokens } = await wallet.relayers.facts(network);
    const { read } = publicReadsFor(network, wallet.relayers);
    const legal = await wallet.relayers.remembered(`currencies ${network.id}`, FACTS_MAX_AGE_MS, () =>
      Promise.all(
        legalCurrencies.map(async (code) => {
          const answer = await told(read('getPrice', { query: { legal: code } }));
          return answer && answer.prices.length > 0 ? [code] : [];
        }),
      ),
    );
    const quotes = new Set(traded(markets).map(({ quoteTokenId }) => quoteTokenId));
    const symbols = tokens.filter(({ tokenId }) => quotes.has(tokenId)).map(({ symbol }) => symbol);
    return [...legal.flat(), ...symbols.filter((symbol) => /^[A-Za-z0-9.-]{1,16}$/.test(symbol))];
  },
} satisfies UiHandlers<'accountKeys' | 'config' | 'ports' | 'relayers' | 'vault'>;
