/** Token ids of the development market, and the base units of one whole token of 18 decimals. */
export const ETH = 0;
export const LRC = 1;
export const USDT = 2;
export const DAI = 3;
export const USDC = 4;
export const ether = 10n ** 18n;
