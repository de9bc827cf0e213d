import { useEffect, useRef, useState } from 'preact/hooks';
import type { AccountView, WalletState } from '../../messaging/views.ts';
import { t } from '../i18n.ts';
import { openKeyWizard } from '../shared/openKeyWizard.ts';
import { Problem } from '../shared/Problem.tsx';
import { Rail } from '../shared/Rail.tsx';
import { Skeleton } from '../shared/Skeleton.tsx';
import { useWallet } from '../shared/useWallet.ts';
import { Unlock } from '../unlock/Unlock.tsx';
import { type Progress, railSteps, rememberedProgress, rememberProgress, type Step } from './progress.ts';
import { AccountStep } from './steps/AccountStep.tsx';
import { DoneStep } from './steps/DoneStep.tsx';
import { FirstKeyStep } from './steps/FirstKeyStep.tsx';
import { HostsStep, hostsOf } from './steps/HostsStep.tsx';
import { NameStep } from './steps/NameStep.tsx';
import { NetworkStep } from './steps/NetworkStep.tsx';
import { PasswordStep } from './steps/PasswordStep.tsx';
import { RestoreStep } from './steps/RestoreStep.tsx';
import { SignerStep } from './steps/SignerStep.tsx';
import { WelcomeStep } from './steps/WelcomeStep.tsx';

/** Index of a step in the rail; the first key belongs to the step of the account. */
function placeOf({ step, way }: Pick<Progress, 'step' | 'way'>): number {
  const steps = railSteps[way];
  const shown = step === 'key' ? 'account' : step;
  return shown === 'done' ? steps.length : steps.findIndex((entry) => entry.step === shown);
}

/**
 * The step that can be shown: a vault that exists needs no password and no backup, one that is
 * missing needs one of them first, and an exchange that is not listed any more is chosen again.
 */
function possibleStep(progress: Progress, wallet: WalletState): Step {
  const { step, network, signer, account } = progress;
  if (step === 'done') return step;
  if (step === 'restore' || step === 'hosts') return wallet.vault === 'absent' ? 'restore' : 'hosts';
  if (wallet.vault === 'absent') return step === 'welcome' ? 'welcome' : 'password';
  if (step === 'welcome' || step === 'password' || step === 'network') return 'network';
  if (!wallet.isUnread && !wallet.networks.some(({ id }) => id === network?.id)) return 'network';
  if (signer === null) return 'signer';
  if ((step === 'account' || step === 'key') && renewed(account, wallet) !== null) return 'name';
  return step === 'key' && account === null ? 'account' : step;
}

/**
 * The account as the wallet has it, once the key wizard has registered the new key that the setup
 * waits for.
 */
function renewed(before: AccountView | null, wallet: WalletState): AccountView | null {
  const now = wallet.accounts.find(({ id }) => id === before?.id);
  return now === undefined || now.publicKey.x === before?.publicKey.x ? null : now;
}

export function OnboardingApp() {
  const query = useWallet();
  const wallet = query.data;
  const [progress, setProgress] = useState(rememberedProgress);
  const content = useRef<HTMLElement>(null);
  const step = wallet === undefined ? null : possibleStep(progress, wallet);
  const locked = wallet?.vault === 'locked';

  const go = (change: Partial<Progress>) => {
    const next = { ...progress, ...change };
    rememberProgress(next);
    setProgress(next);
  };

  useEffect(() => {
    const heading = content.current?.querySelector('h1');
    document.title = heading ? `${heading.textContent} · ${t('onboardingTitle')}` : t('onboardingTitle');
    // A screen without a field to type in starts at its heading, for readers.
    if (step !== null && !content.current?.contains(document.activeElement)) heading?.focus();
  }, [step, locked]);

  const finishRestore = ({ accounts, networks, selectedAccount }: WalletState) => {
    const account = accounts.find(({ id }) => id === selectedAccount) ?? null;
    const network = networks.find(({ id }) => id === account?.networkId) ?? null;
    go(account === null ? { step: 'network', way: 'new' } : { step: 'done', account, network });
  };

  // The browser never asks for relayers on this machine, and a backup may name no other one.
  const asksNothing = step === 'hosts' && !locked && !wallet?.isUnread && hostsOf(wallet?.networks ?? []).length === 0;
  useEffect(() => {
    if (asksNothing && wallet !== undefined) finishRestore(wallet);
  }, [asksNothing]);

  const body = () => {
    if (wallet === undefined || step === null) {
      return query.error === null ? (
        <Skeleton lines={[6, 10, 10, 4]} />
      ) : (
        <Problem error={query.error} onRetry={query.reload} />
      );
    }
    if (locked) return <Unlock reason={t('unlockForSetup')} onUnlocked={query.reload} />;
    const { network, signer, account } = progress;
    switch (step) {
      case 'welcome':
        return (
          <WelcomeStep
            onDone={() => go({ step: 'password' })}
            onRestore={() => go({ step: 'restore', way: 'restore' })}
          />
        );
      case 'restore':
        return (
          <RestoreStep
            onBack={() => go({ step: 'welcome', way: 'new' })}
            onDone={(state) => {
              query.set(state);
              if (hostsOf(state.networks).length === 0) finishRestore(state);
              else go({ step: 'hosts' });
            }}
          />
        );
      case 'hosts':
        return asksNothing ? null : <HostsStep networks={wallet.networks} onDone={() => finishRestore(wallet)} />;
      case 'password':
        return (
          <PasswordStep
            onDone={() => {
              go({ step: 'network', made: null });
              void query.reload();
            }}
          />
        );
      case 'network':
        return (
          <NetworkStep
            networks={wallet.networks}
            onDone={(chosen) => {
              go({ step: 'signer', network: chosen });
              void query.reload();
            }}
          />
        );
      case 'signer':
        return network === null ? null : (
          <SignerStep
            network={network}
            made={progress.made}
            onMade={(made) => go({ made })}
            onDone={(chosen) => go({ step: 'account', signer: chosen, made: null })}
          />
        );
      case 'account':
        return network === null || signer === null ? null : (
          <AccountStep
            network={network}
            signer={signer}
            accounts={wallet.accounts}
            onDone={(owner) => go({ step: 'name', signer: owner === undefined ? signer : { ...signer, owner } })}
            onOtherSigner={() => go({ step: 'signer', signer: null, account: null })}
            onClaimed={(claimed, first) => {
              go({ account: claimed, step: first ? 'key' : 'account' });
              if (!first) void openKeyWizard(claimed.id);
            }}
          />
        );
      case 'key':
        return account === null ? null : <FirstKeyStep account={account} onBack={() => go({ step: 'account' })} />;
      case 'name':
        return network === null || signer === null ? null : (
          <NameStep
            network={network}
            signer={signer}
            account={renewed(account, wallet)}
            accounts={wallet.accounts}
            onBack={() => go({ step: 'account' })}
            onDone={(added) => go({ step: 'done', account: added })}
          />
        );
      case 'done':
        return <DoneStep account={account} network={network} />;
    }
  };

  return (
    <div class="onboarding">
      <Rail
        labels={railSteps[progress.way].map(({ label }) => label)}
        at={placeOf({ step: locked ? 'welcome' : (step ?? 'welcome'), way: progress.way })}
      />
      <main class="sheet" ref={content}>
        <div key={step ?? 'loading'} class="sheet-content">
          {body()}
        </div>
      </main>
    </div>
  );
}
