import { z } from 'zod';
import { MAX_FEE_BIPS } from '../protocol/limits.ts';

/**
 * Market file of an operator: tokens with their limits and prices, trading pairs, pools. A JSON
 * file of this shape.
 */

const amount = z
  .string()
  .regex(/^[0-9]{1,29}$/, 'is not a decimal text')
  .describe('base units, decimal text');
const address = z.string().regex(/^0x[0-9a-fA-F]{40}$/, 'is not an address');

/** Prefix of the markets of NFT orders, as in `NFT-ETH`. */
export const NFT_BASE = 'NFT';

const tokenConfig = z.strictObject({
  tokenId: z.int().min(0).max(32_767),
  type: z.enum(['ETH', 'ERC20', 'LP']).default('ERC20'),
  symbol: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9.-]{0,30}$/),
  name: z.string().min(1).max(64),
  address,
  decimals: z.int().min(0).max(36),
  precision: z.int().min(0).max(36).default(6),
  minimum: amount.describe('least order amount'),
  maximum: amount.describe('largest order amount'),
  dust: amount.describe('a rest up to this, or worth up to this, is not filled any more'),
  priceMicroUsd: z
    .string()
    .regex(/^[0-9]{1,18}$/)
    .describe('price of a whole token in millionths of a dollar; converts gas costs into fees'),
  paysFees: z.boolean().default(false),
  fastWithdrawLimit: amount
    .default('0')
    .describe('fast withdrawals that are paid out before their blocks are confirmed, together; 0: not offered'),
  enabled: z.boolean().default(true),
});

const marketEntry = z.strictObject({
  base: z.string(),
  quote: z.string(),
  precisionForPrice: z.int().min(0).max(18).default(6),
  enabled: z.boolean().default(true),
});

const poolEntry = z.strictObject({
  address,
  base: z.string(),
  quote: z.string(),
  lp: z.string().describe('symbol of the LP token, LP-…'),
  feeBips: z.int().min(1).max(MAX_FEE_BIPS),
  enabled: z.boolean().default(true),
  seed: z
    .tuple([amount, amount])
    .optional()
    .describe('first liquidity, put in once on an empty database; development only'),
});

const bips = () => z.int().min(0).max(MAX_FEE_BIPS).describe('ten-thousandths');

/**
 * Exceptions from the common fees. Everybody else pays `makerBips`, `takerBips` and `nftBips` of
 * the settings.
 */
const feesConfig = z
  .strictObject({
    tiers: z
      .record(
        z.string().regex(/^[a-z0-9_]{1,20}$/, 'is not a name of a-z, 0-9 and _'),
        z.strictObject({
          makerBips: bips(),
          takerBips: bips(),
          requestDiscount: z.int().min(0).max(100).default(0).describe('percent off the fees of requests'),
        }),
      )
      .default({}),
    accounts: z.record(address, z.string()).default({}).describe('the tier of an owner'),
    collections: z
      .record(address, z.int().min(1).max(MAX_FEE_BIPS))
      .default({})
      .describe('the rate of orders for the NFTs of a contract, ten-thousandths'),
  })
  .superRefine(({ tiers, accounts, collections }, context) => {
    const complain = (path: string[], message: string) => context.addIssue({ code: 'custom', path, message });
    for (const [name, { makerBips, takerBips }] of Object.entries(tiers)) {
      if (name === DEFAULT_TIER) complain(['tiers', name], 'is what the settings say, and has no entry here');
      if (makerBips > takerBips) complain(['tiers', name, 'makerBips'], `${makerBips} is above takerBips ${takerBips}`);
    }
    for (const [owner, tier] of Object.entries(accounts))
      if (!Object.hasOwn(tiers, tier)) complain(['accounts', owner], `there is no tier ${tier}`);
    for (const [list, entries] of Object.entries({ accounts, collections })) {
      const names = Object.keys(entries);
      const twin = names.find(
        (name, index) => names.findIndex((one) => one.toLowerCase() === name.toLowerCase()) < index,
      );
      if (twin !== undefined) complain([list, twin], 'is listed twice');
    }
  });
export type FeesConfig = z.output<typeof feesConfig>;

/** The tier of everybody who has no other. */
export const DEFAULT_TIER = 'default';

export const marketConfig = z
  .strictObject({
    tokens: z.array(tokenConfig).min(1),
    markets: z.array(marketEntry),
    pools: z.array(poolEntry),
    fees: feesConfig.prefault({}),
  })
  .superRefine(({ tokens, markets, pools }, context) => {
    const complain = (path: (string | number)[], message: string) =>
      context.addIssue({ code: 'custom', path, message });
    const symbols = new Set(tokens.map((token) => token.symbol));
    const known = (symbol: string, path: (string | number)[]) => {
      if (!symbols.has(symbol)) complain(path, `token ${symbol} is not listed`);
    };
    markets.forEach(({ base, quote }, index) => {
      known(base, ['markets', index, 'base']);
      known(quote, ['markets', index, 'quote']);
    });
    pools.forEach(({ base, quote, lp }, index) => {
      known(base, ['pools', index, 'base']);
      known(quote, ['pools', index, 'quote']);
      known(lp, ['pools', index, 'lp']);
    });
    const coin = tokens.findIndex(({ tokenId }) => tokenId === 0);
    if (tokens[coin]?.type !== 'ETH') complain(['tokens'], 'token 0 is the coin of the chain, of type ETH');
    else if (BigInt(tokens[coin].priceMicroUsd) === 0n)
      complain(['tokens', coin, 'priceMicroUsd'], 'of the coin of the chain is zero, and fees follow from it');
    tokens.forEach(
      (
        { symbol, minimum, maximum, dust, address: contract, type, paysFees, priceMicroUsd, fastWithdrawLimit },
        index,
      ) => {
        if (index !== coin && paysFees && BigInt(priceMicroUsd) === 0n)
          complain(
            ['tokens', index, 'priceMicroUsd'],
            `of ${symbol} is zero, so requests that pay in it would be free`,
          );
        if (BigInt(minimum) > BigInt(maximum))
          complain(['tokens', index, 'minimum'], `of ${symbol} is above its maximum`);
        if (BigInt(fastWithdrawLimit) > 0n && !paysFees)
          complain(
            ['tokens', index, 'fastWithdrawLimit'],
            `of ${symbol}: a fast withdrawal is paid in its own token, and this one pays no fees`,
          );
        if (BigInt(dust) > BigInt(minimum)) complain(['tokens', index, 'dust'], `of ${symbol} is above its minimum`);
        if (type === 'ETH' && !/^0x0{40}$/.test(contract))
          complain(['tokens', index, 'address'], `of ${symbol}, the coin of the chain, is the zero address`);
        const twin = tokens.findIndex((token) => token.address.toLowerCase() === contract.toLowerCase());
        if (twin !== index)
          complain(['tokens', index, 'address'], `of ${symbol} is the one of ${tokens[twin]?.symbol}`);
      },
    );
    // Symbols may contain "-", and a market is known by its name alone, in any case.
    const names = new Map(tokens.map(({ symbol }) => [`${NFT_BASE}-${symbol}`.toUpperCase(), 'NFT orders']));
    markets.forEach(({ base, quote }, index) => {
      const [name, pair] = [`${base}-${quote}`, `${base} and ${quote}`];
      const other = names.get(name.toUpperCase()) ?? pair;
      if (other !== pair) complain(['markets', index], `${name} is the market of ${other} already`);
      names.set(name.toUpperCase(), other);
      if (/^(AMM|COMBINE)-/i.test(base))
        complain(['markets', index, 'base'], `${name} would be read as the pool or the book of another market`);
    });
    for (const [list, pairs] of [
      ['markets', markets],
      ['pools', pools],
    ] as const)
      pairs.forEach(({ base, quote }, index) => {
        if (base === quote) complain([list, index, 'quote'], `${base} is not traded for itself`);
        const twin = pairs.findIndex(
          (pair) => (pair.base === base && pair.quote === quote) || (pair.base === quote && pair.quote === base),
        );
        if (twin !== index) complain([list, index], `${base}-${quote} is listed already as ${list}.${twin}`);
      });
    pools.forEach(({ base, quote, lp, address: contract }, index) => {
      if (tokens.find(({ symbol }) => symbol === lp)?.type !== 'LP')
        complain(['pools', index, 'lp'], `${lp} is not a token of type LP`);
      if (pools.findIndex((pool) => pool.lp === lp) !== index)
        complain(['pools', index, 'lp'], `${lp} is of two pools`);
      if (pools.findIndex((pool) => pool.address.toLowerCase() === contract.toLowerCase()) !== index)
        complain(['pools', index, 'address'], 'is the one of another pool');
      if (!markets.some((pair) => pair.base === base && pair.quote === quote))
        complain(['pools', index], `${base}-${quote} is no market`);
    });
    for (const key of ['tokenId', 'symbol'] as const)
      if (new Set(tokens.map((token) => String(token[key]).toUpperCase())).size !== tokens.length)
        complain(['tokens'], `two tokens share a ${key}`);
  });
export type MarketConfigInput = z.input<typeof marketConfig>;

const units = (whole: number | bigint, decimals: number) => (BigInt(whole) * 10n ** BigInt(decimals)).toString();

const stablecoin = (tokenId: number, symbol: string, name: string, contract: string, decimals: number) => ({
  ...{ tokenId, symbol, name, address: contract, decimals },
  minimum: units(1, decimals),
  maximum: units(20_000_000, decimals),
  dust: units(1, decimals - 3),
  priceMicroUsd: '1000000',
  paysFees: true,
  fastWithdrawLimit: units(20_000, decimals),
});

const poolShare = (tokenId: number, pair: string, contract: string) => ({
  ...{
    tokenId,
    type: 'LP' as const,
    symbol: `LP-${pair}`,
    name: `${pair} pool share`,
    address: contract,
    decimals: 18,
  },
  minimum: '1',
  maximum: units(1_000_000_000, 18),
  dust: '0',
  priceMicroUsd: '0',
});

/** Tokens, pairs and one pool to develop against; no real money anywhere. */
export const developmentMarket: MarketConfigInput = {
  tokens: [
    {
      tokenId: 0,
      type: 'ETH',
      symbol: 'ETH',
      name: 'Ether',
      address: '0x0000000000000000000000000000000000000000',
      decimals: 18,
      minimum: '1000000000000000',
      maximum: units(10_000, 18),
      dust: '100000000000',
      priceMicroUsd: '3000000000',
      paysFees: true,
      fastWithdrawLimit: units(10, 18),
    },
    {
      tokenId: 1,
      symbol: 'LRC',
      name: 'Loopring Coin',
      address: '0xBBbbCA6A901c926F240b89EacB641d8Aec7AEafD',
      decimals: 18,
      minimum: units(5, 18),
      maximum: units(100_000_000, 18),
      dust: '1000000000000000',
      priceMicroUsd: '200000',
      paysFees: true,
      fastWithdrawLimit: units(100_000, 18),
    },
    stablecoin(2, 'USDT', 'Tether USD', '0xdAC17F958D2ee523a2206206994597C13D831ec7', 6),
    stablecoin(3, 'DAI', 'Dai Stablecoin', '0x6B175474E89094C44Da98b954EedeAC495271d0F', 18),
    stablecoin(4, 'USDC', 'USD Coin', '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', 6),
    {
      tokenId: 5,
      symbol: 'WBTC',
      name: 'Wrapped Bitcoin',
      address: '0x2260FAC5E5542a773Aa44fBCfeDf7C193bc2C599',
      decimals: 8,
      minimum: '10000',
      maximum: units(1_000, 8),
      dust: '10',
      priceMicroUsd: '60000000000',
    },
    poolShare(100, 'LRC-ETH', '0x1860f5ca4F12ae9d28c80d0f24D2F21e65a0F5e5'),
    poolShare(101, 'ETH-USDT', '0x2a85E98a4F12ae9D28c80d0F24D2F21e65A0f5E6'),
  ],
  markets: [
    { base: 'LRC', quote: 'ETH', precisionForPrice: 8 },
    { base: 'LRC', quote: 'USDT', precisionForPrice: 6 },
    { base: 'ETH', quote: 'USDT', precisionForPrice: 2 },
    { base: 'ETH', quote: 'DAI', precisionForPrice: 2 },
    { base: 'ETH', quote: 'USDC', precisionForPrice: 2 },
    { base: 'DAI', quote: 'USDT', precisionForPrice: 4 },
    { base: 'WBTC', quote: 'ETH', precisionForPrice: 4, enabled: false },
  ],
  pools: [
    {
      address: '0x18920d6E6Fb7EbE057a4DD9260D6D95845c95036',
      base: 'LRC',
      quote: 'ETH',
      lp: 'LP-LRC-ETH',
      feeBips: 20,
      seed: [units(15_000_000, 18), units(1_000, 18)],
    },
    {
      address: '0x2A85e98A7e5bd5Cf8e8B4F1f5A6d95845C950361',
      base: 'ETH',
      quote: 'USDT',
      lp: 'LP-ETH-USDT',
      feeBips: 20,
      seed: [units(1_000, 18), units(3_000_000, 6)],
    },
  ],
};

/** The market file to begin with: a seed is for development. */
export const exampleMarket: MarketConfigInput = {
  ...developmentMarket,
  pools: developmentMarket.pools.map(({ seed: _, ...pool }) => pool),
};
