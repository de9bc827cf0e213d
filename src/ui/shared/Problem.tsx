import { UiCallError } from '../background.ts';
import { hasMessage, t } from '../i18n.ts';
import { Banner } from './Banner.tsx';

/**
 * The sentence of a failure. A key that this page does not know yet becomes a general sentence with
 * the code.
 */
export function problemText(error: unknown): string {
  if (!(error instanceof UiCallError)) return t('errorUnexpected', { code: 'ui' });
  return hasMessage(error.key) ? t(error.key, error.values) : t('errorUnexpected', { code: error.code });
}

/** The sentence of a wrong password, for its field; `null` for every other failure. */
export const wrongPassword = (error: unknown): string | null =>
  error instanceof UiCallError && error.code === 'wrong-password' ? problemText(error) : null;

/** @param onRetry - Reads again what could not be read. */
export function Problem({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => unknown }) {
  if (error === null || error === undefined) return null;
  return (
    <Banner tone="danger" role="alert" onRetry={onRetry}>
      {problemText(error)}
    </Banner>
  );
}
