import { useEffect, useState } from 'preact/hooks';
import { t } from '../i18n.ts';
import { Icon } from './Icon.tsx';

/** How long the tick stands, in milliseconds. */
const shownMs = 1_600;

/** Copies `text`; `what` names it for screen readers, e.g. the address of an account. */
export function CopyButton({ text, what }: { readonly text: string; readonly what: string }) {
  const [outcome, setOutcome] = useState<'copied' | 'failed' | null>(null);
  useEffect(() => {
    if (outcome !== 'copied') return;
    const timer = setTimeout(() => setOutcome(null), shownMs);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = () => {
    navigator.clipboard.writeText(text).then(
      () => setOutcome('copied'),
      () => setOutcome('failed'),
    );
  };
  return (
    <>
      <button
        type="button"
        class="icon-button"
        aria-label={t('commonCopy', { what })}
        title={t('commonCopy', { what })}
        onClick={copy}
      >
        <Icon name={outcome === 'copied' ? 'check' : outcome === 'failed' ? 'cross' : 'copy'} />
      </button>
      <span class={outcome === 'failed' ? 'field-error' : 'visually-hidden'} role="status">
        {outcome === 'copied' ? t('commonCopied') : outcome === 'failed' ? t('commonCopyFailed') : ''}
      </span>
    </>
  );
}
