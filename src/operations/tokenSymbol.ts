interface Named {
  readonly tokenId: number;
  readonly symbol: string;
}

const prefixOf = ({ tokenId }: Named): string => `#${tokenId} `;

/**
 * The token under its number as well, since another one of the exchange looks like it by its
 * symbol.
 */
export const numbered = <Token extends Named>(token: Token): Token => ({
  ...token,
  symbol: `${prefixOf(token)}${token.symbol}`,
});

/**
 * The symbol by which the relayer knows a token, without the number that `numbered` has put before
 * it.
 */
export function listedSymbol(token: Named): string {
  const prefix = prefixOf(token);
  return token.symbol.startsWith(prefix) ? token.symbol.slice(prefix.length) : token.symbol;
}
