import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../../i18n.ts';
import { checkAddress } from '../../shared/checkAddress.ts';
import { middleShortened } from '../../shared/format.ts';
import { Icon } from '../../shared/Icon.tsx';
import { Identicon } from '../../shared/Identicon.tsx';
import { visibleText } from '../../shared/visibleText.ts';
import { WholeAddress } from '../../shared/WholeAddress.tsx';
import { hrefTo } from '../router.ts';
import type { NamedAddress } from './useRecipients.ts';

/** Suggestions under the field; the address book has its own screen. */
const MOST_SHOWN = 4;

const sourceTexts = { own: 'recipientOwn', book: 'recipientBook', recent: 'recipientRecent' } as const;

interface RecipientFieldProps {
  readonly label: string;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly known: readonly NamedAddress[];
  /** The account that pays, where it cannot be the receiver. */
  readonly self: string | undefined;
  /** The form was submitted: what is empty or incomplete is wrong now. */
  readonly tried: boolean;
}

/**
 * Field for the recipient: typed, pasted, or chosen. A chosen address is shown in full under its
 * name, to be compared.
 */
export function RecipientField({ label, text, onText, known, self, tried }: RecipientFieldProps) {
  const id = useId();
  const checked = checkAddress(text);
  const chosen = 'address' in checked ? checked.address : null;
  const valid = checkAddress(text, self);
  const says = 'problem' in valid && (valid.problem !== 'empty' || tried);
  const error = says ? t(valid.problem === 'empty' ? 'addressEmpty' : valid.problem) : null;
  const input = useRef<HTMLInputElement>(null);
  const whole = useRef<HTMLDivElement>(null);
  const acted = useRef(false);
  /** The user's own change: the focus goes on to what takes the place of the focused element. */
  const change = (next: string) => {
    acted.current = true;
    onText(next);
  };
  const isChosen = chosen !== null;
  const wasChosen = useRef(isChosen);
  useLayoutEffect(() => {
    if (acted.current && wasChosen.current !== isChosen) (isChosen ? whole : input).current?.focus();
    acted.current = false;
    wasChosen.current = isChosen;
  });

  if (chosen !== null) {
    const entry = known.find(({ address }) => address.toLowerCase() === chosen.toLowerCase());
    return (
      <fieldset class="field">
        <legend class="field-label">{label}</legend>
        {/* Not its button: Enter right after the last character would take the recipient back. */}
        <div ref={whole} tabIndex={-1} class="recipient" aria-invalid={error !== null}>
          <Identicon address={chosen} />
          <div class="recipient-text">
            <span class="recipient-name">
              {entry?.name == null ? (
                t(entry === undefined ? 'recipientUnknown' : 'recipientRecent')
              ) : (
                <bdi>{visibleText(entry.name, 60)}</bdi>
              )}
            </span>
            <WholeAddress address={chosen} />
          </div>
          <button
            type="button"
            class="icon-button"
            aria-label={t('recipientChange')}
            title={t('recipientChange')}
            onClick={() => change('')}
          >
            <Icon name="cross" />
          </button>
        </div>
        {error !== null && (
          <p class="field-error" role="alert">
            {error}
          </p>
        )}
      </fieldset>
    );
  }

  const wanted = text.trim().toLowerCase();
  const offered = known
    .filter(({ address }) => address.toLowerCase() !== self?.toLowerCase())
    .filter(
      ({ address, name }) =>
        wanted === '' || address.toLowerCase().startsWith(wanted) || (name ?? '').toLowerCase().includes(wanted),
    );
  // While somebody still types a name or an address, nothing is wrong yet.
  const typing = !tried && wanted.length < 42 && (offered.length > 0 || /^(0x?[0-9a-f]*)?$/.test(wanted));
  return (
    <div class="field">
      <div class="field-head">
        <label for={id}>{label}</label>
        <a class="field-link" href={hrefTo('contacts')}>
          {t('contactsTitle')}
        </a>
      </div>
      <div class="field-box">
        <input
          ref={input}
          id={id}
          type="text"
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          maxLength={120}
          placeholder={t('recipientPlaceholder')}
          value={text}
          aria-invalid={error !== null && !typing}
          aria-describedby={`${id}-error`}
          onInput={(event) => change(event.currentTarget.value)}
        />
      </div>
      <p class="field-error" id={`${id}-error`} role="alert">
        {error !== null && !typing ? error : ''}
      </p>
      {offered.length > 0 && (
        <ul class="suggestions" aria-label={t('recipientKnown')}>
          {offered.slice(0, MOST_SHOWN).map(({ address, name, source }) => (
            <li key={`${source}${address}`}>
              <button type="button" class="suggestion" onClick={() => change(address)}>
                <Identicon address={address} />
                <span class="suggestion-text">
                  <bdi>{name === null ? middleShortened(address) : visibleText(name, 60)}</bdi>
                  <span class="soft">
                    {name !== null && <span class="mono">{middleShortened(address, 6, 4)} · </span>}
                    {t(sourceTexts[source])}
                  </span>
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
