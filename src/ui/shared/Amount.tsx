import { Fragment } from 'preact';
import { useState } from 'preact/hooks';
import type { TokenFacts } from '../../operations/review.ts';
import { t } from '../i18n.ts';
import { CopyButton } from './CopyButton.tsx';
import { checksumAddress, middleShortened, symbolText } from './format.ts';
import { Icon } from './Icon.tsx';
import { amountNumber, numberPieces, shownAmount } from './numbers.ts';
import { looksUnusual, visibleText } from './visibleText.ts';

interface AmountProps {
  /** Base units, decimal text. */
  readonly volume: string;
  readonly token: TokenFacts;
  /**
   * A lower bound or a holding, rounded down where it has too many digits; what is paid is rounded
   * up.
   */
  readonly least?: boolean;
  readonly size?: 'normal' | 'large';
  /** Without the symbol, where it stands beside already. */
  readonly bare?: boolean;
}

/** Longest number that fits a line in the narrowest window, in characters. */
const oneLine = 18;
/** Longer ones take a row of their own. */
const wholeLine = 40;

/**
 * A number that stays in one line, or, when it is too long for one, may break after its separators
 * and nowhere else.
 */
export function BreakableNumber({ text }: { readonly text: string }) {
  const isWhole = text.length <= oneLine;
  return (
    <bdi class={isWhole ? 'number number-whole' : 'number'}>
      {(isWhole ? [text] : numberPieces(text)).map((piece, index) => (
        <Fragment key={index}>
          {index > 0 && <wbr />}
          {piece}
        </Fragment>
      ))}
    </bdi>
  );
}

export function TokenSymbol({ token }: { readonly token: TokenFacts }) {
  return (
    <>
      <bdi class="symbol">{symbolText(token)}</bdi>
      {looksUnusual(token.symbol) && <span class="tag tag-notice">{t('valueUnusualSymbol')}</span>}
    </>
  );
}

/**
 * An amount. One tap shows all its digits, the base units, and which token contract is meant.
 */
export function Amount({ volume, token, least = false, size = 'normal', bare = false }: AmountProps) {
  const [open, setOpen] = useState(false);
  const { text, isExact } = shownAmount({ volume, token, least });
  const address = checksumAddress(token.address);
  return (
    <span class={`amount amount-${size} ${text.length > wholeLine ? 'amount-very-long' : ''}`}>
      <button
        type="button"
        class="amount-toggle"
        aria-expanded={open}
        title={t('valueShowExact')}
        onClick={() => setOpen(!open)}
      >
        <bdi>
          <BreakableNumber text={text} /> {!bare && <TokenSymbol token={token} />}
        </bdi>
        <Icon name="down" />
      </button>
      {open && (
        <span class="amount-exact">
          {!isExact && (
            <span class="amount-line">
              <bdi>
                <span class="number">{amountNumber(volume, token.decimals)}</span> <TokenSymbol token={token} />
              </bdi>
            </span>
          )}
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
