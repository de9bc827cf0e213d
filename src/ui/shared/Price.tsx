import { useState } from 'preact/hooks';
import { SYMBOL_LIMIT } from '../../messaging/symbolLimit.ts';
import type { PriceValue } from '../../operations/review.ts';
import { messageParts, t } from '../i18n.ts';
import { BreakableNumber } from './Amount.tsx';
import { Icon } from './Icon.tsx';
import { isTurned, localDecimal, shownPrice } from './numbers.ts';
import { visibleText } from './visibleText.ts';

interface PriceProps {
  readonly price: Omit<PriceValue, 'kind'>;
  /** As base units for one of quote, or not; the price's own way when absent. */
  readonly turned?: boolean;
}

function Parts({ text, quote, base }: { readonly text: string; readonly quote: string; readonly base: string }) {
  const symbols: Readonly<Record<string, string>> = { quote, base };
  return messageParts('valuePrice').map((part) => {
    if (typeof part === 'string') return part;
    if (part.name === 'price') return <BreakableNumber key="price" text={text} />;
    return <bdi key={part.name}>{visibleText(symbols[part.name] ?? '', SYMBOL_LIMIT)}</bdi>;
  });
}

/** A price where nothing can be tapped, such as in the head of an entry. */
export function PriceText({ price }: Pick<PriceProps, 'price'>) {
  return <Parts {...shownPrice(price)} />;
}

/** A price. Where it is rounded or turned over, one tap shows it as it is. */
export function Price({ price, turned = isTurned(price) }: PriceProps) {
  const [open, setOpen] = useState(false);
  const { isExact, ...shown } = shownPrice(price, turned);
  const whole = `${price.exact ? '' : '≈ '}${localDecimal(price.value)}`;
  if (!turned && shown.text === whole)
    return (
      <span class="price">
        <Parts {...shown} />
      </span>
    );
  return (
    <span class="price amount">
      <button
        type="button"
        class="amount-toggle"
        aria-expanded={open}
        title={t('valueShowExact')}
        onClick={() => setOpen(!open)}
      >
        <span>
          <Parts {...shown} />
        </span>
        <Icon name="down" />
      </button>
      {open && (
        <span class="amount-exact">
          <span>
            <Parts text={whole} quote={price.quote} base={price.base} />
          </span>
        </span>
      )}
    </span>
  );
}

/**
 * The price of a limit, as it stands: turned over, a minimum would be a maximum. A small one has
 * its other way round below it.
 */
export function LimitPrice({ price }: Pick<PriceProps, 'price'>) {
  const { keep: _, ...free } = price;
  return (
    <>
      <Price price={price} turned={false} />
      {isTurned(free) && (
        <span class="row-note">
          <PriceText price={free} />
        </span>
      )}
    </>
  );
}
