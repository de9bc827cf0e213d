import { Fragment } from 'preact';
import { useState } from 'preact/hooks';
import type { TokenFacts } from '../../operations/review.ts';
import { t } from '../i18n.ts';
import { CopyButton } from './CopyButton.tsx';
import { amountNumber, checksumAddress, middleShortened, numberPieces, symbolLimit } from './format.ts';
import { Icon } from './Icon.tsx';
import { looksUnusual, visibleText } from './visibleText.ts';

interface AmountProps {
  /** Base units, decimal text. */
  readonly volume: string;
  readonly token: TokenFacts;
  readonly size?: 'normal' | 'large';
  /** Without the symbol, where it stands beside already. */
  readonly bare?: boolean;
}

/** Longest number that fits a line in the narrowest window, in characters. */
const oneLine = 18;

/** A number that stays in one line, or, when it is too long for one, may break after its separators and nowhere else. */
export function BreakableNumber({ text }: { readonly text: string }) {
  return (
    <span class="number">
      {(text.length <= oneLine ? [text] : numberPieces(text)).map((piece, index) => (
        <Fragment key={index}>
          {index > 0 && <wbr />}
          {piece}
        </Fragment>
      ))}
    </span>
  );
}

export function TokenSymbol({ token }: { readonly token: TokenFacts }) {
  return (
    <>
      <bdi class="symbol">{visibleText(token.symbol, symbolLimit)}</bdi>
      {looksUnusual(token.symbol) && <span class="tag tag-notice">{t('valueUnusualSymbol')}</span>}
    </>
  );
}

/** An exact amount. One tap shows the base units as they are signed, and which token contract is meant. */
export function Amount({ volume, token, size = 'normal', bare = false }: AmountProps) {
  const [open, setOpen] = useState(false);
  const number = amountNumber(volume, token.decimals);
  const length = number.length > 40 ? 'very-long' : number.length > oneLine ? 'long' : 'short';
  const address = checksumAddress(token.address);
  return (
    <span class={`amount amount-${size} amount-${length}`}>
      <button
        type="button"
        class="amount-toggle"
        aria-expanded={open}
        title={t('valueShowExact')}
        onClick={() => setOpen(!open)}
      >
        <bdi>
          <BreakableNumber text={number} /> {!bare && <TokenSymbol token={token} />}
        </bdi>
        <Icon name="down" />
      </button>
      {open && (
        <span class="amount-exact">
          <span class="amount-line">
            <span class="number">{t('valueBaseUnits', { volume, decimals: token.decimals })}</span>
            <CopyButton text={volume} what={t('valueBaseUnitsName')} />
          </span>
          <span class="amount-line">
            <span>
              {visibleText(token.name, 40)} · {t('valueToken', { id: token.tokenId })}{' '}
              <span class="mono" title={address}>
                {middleShortened(address)}
              </span>
            </span>
            <CopyButton text={address} what={t('valueTokenAddress')} />
          </span>
        </span>
      )}
    </span>
  );
}
