import { useEffect, useState } from 'preact/hooks';
import type { UiParams } from '../../../messaging/uiMethods.ts';
import type { PreviewView } from '../../../messaging/views.ts';
import { followPointer } from '../../approval/pointer.ts';
import { call } from '../../background.ts';

/** Milliseconds without a key press before the relayer is asked. */
const quietMs = 300;

export type OperationRequest = UiParams<'startOperation'>;

/**
 * Prepares what the approval request would show, a moment after the last change; `null` while that
 * is not known.
 * @param basis - Prepared again when it changes.
 */
export function usePreview(request: OperationRequest | null, basis = ''): PreviewView | null {
  const key = request === null ? null : JSON.stringify(request);
  const [known, setKnown] = useState<{ key: string; view: PreviewView } | null>(null);
  // The form itself may be drawn later than the pointer came to rest.
  useEffect(followPointer, []);
  useEffect(() => {
    if (key === null) return;
    let current = true;
    const timer = setTimeout(() => {
      call('previewOperation', JSON.parse(key) as OperationRequest).then(
        (view) => current && setKnown({ key, view }),
        // A preview is a convenience; the approval request itself says what is wrong.
        () => undefined,
      );
    }, quietMs);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [key, basis]);
  return known !== null && known.key === key ? known.view : null;
}
