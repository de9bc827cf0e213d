import { useEffect, useRef, useState } from 'preact/hooks';
import { OWN_ORIGIN } from '../../messaging/ownOrigin.ts';
import type { RotationView, WalletState } from '../../messaging/views.ts';
import { call } from '../background.ts';
import { t } from '../i18n.ts';
import { AccountLine } from '../shared/AccountLine.tsx';
import { Banner } from '../shared/Banner.tsx';
import { Button } from '../shared/Button.tsx';
import { Icon, Mark } from '../shared/Icon.tsx';
import { Phrase } from '../shared/Phrase.tsx';
import { Problem } from '../shared/Problem.tsx';
import { Site } from '../shared/Site.tsx';
import { Skeleton } from '../shared/Skeleton.tsx';
import { useAction } from '../shared/useAction.ts';
import { useAskAgain } from '../shared/useAskAgain.ts';
import { useQuery } from '../shared/useQuery.ts';
import { useWallet } from '../shared/useWallet.ts';
import { Unlock } from '../unlock/Unlock.tsx';
import { BackupStep } from './steps/BackupStep.tsx';
import { ConfirmStep } from './steps/ConfirmStep.tsx';
import { KeyStep } from './steps/KeyStep.tsx';
import { ProgressStep } from './steps/ProgressStep.tsx';
import { WhyStep } from './steps/WhyStep.tsx';

type Step = 'why' | 'key' | 'backup' | 'confirm' | 'progress';

const railSteps = ['why', 'key', 'backup', 'confirm', 'progress'] as const;

interface RailProps {
  readonly step: Step;
  readonly withBackup: boolean;
  readonly isDone: boolean;
}

function Rail({ step, withBackup, isDone }: RailProps) {
  const steps = railSteps.filter((entry) => entry !== 'backup' || withBackup);
  const at = isDone ? steps.length : steps.indexOf(step);
  return (
    <nav class="rail" aria-label={t('stepsLabel')}>
      <p class="brand">
        <Mark />
        <span>{t('extensionName')}</span>
      </p>
      <ol>
        {steps.map((entry, index) => (
          <li
            key={entry}
            class={index < at ? 'rail-past' : index === at ? 'rail-here' : 'rail-ahead'}
            aria-current={index === at ? 'step' : undefined}
          >
            <span class="rail-mark" aria-hidden="true">
              {index < at ? <Icon name="check" /> : index + 1}
            </span>
            <span>{t(`rotationStep_${entry}`)}</span>
            {index < at && <span class="visually-hidden">{t('stepsPast')}</span>}
          </li>
        ))}
      </ol>
    </nav>
  );
}

/** What the stored question says has to be shown; `null` while the person has to choose. */
function storedStep({ approval, newKey }: RotationView): Step | null {
  const stage = approval?.stage;
  if (stage === 'ready') return newKey?.kind === 'random' && !newKey.backedUp ? 'backup' : 'confirm';
  if (stage === 'executing' || stage === 'approved-locked') return 'progress';
  return stage === 'done' && approval?.result !== null ? 'progress' : null;
}

const address = new URLSearchParams(location.search);

/** Account that the address names, else the one that the popup shows. */
const accountOf = (wallet: WalletState) =>
  address.get('account') ?? wallet.selectedAccount ?? wallet.accounts[0]?.id ?? null;

/** Replaces the key of an account, for the person or for a site that asked. A reload goes on where it was. */
export function RotationApp() {
  const wallet = useWallet();
  const [approval, setApproval] = useState(() => address.get('approval'));
  const account = wallet.data === undefined ? null : accountOf(wallet.data);
  const asked =
    wallet.data === undefined ? null : approval === null ? { account, approval } : { account: null, approval };
  const query = useQuery('getRotation', asked);
  const view = query.data;
  const [local, setLocal] = useState<'why' | 'key'>('why');
  const content = useRef<HTMLElement>(null);
  const step = view === undefined ? 'why' : (storedStep(view) ?? local);
  useAskAgain(view?.approval?.stage === 'preparing', query.reload);
  const fromSite = view?.approval != null && view.approval.origin !== OWN_ORIGIN;

  useEffect(() => {
    document.title = t('rotationTitle');
    if (!content.current?.contains(document.activeElement)) content.current?.querySelector('h1')?.focus();
  }, [step, view === undefined]);

  const take = async (id: string) => {
    history.replaceState(null, '', `?approval=${encodeURIComponent(id)}`);
    setApproval(id);
    await query.reload();
  };
  const startOver = async () => {
    setLocal('key');
    const id = view?.account.id ?? '';
    history.replaceState(null, '', `?account=${encodeURIComponent(id)}`);
    address.set('account', id);
    setApproval(null);
  };
  const retry = useAction(async () => {
    if (view?.approval) await call('retryApproval', { id: view.approval.id });
    await query.reload();
  });
  const leave = useAction(async () => {
    const stage = view?.approval?.stage;
    const open =
      view?.approval && stage !== undefined && !['done', 'closed', 'executing', 'approved-locked'].includes(stage);
    if (open) await call('reject', { id: view.approval?.id ?? '', block: false });
    window.close();
    await query.reload();
  });

  const body = () => {
    if (wallet.data !== undefined && wallet.data.vault !== 'unlocked')
      return <Unlock reason={t('unlockForRotation')} onUnlocked={() => wallet.reload().then(query.reload)} />;
    if (view === undefined)
      return (
        <div>
          <Skeleton lines={[6, 10, 10, 4]} />
          <Problem error={query.error ?? wallet.error} />
        </div>
      );
    const stage = view.approval?.stage;
    if (stage === 'preparing')
      return (
        <div>
          <h1 tabIndex={-1}>{t('rotationPreparing')}</h1>
          <Skeleton lines={[9, 6, 10]} />
        </div>
      );
    if (stage === 'unavailable')
      return (
        <div>
          <h1 tabIndex={-1}>{t('approvalUnavailable')}</h1>
          {view.approval?.problem && (
            <Banner tone="notice" role="alert">
              <Phrase text={view.approval.problem} />
            </Banner>
          )}
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
        return <KeyStep view={view} onBack={() => setLocal('why')} onMade={take} />;
      case 'backup':
        return <BackupStep view={view} onDone={query.set} onCancel={leave.run} />;
      case 'confirm':
        return <ConfirmStep view={view} onDecided={query.reload} onCancel={leave.run} />;
      case 'progress':
        return <ProgressStep view={view} onLook={query.reload} onAgain={startOver} />;
    }
  };

  return (
    <div class="onboarding">
      <Rail step={step} withBackup={view?.newKey?.kind === 'random'} isDone={view?.newKey?.inPlace === true} />
      <main class="sheet" ref={content}>
        <div class="sheet-content">
          {view !== undefined && wallet.data?.vault === 'unlocked' && (
            <div class="rotation-subject">
              <AccountLine account={view.account} network={view.network} />
              {fromSite && view.approval && (
                <p class="soft">
                  {t('rotationAskedBy')} <Site origin={view.approval.origin} />
                </p>
              )}
              {view.approval?.problem && ['choosing', 'closed'].includes(view.approval.stage) && (
                <Banner tone="notice" role="alert">
                  <Phrase text={view.approval.problem} />
                </Banner>
              )}
            </div>
          )}
          {body()}
        </div>
      </main>
    </div>
  );
}
