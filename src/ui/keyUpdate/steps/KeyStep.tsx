import { useState } from 'preact/hooks';
import type { KeyUpdateView } from '../../../messaging/views.ts';
import { call } from '../../background.ts';
import { t } from '../../i18n.ts';
import { Amount } from '../../shared/Amount.tsx';
import { Banner } from '../../shared/Banner.tsx';
import { Button } from '../../shared/Button.tsx';
import { symbolText } from '../../shared/format.ts';
import { shownAmount } from '../../shared/numbers.ts';
import { Problem } from '../../shared/Problem.tsx';
import { Skeleton } from '../../shared/Skeleton.tsx';
import { useAction } from '../../shared/useAction.ts';
import { useQuery } from '../../shared/useQuery.ts';

/** A contract cannot sign the text that a key is derived from. */
const kindsFor = ({ smart }: KeyUpdateView['account']) =>
  smart === 'contract' ? (['random'] as const) : (['derived', 'random'] as const);

interface KeyStepProps {
  readonly view: KeyUpdateView;
  readonly onBack: () => void;
  readonly onMade: (approval: string) => Promise<void>;
}

/** Asks for the kind of key, and for the token in which its registration is paid. */
export function KeyStep({ view, onBack, onMade }: KeyStepProps) {
  const { account, approval, newKey, askedFeeTokenId } = view;
  const facts = useQuery('getKeyUpdateFacts', { account: account.id });
  const kinds = kindsFor(account);
  const [kind, setKind] = useState<'derived' | 'random'>(newKey?.kind ?? kinds[0]);
  const fees = facts.data?.fees ?? [];
  const canPay = (fee: (typeof fees)[number]) => fee.balance === null || BigInt(fee.balance) >= BigInt(fee.volume);
  const [chosen, setChosen] = useState<number | null>(null);
  const inToken = (tokenId: number | null) => fees.find(({ token }) => token.tokenId === tokenId);
  const wished = inToken(askedFeeTokenId);
  const fee = inToken(chosen) ?? (wished && canPay(wished) ? wished : fees.find(canPay)) ?? fees[0];
  // A site's approval request and one that is put again keep their place; one that is over does
  // not.
  const again = approval !== null && !['done', 'closed'].includes(approval.stage) ? approval.id : null;
  const make = useAction(async () => {
    const feeTokenId = fee?.token.tokenId ?? null;
    const made = await call('startKeyUpdate', { account: account.id, approval: again, kind, feeTokenId });
    await onMade(made.id);
  });
  return (
    <div>
      <h1 tabIndex={-1}>{t('keyUpdateKeyTitle')}</h1>
      <fieldset class="choice-list">
        <legend class="visually-hidden">{t('keyUpdateKeyTitle')}</legend>
        {kinds.map((one) => (
          <label key={one} class="choice-line">
            <input type="radio" name="kind" checked={kind === one} onChange={() => setKind(one)} />
            <span>{t(`keyUpdateKind_${one}`)}</span>
            <span class="soft">{t(`keyUpdateKindMeaning_${one}`)}</span>
          </label>
        ))}
      </fieldset>
      <fieldset class="choice-list">
        <legend>{t('keyUpdateFee')}</legend>
        {facts.data === undefined && facts.error === null && <Skeleton lines={[8]} />}
        {facts.data !== undefined && fees.length === 0 && (
          <Banner tone="notice" role="alert" onRetry={facts.reload}>
            {t('moveFeeNone')}
          </Banner>
        )}
        {fees.map((one) => (
          <label key={one.token.tokenId} class="choice-line">
            <input
              type="radio"
              name="fee"
              checked={fee === one}
              onChange={() => setChosen(one.token.tokenId)}
              aria-label={`${symbolText(one.token)}: ${shownAmount(one).text}`}
            />
            <Amount volume={one.volume} token={one.token} />
            {!canPay(one) && <span class="soft">{t('keyUpdateFeeTooDear')}</span>}
          </label>
        ))}
      </fieldset>
      <Problem error={make.error} />
      <Problem error={facts.error} onRetry={facts.reload} />
      {account.smart === 'contract' && <p class="aside">{t('keyUpdateContractNote')}</p>}
      <p class="aside">{t(kind === 'derived' ? 'keyUpdateDerivedNote' : 'keyUpdateRandomNote')}</p>
      <div class="step-buttons">
        <Button tone="quiet" onClick={onBack}>
          {t('commonBack')}
        </Button>
        <Button tone="primary" icon="key" busy={make.busy} disabled={fee === undefined} onClick={make.run}>
          {t('keyUpdateMake')}
        </Button>
      </div>
    </div>
  );
}
