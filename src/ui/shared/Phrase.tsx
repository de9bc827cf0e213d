import type { Text, Value } from '../../operations/review.ts';
import { messageParts } from '../i18n.ts';
import { BreakableNumber } from './Amount.tsx';
import { findValue, symbolText, valueText } from './format.ts';
import { shownAmount } from './numbers.ts';

function InlineValue({ value }: { readonly value: Value }) {
  if (value.kind !== 'amount') return <>{valueText(value)}</>;
  return (
    <>
      <BreakableNumber text={shownAmount(value).text} />
      {'\u00a0'}
      {symbolText(value.token)}
    </>
  );
}

/** A sentence of the catalogs; each value is isolated, so that its direction stays its own. */
export function Phrase({ text }: { readonly text: Text }) {
  return (
    <>
      {messageParts(text.key).map((part, index) => {
        if (typeof part === 'string') return part;
        const value = findValue(text, part.name);
        return value === undefined ? null : (
          <bdi key={index} class={`phrase-${value.kind}`}>
            <InlineValue value={value} />
          </bdi>
        );
      })}
    </>
  );
}
