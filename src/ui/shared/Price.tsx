import { messageParts } from '../i18n.ts';
import { BreakableNumber } from './Amount.tsx';
import { localDecimal, symbolLimit } from './format.ts';
import { visibleText } from './visibleText.ts';

interface PriceProps {
  /** Exact decimal text of quote units for one base unit. */
  readonly value: string;
  /** False when digits were cut; then `≈` stands before the number. */
  readonly exact: boolean;
  readonly quote: string;
  readonly base: string;
}

export function Price({ value, exact, quote, base }: PriceProps) {
  const symbols: Readonly<Record<string, string>> = { quote, base };
  return (
    <span class="price">
      {messageParts('valuePrice').map((part) => {
        if (typeof part === 'string') return part;
        if (part.name === 'price')
          return <BreakableNumber key="price" text={`${exact ? '' : '≈ '}${localDecimal(value)}`} />;
        return <bdi key={part.name}>{visibleText(symbols[part.name] ?? '', symbolLimit)}</bdi>;
      })}
    </span>
  );
}
