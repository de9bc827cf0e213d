import type { TokenFacts } from '../../operations/review.ts';
import { symbolText } from './format.ts';
import { tokenMarks } from './tokenMarks.ts';

/**
 * The mark of a well-known token, else its first letter in a colour of its contract: to tell rows
 * apart at a glance, not to prove anything.
 */
export function TokenDot({ token }: { readonly token: TokenFacts }) {
  const mark = tokenMarks[token.address.toLowerCase()];
  const hue = mark?.hue ?? (Number.parseInt(token.address.slice(-6), 16) % 12) * 30;
  return (
    <span class="token-dot" style={{ '--hue': hue }} aria-hidden="true">
      {mark ? (
        <svg viewBox="0 0 20 20" aria-hidden="true" focusable="false">
          <path d={mark.path} />
        </svg>
      ) : (
        [...symbolText(token)][0]
      )}
    </span>
  );
}
