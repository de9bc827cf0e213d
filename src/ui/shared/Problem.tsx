import type { ComponentChildren } from 'preact';
import { UiCallError } from '../background.ts';
import { hasMessage, t } from '../i18n.ts';
import { Banner } from './Banner.tsx';

/** The sentence of a failure. A key that this page does not know yet becomes a general sentence with the code. */
export function problemText(error: unknown): string {
  if (!(error instanceof UiCallError)) return t('errorUnexpected', { code: 'ui' });
  return hasMessage(error.key) ? t(error.key, error.values) : t('errorUnexpected', { code: error.code });
}

export function Problem({ error, action }: { readonly error: unknown; readonly action?: ComponentChildren }) {
  if (error === null || error === undefined) return null;
  return (
    <Banner tone="danger" role="alert" action={action}>
      {problemText(error)}
    </Banner>
  );
}
