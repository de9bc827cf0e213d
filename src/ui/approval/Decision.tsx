import { useEffect, useRef, useState } from 'preact/hooks';
import { OWN_ORIGIN } from '../../messaging/ownOrigin.ts';
import type { UiParams } from '../../messaging/uiMethods.ts';
import type { ApprovalView, PermissionKind, WalletState } from '../../messaging/views.ts';
import { isGrave } from '../../operations/severity.ts';
import { call } from '../background.ts';
import { t } from '../i18n.ts';
import { Banner } from '../shared/Banner.tsx';
import { Button } from '../shared/Button.tsx';
import { Field } from '../shared/Field.tsx';
import { Form } from '../shared/Form.tsx';
import { Phrase } from '../shared/Phrase.tsx';
import { Problem, wrongPassword } from '../shared/Problem.tsx';
import { typing, useAction } from '../shared/useAction.ts';
import { useNftOnce } from '../shared/useNftOnce.ts';
import { useSeen } from '../shared/useSeen.ts';
import { actText, titleOf } from './acts.ts';
import { ConnectBody } from './ConnectBody.tsx';
import { DecisionBar } from './DecisionBar.tsx';
import { decide } from './decide.ts';
import { hasChanges, Renewed } from './Renewed.tsx';
import { ReviewBody, ReviewDetails } from './ReviewBody.tsx';
import { TightenForm } from './TightenForm.tsx';
import { useRenewal } from './useRenewal.ts';
import { useReviewBalances } from './useReviewBalances.ts';
import { worthOfLeaving } from './WorthOfLeaving.tsx';

/** Accounts and permissions that the user chose to share with a site. */
export interface Choice {
  readonly accounts: readonly string[];
  readonly kinds: readonly PermissionKind[];
}

interface DecisionProps {
  readonly view: ApprovalView;
  /** Choices by the id of their approval; they outlive a lock and other requests in between. */
  readonly chosen: Map<string, Choice> | undefined;
  readonly wallet: WalletState | undefined;
  readonly onView: (view: ApprovalView) => void;
  readonly onReload: () => Promise<void>;
  /** Holds this drawing while the answer is in progress, `false` lets go of it. */
  readonly onRejecting: (rejecting: boolean) => void;
  readonly onRejected: () => Promise<void>;
}

/** The request itself. What is approved is the `view` that this was drawn from, field for field. */
export function Decision({ view, chosen, wallet, onView, onReload, onRejecting, onRejected }: DecisionProps) {
  const content = useRef<HTMLDivElement>(null);
  const end = useRef<HTMLDivElement>(null);
  const endSeen = useSeen(view.digest, end);
  const firstDigest = useRef(view.digest);
  const asked = view.connect;
  const [accounts, setAccounts] = useState<readonly string[]>(
    chosen?.get(view.id)?.accounts ?? preselected(view, wallet),
  );
  const [kinds, setKinds] = useState<readonly PermissionKind[]>(chosen?.get(view.id)?.kinds ?? asked?.kinds ?? []);
  useEffect(() => {
    chosen?.set(view.id, { accounts, kinds });
  }, [chosen, view.id, accounts, kinds]);

  // A picture or name that comes late is new content: the button is idle again, and nothing waits
  // for it.
  const metadata = useNftOnce(view.review?.nft);
  const balances = useReviewBalances(view);

  const [editing, setEditing] = useState(false);
  /** Digest of the approval request that the user's own limits made: new, but no surprise. */
  const [ownDigest, setOwnDigest] = useState<string | null>(null);
  const tighten = useAction(async (limits: UiParams<'tightenStanding'>['limits']) => {
    if (view.digest === null) return;
    const tightened = await call('tightenStanding', { id: view.id, digest: view.digest, limits });
    setOwnDigest(tightened.digest);
    onView(tightened);
  });
  // What is being typed outlives a review that is prepared again, and keeps the button idle.
  useEffect(() => setEditing(false), [ownDigest]);
  const isOwnChange = ownDigest !== null && ownDigest === view.digest;
  const isStale = useRenewal(view, onView);
  const hasChanged = firstDigest.current !== view.digest && view.changes === null && !isOwnChange && !tighten.busy;

  const needsPassword = view.review?.warnings.some((warning) => warning.password) ?? false;
  const [password, setPassword] = useState('');
  const approve = useAction(async () => {
    if (view.digest === null) return;
    const choice = asked === null ? {} : { accounts: [...accounts], kinds: [...kinds] };
    const confirmed = needsPassword ? { password } : {};
    try {
      onView(
        await decide(view, {
          id: view.id,
          digest: view.digest,
          account: view.account?.id ?? null,
          ...choice,
          ...confirmed,
        }),
      );
    } catch (error) {
      // Whatever failed, the background knows where the request stands now.
      await onReload();
      throw error;
    }
  });
  const reject = useAction(async (block: boolean) => {
    onRejecting(true);
    try {
      await call('reject', { id: view.id, block });
    } catch (error) {
      onRejecting(false);
      throw error;
    }
    await onRejected();
  });

  const changed = hasChanges(view.changes)
    ? JSON.stringify([view.changes, view.changes.rows.map(({ row }) => view.review?.rows[row ?? -1]?.value)])
    : null;
  // Dangers and what has changed stand at the top, and are read from there to the end.
  useEffect(() => content.current?.parentElement?.scrollTo({ top: 0 }), [ownDigest, changed]);
  // Readers start at the sentence, and no control holds the focus that a waiting key press could
  // reach.
  useEffect(() => content.current?.querySelector('h1')?.focus({ preventScroll: true }), [ownDigest]);

  const wrong = wrongPassword(approve.error);
  const failure = (wrong === null ? approve.error : null) ?? reject.error;
  useEffect(() => {
    if (failure !== null) content.current?.parentElement?.scrollTo({ top: 0 });
    if (wrong !== null) content.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [failure, wrong]);

  const busy = view.stage === 'approved' || approve.busy || reject.busy;
  const complete =
    view.digest !== null &&
    !isStale &&
    (asked === null || accounts.length > 0) &&
    !editing &&
    (!needsPassword || password !== '');
  // The queue grows without touching the request, so the number that waits is left out.
  const { waiting: _, ...shown } = view;
  const contentKey =
    view.stage === 'ready' && complete
      ? JSON.stringify([shown, accounts, kinds, metadata?.status, metadata?.name, metadata?.collection, balances])
      : null;
  const danger = view.review?.warnings.some(isGrave) ?? false;
  const approveText =
    asked !== null
      ? t(asked.isMore ? 'standing_allow' : 'approvalConnect')
      : view.kind === 'standing'
        ? t('standing_allow')
        : actText(view.operation, view.review, danger);
  const isCarriedOut = view.stage === 'approved' && view.kind === 'operation' && !reject.busy;
  const readyText = busy
    ? t(!isCarriedOut ? 'commonWorking' : view.asksOtherWallet ? 'extensionWaiting' : 'approvalExecuting')
    : isStale
      ? t('approvalRenewing')
      : editing
        ? t('standing_lessFirst')
        : needsPassword && password === ''
          ? t('approvalReadyPassword')
          : asked !== null && accounts.length === 0
            ? t('connectChooseOne')
            : asked !== null
              ? t('approvalReadyConnect')
              : t(view.kind === 'standing' ? 'approvalReadyStanding' : 'approvalReady');

  return (
    <>
      <main class="approval-content">
        <div ref={content} class="approval-flow">
          <Problem error={failure} />
          {view.again !== null && (
            <Banner tone="notice" role="alert" title={t('approvalAgain')}>
              <Phrase text={view.again} />
            </Banner>
          )}
          {view.connectedFirst && <Banner tone="good">{t('approvalConnectedFirst')}</Banner>}
          <Renewed changes={view.changes} />
          {hasChanged && (
            <Banner tone="notice" role="alert" title={t('approvalChanged')}>
              {t('approvalChangedMeaning')}
            </Banner>
          )}
          {isOwnChange && (
            <Banner tone="good" role="status" title={t('standing_lessDone')}>
              {t('standing_lessDoneMeaning')}
            </Banner>
          )}
          {asked !== null && (
            <ConnectBody
              asked={asked}
              networks={wallet?.networks ?? []}
              switchTo={asked.isSwitch ? view.network : null}
              chosenAccounts={accounts}
              chosenKinds={kinds}
              onAccounts={setAccounts}
              onKinds={setKinds}
            />
          )}
          {view.review !== null && (
            <ReviewBody
              review={view.review}
              title={titleOf(view.operation, view.review)}
              balances={balances}
              metadata={metadata}
              changes={view.changes}
            />
          )}
          {view.standing !== null && (
            <TightenForm key={ownDigest} standing={view.standing} tighten={tighten} onEditing={setEditing} />
          )}
          {view.approvesOnL1 && <Banner tone="notice">{t('approvalOnL1')}</Banner>}
          <div ref={end} class="approval-end" />
          {needsPassword && (
            // Enter never approves: it leads to the button, which says what does.
            <Form onSubmit={() => password !== '' && document.querySelector<HTMLElement>('.approve')?.focus()}>
              <Field
                label={t('approvalPassword')}
                secret="current-password"
                value={password}
                onInput={typing(setPassword, approve)}
                hint={t('approvalPasswordHint')}
                error={wrong}
              />
            </Form>
          )}
          {view.review !== null && (
            <ReviewDetails
              review={view.review}
              changes={view.changes}
              digest={view.digest}
              worth={worthOfLeaving(view, wallet?.settings.currency)}
            />
          )}
          {view.origin !== OWN_ORIGIN && (
            <p class="block-site">
              <Button tone="danger-quiet" small disabled={busy} onClick={() => reject.run(true)}>
                {t('approvalBlock')}
              </Button>
              <span class="soft">{t('siteBlockMeaning')}</span>
            </p>
          )}
        </div>
      </main>
      <DecisionBar
        id={view.id}
        contentKey={contentKey}
        content={content}
        endSeen={endSeen}
        approveText={approveText}
        readyText={readyText}
        danger={danger}
        busy={busy}
        isRejecting={reject.busy}
        canTakeBack={view.stage === 'approved' && !approve.busy && !reject.busy}
        onApprove={approve.run}
        onReject={() => reject.run(false)}
      />
    </>
  );
}

/** The accounts that the site has, because a yes replaces them; else the one the wallet shows. */
function preselected(view: ApprovalView, wallet: WalletState | undefined): readonly string[] {
  const { accounts: offered, granted } = view.connect ?? { accounts: [], granted: [] };
  if (granted.length > 0) return granted;
  const first = offered[0];
  if (first === undefined) return [];
  const selected = offered.find((account) => account.id === wallet?.selectedAccount);
  return [(selected ?? first).id];
}
