import type { ReviewChanges } from '../../operations/reviewChanges.ts';
import { t } from '../i18n.ts';
import { Banner } from '../shared/Banner.tsx';
import { Phrase } from '../shared/Phrase.tsx';
import { ValueView } from '../shared/ValueView.tsx';

/** Whether anything differs from an earlier review. */
export const hasChanges = (changes: ReviewChanges | null): changes is ReviewChanges =>
  changes !== null &&
  (changes.sentence !== null || changes.rows.length + changes.newWarnings.length + changes.goneWarnings.length > 0);

/**
 * Says that a request was prepared again, with what is no longer part of it; what is new or
 * different is marked in its place.
 */
export function Renewed({ changes }: { readonly changes: ReviewChanges | null }) {
  if (!hasChanges(changes)) return null;
  const gone = changes.rows.filter(({ row }) => row === null);
  return (
    <Banner tone="notice" role="alert" title={t('approvalRenewed')}>
      <p>{t('approvalRenewedMeaning')}</p>
      {changes.sentence !== null && (
        <p>
          {t('approvalBefore')} <Phrase text={changes.sentence} />
        </p>
      )}
      {gone.map(({ label, before }, index) => (
        <p key={index}>
          {t('approvalNoLonger')} <Phrase text={label} /> {before !== null && <ValueView value={before} />}
        </p>
      ))}
      {changes.goneWarnings.map(({ rule, text }) => (
        <p key={rule}>
          {t('approvalNoLonger')} <Phrase text={text} />
        </p>
      ))}
    </Banner>
  );
}
