import type { PreviewView } from '../../../messaging/views.ts';
import { Banner } from '../../shared/Banner.tsx';
import { Phrase } from '../../shared/Phrase.tsx';

/** Warnings that the approval request will carry, already beside the form. */
export function Ahead({ preview }: { readonly preview: PreviewView | null }) {
  if (preview === null) return null;
  if (preview.refused !== null)
    return (
      <Banner tone="danger" role="alert">
        <Phrase text={preview.refused.problem} />
      </Banner>
    );
  return (
    <>
      {preview.review?.warnings.map(
        ({ rule, severity, text }) =>
          severity !== 'note' && (
            <Banner key={rule} tone={severity} role="status">
              <Phrase text={text} />
            </Banner>
          ),
      )}
    </>
  );
}
