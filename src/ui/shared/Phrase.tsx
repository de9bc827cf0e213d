import type { Text } from '../../operations/review.ts';
import { messageParts } from '../i18n.ts';
import { findValue, valueText } from './format.ts';

/** A sentence of the catalogs; each value is isolated, so that its direction stays its own. */
export function Phrase({ text }: { readonly text: Text }) {
  return (
    <>
      {messageParts(text.key).map((part, index) => {
        if (typeof part === 'string') return part;
        const value = findValue(text, part.name);
        return value === undefined ? null : (
          <bdi key={index} class={`phrase-${value.kind}`}>
            {valueText(value)}
          </bdi>
        );
      })}
    </>
  );
}
