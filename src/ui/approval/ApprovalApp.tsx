import type { ComponentChildren } from 'preact';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { OWN_ORIGIN } from '../../messaging/ownOrigin.ts';
import type { ApprovalView, WalletState } from '../../messaging/views.ts';
import { call, UiCallError } from '../background.ts';
import { t, tCount } from '../i18n.ts';
import { AccountLine } from '../shared/AccountLine.tsx';
import { Banner } from '../shared/Banner.tsx';
import { Button } from '../shared/Button.tsx';
import { checksumAddress } from '../shared/format.ts';
import { Icon, type IconName } from '../shared/Icon.tsx';
import { Identicon } from '../shared/Identicon.tsx';
import { Notice } from '../shared/Notice.tsx';
import { Phrase } from '../shared/Phrase.tsx';
import { Problem } from '../shared/Problem.tsx';
import { Site } from '../shared/Site.tsx';
import { Skeleton } from '../shared/Skeleton.tsx';
import { useAction } from '../shared/useAction.ts';
import type { Query } from '../shared/useQuery.ts';
import { useWallet } from '../shared/useWallet.ts';
import { visibleText } from '../shared/visibleText.ts';
import { Unlock } from '../unlock/Unlock.tsx';
import { CalmFooter } from './CalmFooter.tsx';
import { type Choice, Decision } from './Decision.tsx';
import { Outcome, outcomeText } from './Outcome.tsx';
import { carryReject, followPointer } from './pointer.ts';
import { type OpenApproval, useApproval } from './useApproval.ts';

/** Asked on the wallet's own screens, by nobody else. */
const isOwn = (view: ApprovalView | undefined) => view?.origin === OWN_ORIGIN;

function Header({ view }: { readonly view: ApprovalView | undefined }) {
  return (
    <header class="approval-header">
      <Icon name={isOwn(view) ? 'home' : 'globe'} />
      <div class="approval-asker">
        <span class="soft approval-asks">
          {t(isOwn(view) ? 'approvalOwn' : 'approvalAsks')}{' '}
          <span role="status">
            {view !== undefined && view.waiting > 0 && <>· {tCount('approvalWaiting', view.waiting)}</>}
          </span>
        </span>
        {view === undefined ? <span class="soft">…</span> : <Site origin={view.origin} />}
      </div>
      {view?.account && view.connect === null && (
        <div class="approval-account" data-fold="account">
          <span class="approval-account-text">
            <span class="visually-hidden">{t('approvalAccount')} </span>
            <bdi class="account-name" title={`${view.account.label} · ${checksumAddress(view.account.owner)}`}>
              {visibleText(view.account.label, 60)}
            </bdi>{' '}
            <span class="soft">
              <bdi>#{view.account.accountId}</bdi>
              {view.network !== null && ` · ${visibleText(view.network.name, 40)}`}
            </span>
          </span>
          <Identicon address={view.account.owner} />
        </div>
      )}
    </header>
  );
}

/** A state that is no decision: a picture, a sentence, and one or two calm buttons. */
function Calm({
  title,
  icon,
  children,
  buttons,
}: {
  readonly title: string;
  readonly icon: IconName;
  readonly children: ComponentChildren;
  readonly buttons: ComponentChildren;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), [title]);
  return (
    <>
      <main class="approval-content outcome">
        <span class="outcome-picture">
          <Icon name={icon} />
        </span>
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {children}
      </main>
      <CalmFooter>{buttons}</CalmFooter>
    </>
  );
}

interface ApprovalFlowProps extends OpenApproval {
  /** Choices by the id of their approval. */
  readonly chosen?: Map<string, Choice>;
  readonly wallet: Query<WalletState>;
}

/**
 * One approval request from its first moment to what became of it, in the approval window or over a
 * screen of the wallet.
 */
export function ApprovalFlow({ wallet, id, query, next, chosen }: ApprovalFlowProps) {
  useEffect(followPointer, []);
  useEffect(carryReject, []);
  // A rejected request is closed a moment before the next one is known: what is on the screen stays
  // until then.
  const [rejected, setRejected] = useState<ApprovalView | null>(null);
  const view = rejected ?? query.data;
  const retry = useAction(async () => {
    if (id !== null) query.set(await call('retryApproval', { id }));
  });
  const giveUp = useAction(async () => {
    if (id !== null) await call('reject', { id, block: false });
    await next();
  });
  const goOn = useCallback(() => void next(), [next]);
  const stage = view?.stage;
  // Another failure to read it says nothing about the request: what is on the screen stays, and
  // approves nothing else.
  const gone = query.error instanceof UiCallError && query.error.code === 'approval-gone';
  const closed = stage === 'closed' || id === null || (gone && rejected === null);
  const isUnlockOver = view?.kind === 'unlock' && stage === 'done';
  useEffect(() => {
    if (isUnlockOver) goOn();
  }, [isUnlockOver, goOn]);

  const giveUpButton = (text = 'approvalReject') => (
    <Button busy={giveUp.busy} rejects={id} onClick={giveUp.run}>
      {t(text)}
    </Button>
  );
  const locked = (reason: string, giveUpText?: string) => (
    <>
      <main class="approval-content">
        <Unlock reason={t(reason)} onUnlocked={query.reload} />
        <Problem error={giveUp.error} />
      </main>
      <CalmFooter>{giveUpButton(giveUpText)}</CalmFooter>
    </>
  );

  const signedBefore = view?.signedBefore && (
    <Banner tone="danger" role="alert">
      <Phrase text={view.signedBefore} />
    </Banner>
  );
  const body = () => {
    if (closed) {
      return (
        <Calm
          title={t('approvalGone')}
          icon="info"
          buttons={
            <Button onClick={goOn}>
              {t(view !== undefined && view.waiting > 0 ? 'approvalNext' : 'approvalClose')}
            </Button>
          }
        >
          {signedBefore ?? <p class="soft">{t('approvalGoneMeaning')}</p>}
          {view?.problem && (
            <p>
              <Phrase text={view.problem} />
            </p>
          )}
        </Calm>
      );
    }
    if (view === undefined && query.error !== null) {
      return (
        <Calm
          title={t('approvalUnavailable')}
          icon="clock"
          buttons={
            <Button tone="primary" icon="refresh" onClick={() => void query.reload()}>
              {t('commonTryAgain')}
            </Button>
          }
        >
          <Problem error={query.error} />
        </Calm>
      );
    }
    if (view === undefined || wallet.data === undefined) {
      return (
        <main class="approval-content">
          {wallet.error === null ? (
            <Skeleton lines={[8, 5]} />
          ) : (
            <Problem error={wallet.error} onRetry={wallet.reload} />
          )}
        </main>
      );
    }
    const outcome = <Outcome key={view.id} view={view} onNext={goOn} onChecked={query.reload} />;
    if (view.needsPassword) {
      if (view.result !== null) return outcome;
      if (stage === 'approved') return locked('unlockToFinish', 'attentionAction_takeback');
      return locked(view.kind === 'unlock' ? 'unlockForSite' : 'unlockForApproval');
    }
    if (view.shownBy === 'wizard' && (stage === 'choosing' || stage === 'ready')) {
      return (
        <Calm
          title={t('approvalKeyUpdate')}
          icon="key"
          buttons={
            <>
              {giveUpButton()}
              <Button
                tone="primary"
                icon="key"
                onClick={() => location.replace(`keyUpdate.html?approval=${encodeURIComponent(view.id)}`)}
              >
                {t('commonContinue')}
              </Button>
            </>
          }
        >
          <p>{t('approvalKeyUpdateMeaning')}</p>
          {view.account !== null && <AccountLine account={view.account} network={view.network} compact />}
          <Problem error={giveUp.error} />
        </Calm>
      );
    }
    if (stage === 'done') return outcome;
    if (stage === 'unavailable') {
      return (
        <Calm
          title={t('approvalUnavailable')}
          icon="clock"
          buttons={
            <>
              {giveUpButton()}
              <Button tone="primary" icon="refresh" busy={retry.busy} onClick={retry.run}>
                {t('commonTryAgain')}
              </Button>
            </>
          }
        >
          <Notice text={view.problem} role="alert" />
          {signedBefore ?? <p class="soft">{t('approvalUnavailableMeaning')}</p>}
          <Problem error={retry.error ?? giveUp.error} />
        </Calm>
      );
    }
    if (stage === 'waiting') {
      return (
        <>
          <main class="approval-content">
            <h1 class="preparing">{t('approvalPreparing')}</h1>
            <Skeleton lines={[9, 6]} />
            <div class="ticket ticket-empty">
              <Skeleton lines={[3, 7]} />
              <Skeleton lines={[3, 7]} />
            </div>
            <Skeleton lines={[10, 10, 10]} />
          </main>
          <CalmFooter>{giveUpButton()}</CalmFooter>
        </>
      );
    }
    return (
      <Decision
        key={`${view.id} ${view.kind}`}
        view={view}
        chosen={chosen}
        wallet={wallet.data}
        onView={query.set}
        onReload={query.reload}
        onRejecting={(rejecting) => setRejected(rejecting ? view : null)}
        onRejected={() => next().finally(() => setRejected(null))}
      />
    );
  };

  return (
    <div class="approval">
      <div>
        <Header view={view} />
        {/* Readers say what comes into a place that was there before. */}
        <p class="visually-hidden" role="status">
          {view !== undefined && stage === 'done' && !closed && outcomeText(view)}
        </p>
        {view !== undefined && !closed && <Problem error={query.error} />}
      </div>
      {body()}
    </div>
  );
}

export function ApprovalApp() {
  const wallet = useWallet();
  const open = useApproval();
  const chosen = useRef(new Map<string, Choice>());
  // Between two requests as well: a pointer that left the button then does not rest on the next
  // one's.
  useEffect(followPointer, []);
  useEffect(() => {
    document.title = t('approvalTitle');
  }, [wallet.data]);
  // Work that hangs for one request holds up no other.
  return <ApprovalFlow key={open.id} wallet={wallet} chosen={chosen.current} {...open} />;
}
