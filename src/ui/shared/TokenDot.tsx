import type { TokenFacts } from '../../operations/review.ts';
import { symbolLimit } from './format.ts';
import { visibleText } from './visibleText.ts';

/** The first letter of a token, in a colour of its contract: to tell rows apart at a glance, not to prove anything. */
export function TokenDot({ token }: { readonly token: TokenFacts }) {
  const hue = Number.parseInt(token.address.slice(-6), 16) % 12;
  return (
    <span class={`token-dot token-hue-${token.address === `0x${'0'.repeat(40)}` ? 'coin' : hue}`} aria-hidden="true">
      {[...visibleText(token.symbol, symbolLimit)][0]}
    </span>
  );
}
