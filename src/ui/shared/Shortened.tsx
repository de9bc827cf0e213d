import { useState } from 'preact/hooks';
import { t } from '../i18n.ts';
import { CopyButton } from './CopyButton.tsx';
import { checksumAddress, middleShortened } from './format.ts';
import { visibleText } from './visibleText.ts';

interface ShortenedProps {
  readonly text: string;
  readonly what: string;
  /** Begins with all its digits. */
  readonly whole?: boolean | undefined;
}

function Shortened({ text, what, whole: isWhole = false }: ShortenedProps) {
  const [open, setOpen] = useState(isWhole);
  const short = middleShortened(text);
  const whole = visibleText(text, Number.POSITIVE_INFINITY);
  return (
    <span class="shortened">
      {short === whole ? (
        <span class="mono">{whole}</span>
      ) : (
        <button
          type="button"
          class="text-toggle mono"
          aria-expanded={open}
          title={open ? t('valueShowLess') : whole}
          onClick={() => setOpen(!open)}
        >
          {open ? whole : short}
        </button>
      )}
      <CopyButton text={text} what={what} />
    </span>
  );
}

/** A checksummed address, its middle left out until tapped. */
export function Address({ address }: { readonly address: string }) {
  return <Shortened text={checksumAddress(address)} what={t('valueAddressName')} />;
}

/** A hash or other hex, its middle left out until tapped, unless it begins whole. */
export function Hex({ hex, whole }: { readonly hex: string } & Pick<ShortenedProps, 'whole'>) {
  return <Shortened text={hex} what={t('valueHexName')} whole={whole} />;
}
