import { useEffect, useRef, useState } from 'preact/hooks';
import { OWN_ORIGIN } from '../../messaging/ownOrigin.ts';
import type { WalletState } from '../../messaging/views.ts';
import { t } from '../i18n.ts';
import { AccountLine } from '../shared/AccountLine.tsx';
import { Icon, Mark } from '../shared/Icon.tsx';
import { namePage } from '../shared/namePage.ts';
import { Problem } from '../shared/Problem.tsx';
import { Site } from '../shared/Site.tsx';
import { useWallet } from '../shared/useWallet.ts';
import { Unlock } from '../unlock/Unlock.tsx';
import { type KeyWizardStep, useKeyWizard } from './useKeyWizard.tsx';
import { WhyAgain } from './WhyAgain.tsx';

const railSteps = ['why', 'key', 'backup', 'confirm', 'progress'] as const;

interface RailProps {
  readonly step: KeyWizardStep;
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
        <span>Countersign</span>
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
            <span>{t(`keyUpdateStep_${entry}`)}</span>
            {index < at && <span class="visually-hidden">{t('stepsPast')}</span>}
          </li>
        ))}
      </ol>
    </nav>
  );
}

const address = new URLSearchParams(location.search);

/** Account that the address names, else the one that the popup shows. */
const accountOf = (wallet: WalletState) =>
  address.get('account') ?? wallet.selectedAccount ?? wallet.accounts[0]?.id ?? null;

/**
 * Replaces the key of an account, for the user or for a site that asked. A reload goes on where it
 * was.
 */
export function KeyUpdateApp() {
  const wallet = useWallet();
  const [approval, setApproval] = useState(() => address.get('approval'));
  const account = wallet.data === undefined ? null : accountOf(wallet.data);
  const asked =
    wallet.data === undefined ? null : approval === null ? { account, approval } : { account: null, approval };
  const { step, view, body, reload } = useKeyWizard(asked, {
    first: 'why',
    onApproval(id) {
      const subject =
        id === null ? `account=${encodeURIComponent(view?.account.id ?? '')}` : `approval=${encodeURIComponent(id)}`;
      history.replaceState(null, '', `?${subject}`);
      if (id === null) address.set('account', view?.account.id ?? '');
      setApproval(id);
    },
    onClose: () => window.close(),
  });
  const content = useRef<HTMLElement>(null);
  const fromSite = view?.approval != null && view.approval.origin !== OWN_ORIGIN;

  useEffect(() => {
    const heading = content.current?.querySelector('h1');
    namePage(heading?.textContent ?? t('keyUpdateTitle'));
    if (!content.current?.contains(document.activeElement)) heading?.focus();
  }, [step, view === undefined]);

  const locked = wallet.data !== undefined && wallet.data.vault !== 'unlocked';

  return (
    <div class="onboarding">
      <Rail step={step} withBackup={view?.newKey?.kind === 'random'} isDone={view?.newKey?.inPlace === true} />
      <main class="sheet" ref={content}>
        <div class="sheet-content">
          {view !== undefined && wallet.data?.vault === 'unlocked' && (
            <div class="key-update-subject">
              <AccountLine account={view.account} network={view.network} />
              {fromSite && view.approval && (
                <p class="soft">
                  {t('keyUpdateAskedBy')} <Site origin={view.approval.origin} />
                </p>
              )}
              <WhyAgain approval={view.approval} />
            </div>
          )}
          {locked ? (
            <Unlock reason={t('unlockForKeyUpdate')} onUnlocked={() => wallet.reload().then(reload)} />
          ) : (
            <>
              {body}
              {view === undefined && <Problem error={wallet.error} />}
            </>
          )}
        </div>
      </main>
    </div>
  );
}
