/** Tokens of the development market as this dApp lists them, as every dApp keeps its own list. */
export interface Token {
  readonly tokenId: number;
  readonly symbol: string;
  readonly decimals: number;
}

export const tokens: readonly Token[] = [
  { tokenId: 0, symbol: 'ETH', decimals: 18 },
  { tokenId: 1, symbol: 'LRC', decimals: 18 },
  { tokenId: 2, symbol: 'USDT', decimals: 6 },
  { tokenId: 3, symbol: 'DAI', decimals: 18 },
  { tokenId: 4, symbol: 'USDC', decimals: 6 },
];

/** @throws {Error} The id is not in the list. */
export function tokenById(tokenId: number): Token {
  const token = tokens.find((candidate) => candidate.tokenId === tokenId);
  if (!token) throw new Error(`The demo does not know token ${tokenId}`);
  return token;
}

/** @throws {Error} The symbol is not in the list. */
export function tokenBySymbol(symbol: string): Token {
  const token = tokens.find((candidate) => candidate.symbol === symbol);
  if (!token) throw new Error(`The demo does not know the token ${symbol}`);
  return token;
}
