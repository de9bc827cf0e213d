interface TokenMark {
  /** In a box of 20 by 20, drawn as strokes. */
  readonly path: string;
  /** Of the colour wheel, degrees. */
  readonly hue: number;
}

/** Two bars through a letter. */
const bars = 'M4.5 8.7h11M4.5 11.3h11';

/**
 * Marks of tokens that many hold, by their contract on Ethereum, lower case; all others have their
 * first letter.
 */
export const tokenMarks: Readonly<Record<string, TokenMark>> = {
  '0x0000000000000000000000000000000000000000': {
    path: 'M10 2.5 5.2 10.3 10 13l4.8-2.7zM5.2 12.3 10 17.5l4.8-5.2',
    hue: 153,
  },
  '0xbbbbca6a901c926f240b89eacb641d8aec7aeafd': { path: 'M6 3.5v13L15.5 12z', hue: 210 },
  '0xdac17f958d2ee523a2206206994597c13d831ec7': { path: 'M5 5h10M10 5v11M4.5 9.5h11', hue: 150 },
  '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48': {
    path: 'M10 3v14M13.3 7c-.5-1.2-1.7-1.8-3.3-1.8-1.9 0-3.2.9-3.2 2.3 0 3.2 6.4 1.7 6.4 5 0 1.5-1.4 2.4-3.2 2.4-1.7 0-3-.7-3.4-2',
    hue: 210,
  },
  '0x6b175474e89094c44da98b954eedeac495271d0f': {
    path: `M6.5 4.5H10c3.2 0 5 2.2 5 5.5s-1.8 5.5-5 5.5H6.5z${bars}`,
    hue: 30,
  },
  '0x2260fac5e5542a773aa44fbcfedf7c193bc2c599': {
    path: 'M7 5h4.2a2.5 2.5 0 0 1 0 5H7m0 0h4.8a2.5 2.5 0 0 1 0 5H7M7.8 5v10M8.6 3v2m2.6-2v2m-2.6 10v2m2.6-2v2',
    hue: 30,
  },
};
