import { useEffect } from 'preact/hooks';
import { type Repair, repairs } from '../../../messaging/repairs.ts';
import type { AttentionAction, AttentionItem } from '../../../messaging/views.ts';
import { call } from '../../background.ts';
import { t } from '../../i18n.ts';
import { platform } from '../../platform.ts';
import { ApproveHash } from '../../shared/ApproveHash.tsx';
import { Banner } from '../../shared/Banner.tsx';
import { Button } from '../../shared/Button.tsx';
import { Phrase } from '../../shared/Phrase.tsx';
import { Problem } from '../../shared/Problem.tsx';
import { requestName } from '../../shared/requestName.ts';
import { useAction } from '../../shared/useAction.ts';
import { useQuery } from '../../shared/useQuery.ts';
import { openKeyUpdate, openOnboarding } from '../openPages.ts';
import { goTo } from '../router.ts';

const isRepair = (action: AttentionAction): action is Repair => repairs.some((one) => one === action);

function Entry({ item, onRepaired }: { readonly item: AttentionItem; readonly onRepaired: () => Promise<void> }) {
  const repair = useAction(async (action: AttentionAction) => {
    // In the click itself: a browser asks only while the user is acting.
    if (action === 'allow') {
      await platform().permissions.request({ origins: [...(item.origins ?? [])] });
      await call('getAttention', { refresh: true });
    } else if (isRepair(action)) await call('repair', { id: item.id, action });
    else if (action === 'replace-key' && item.account !== null) await openKeyUpdate(item.account);
    else if (action === 'add-key') await openOnboarding();
    else if (action === 'compare' && item.network !== undefined) goTo('networks', item.network, 'tokens');
    else if (action === 'proofs' && item.account !== null) goTo('proofs', item.account);
    else goTo('advanced');
    await onRepaired();
  });
  const approveHash = item.submission?.approveHash ?? null;
  const danger = ['key-mismatch', 'account-gone', 'damaged', 'proof'].includes(item.kind);
  return (
    <Banner
      tone={danger ? 'danger' : 'notice'}
      title={t(`attentionKind_${item.kind.replace('-', '')}`)}
      action={
        <span class="attention-actions">
          {item.actions.map((action, index) => (
            <Button
              key={action}
              small
              tone={index === 0 ? 'secondary' : 'quiet'}
              busy={repair.busy && index === 0}
              disabled={repair.busy && index > 0}
              onClick={() => repair.run(action)}
            >
              {t(`attentionAction_${action.replace('-', '')}`)}
            </Button>
          ))}
        </span>
      }
    >
      <p>
        <Phrase text={item.submission ? requestName(item.submission.sentence) : item.subject} />
      </p>
      <p class="soft">
        {item.reason ? (
          <Phrase text={item.reason} />
        ) : (
          t(approveHash === null ? `attentionMeaning_${item.kind.replace('-', '')}` : 'problem_awaitsApproval')
        )}
      </p>
      {approveHash !== null && <ApproveHash {...approveHash} />}
      <Problem error={repair.error} />
    </Banner>
  );
}

/** How long a screen that stays open shows what the relayers said last. */
const compareIntervalMs = 60_000;

/**
 * Lists the troubles that do not repair themselves, each with something that can be done. Nothing
 * is drawn while all is well.
 */
export function Attention() {
  const { data: items = [], reload } = useQuery('getAttention', { refresh: false });
  // Of each account: too much to ask the relayers after every change.
  useEffect(() => {
    const compare = () => void call('getAttention', { refresh: true }).then(reload, reload);
    compare();
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') compare();
    }, compareIntervalMs);
    return () => clearInterval(timer);
  }, [reload]);
  if (items.length === 0) return null;
  return (
    <section class="attention-list" aria-labelledby="home-attention">
      <h2 id="home-attention">{t('attentionTitle')}</h2>
      {items.map((item) => (
        <Entry key={item.id} item={item} onRepaired={reload} />
      ))}
    </section>
  );
}
