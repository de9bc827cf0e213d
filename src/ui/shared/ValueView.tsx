import { Fragment } from 'preact';
import type { Value } from '../../operations/review.ts';
import { tCount } from '../i18n.ts';
import { Amount } from './Amount.tsx';
import { documentParts } from './documentParts.ts';
import { valueText } from './format.ts';
import { LimitPrice, Price } from './Price.tsx';
import { Address, Hex } from './Shortened.tsx';
import { Time } from './Time.tsx';
import { visibleText } from './visibleText.ts';
import { CopiedAddress } from './WholeAddress.tsx';

/** Longest free text of a row, in characters. */
const rowTextLimit = 160;

/**
 * A text from outside, whole and with its lines; the screen scrolls, the text is never cut. Only
 * blank lines are counted instead.
 */
function Document({ text }: { readonly text: string }) {
  const parts = documentParts(text);
  return (
    <bdi class="document" dir="auto">
      {parts.map((part, index) => (
        <Fragment key={index}>
          {'blankLines' in part ? (
            <span class="document-blank">{tCount('valueBlankLines', part.blankLines)}</span>
          ) : (
            part.lines.map((line) => visibleText(line.replaceAll('\t', '    '), Number.POSITIVE_INFINITY)).join('\n')
          )}
          {index < parts.length - 1 && '\n'}
        </Fragment>
      ))}
    </bdi>
  );
}

interface ValueViewProps {
  readonly value: Value;
  readonly size?: 'normal' | 'large';
  /** Prices are turned over, as the others around it. */
  readonly turned?: boolean;
}

/** A value of a review as it stands in a row. */
export function ValueView({ value, size = 'normal', turned = false }: ValueViewProps) {
  switch (value.kind) {
    case 'amount':
      return <Amount volume={value.volume} token={value.token} least={value.least ?? false} size={size} />;
    case 'price':
      if (value.keep) return <LimitPrice price={value} />;
      return <Price price={value} {...(turned ? { turned } : {})} />;
    case 'time':
      return <Time milliseconds={value.seconds * 1000} />;
    case 'address':
      return value.whole ? <CopiedAddress address={value.address} /> : <Address address={value.address} />;
    case 'hex':
      return <Hex hex={value.hex} whole={value.whole} />;
    case 'text':
      return <bdi class="outside">{visibleText(value.text, rowTextLimit)}</bdi>;
    case 'document':
      return <Document text={value.text} />;
    case 'bips':
    case 'integer':
    case 'message':
      return <span>{valueText(value)}</span>;
  }
}
