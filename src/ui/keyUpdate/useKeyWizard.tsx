import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { KeyUpdateView } from '../../messaging/views.ts';
import { call } from '../background.ts';
import { t } from '../i18n.ts';
import { Button } from '../shared/Button.tsx';
import { Notice } from '../shared/Notice.tsx';
import { Problem } from '../shared/Problem.tsx';
import { Skeleton } from '../shared/Skeleton.tsx';
import { useAction } from '../shared/useAction.ts';
import { useAskAgain } from '../shared/useAskAgain.ts';
import { useQuery } from '../shared/useQuery.ts';
import { BackupStep } from './steps/BackupStep.tsx';
import { ConfirmStep } from './steps/ConfirmStep.tsx';
import { KeyStep } from './steps/KeyStep.tsx';
import { ProgressStep } from './steps/ProgressStep.tsx';
import { WhyStep } from './steps/WhyStep.tsx';

export type KeyWizardStep = 'why' | 'key' | 'backup' | 'confirm' | 'progress';

/** Derives the step from the stored approval request; `null` while the user has to choose. */
function storedStep({ approval, newKey }: KeyUpdateView): KeyWizardStep | null {
  const stage = approval?.stage;
  if (stage === 'approved') return 'progress';
  if (approval?.needsPassword) return null;
  if (stage === 'ready') return newKey?.kind === 'random' && !newKey.backedUp ? 'backup' : 'confirm';
  return stage === 'done' && approval?.result !== null ? 'progress' : null;
}

interface KeyWizard {
  readonly step: KeyWizardStep;
  /** `undefined` while it is read. */
  readonly view: KeyUpdateView | undefined;
  readonly body: ComponentChildren;
  readonly reload: () => Promise<void>;
}

/**
 * The steps that register a key for an account, for the user or for a site that asked. The stored
 * approval says which step is shown.
 * @param asked - The account, or one approval of a key update; `null` asks nothing.
 * @param options.first - Where it begins while nothing is stored.
 * @param options.onApproval - Called with the approval that is shown from now on; `null` when the
 *   user begins again.
 * @param options.onClose - The user leaves.
 */
export function useKeyWizard(
  asked: { readonly account: string | null; readonly approval: string | null } | null,
  options: {
    readonly first: 'why' | 'key';
    readonly onApproval: (id: string | null) => void;
    readonly onClose: () => void;
  },
): KeyWizard {
  const { first, onApproval, onClose } = options;
  const query = useQuery('getKeyUpdate', asked);
  const shown = useRef<KeyUpdateView>(undefined);
  if (query.data !== undefined) shown.current = query.data;
  // The same approval, asked for by its own id from now on: what was typed beside it stays on the
  // screen.
  const isSame = asked !== null && asked.approval !== null && shown.current?.approval?.id === asked.approval;
  const view = query.data ?? (isSame ? shown.current : undefined);
  const [local, setLocal] = useState<'why' | 'key'>(first);
  const step = view === undefined ? first : (storedStep(view) ?? local);
  useAskAgain(view?.approval?.stage === 'waiting' && !view.approval.needsPassword, query.reload);

  const take = async (id: string) => {
    onApproval(id);
    await query.reload();
  };
  const startOver = () => {
    setLocal('key');
    onApproval(null);
  };
  const retry = useAction(async () => {
    if (view?.approval) await call('retryApproval', { id: view.approval.id });
    await query.reload();
  });
  const leave = useAction(async () => {
    const stage = view?.approval?.stage;
    const open = view?.approval && stage !== undefined && !['done', 'closed', 'approved'].includes(stage);
    if (open) await call('reject', { id: view.approval?.id ?? '', block: false });
    onClose();
    await query.reload();
  });

  const body = () => {
    if (view === undefined)
      return query.error === null ? (
        <Skeleton lines={[6, 10, 10, 4]} />
      ) : (
        <Problem error={query.error} onRetry={query.reload} />
      );
    const stage = view.approval?.needsPassword ? undefined : view.approval?.stage;
    if (stage === 'waiting')
      return (
        <div>
          <h1 tabIndex={-1}>{t('keyUpdatePreparing')}</h1>
          <Skeleton lines={[9, 6, 10]} />
        </div>
      );
    if (stage === 'unavailable')
      return (
        <div>
          <h1 tabIndex={-1}>{t('approvalUnavailable')}</h1>
          <Notice text={view.approval?.problem} role="alert" />
          <Problem error={retry.error} />
          <div class="step-buttons">
            <Button onClick={leave.run}>{t('commonCancel')}</Button>
            <Button tone="primary" icon="refresh" busy={retry.busy} onClick={retry.run}>
              {t('commonTryAgain')}
            </Button>
          </div>
        </div>
      );
    switch (step) {
      case 'why':
        return <WhyStep view={view} onDone={() => setLocal('key')} onCancel={leave.run} />;
      case 'key':
        return <KeyStep view={view} onBack={() => (first === 'key' ? leave.run() : setLocal('why'))} onMade={take} />;
      case 'backup':
        return <BackupStep view={view} onDone={query.set} onCancel={leave.run} />;
      case 'confirm':
        return <ConfirmStep view={view} onDecided={query.reload} onCancel={leave.run} />;
      case 'progress':
        return <ProgressStep view={view} onLook={query.reload} onAgain={startOver} onClose={onClose} />;
    }
  };
  const shownBody = (
    <>
      <Problem error={leave.error} />
      {body()}
    </>
  );
  return { step, view, body: shownBody, reload: query.reload };
}
