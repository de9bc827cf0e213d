import { useState } from 'preact/hooks';
import { t } from '../i18n.ts';
import { CopyButton } from './CopyButton.tsx';
import { checksumAddress, middleShortened } from './format.ts';
import { visibleText } from './visibleText.ts';

function Shortened({ text, what }: { readonly text: string; readonly what: string }) {
  const [open, setOpen] = useState(false);
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

/** A hash or other hex, its middle left out until tapped. */
export function Hex({ hex }: { readonly hex: string }) {
  return <Shortened text={hex} what={t('valueHexName')} />;
}
