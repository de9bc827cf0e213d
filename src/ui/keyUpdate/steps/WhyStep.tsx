import { useState } from 'preact/hooks';
import type { KeyUpdateView } from '../../../messaging/views.ts';
import { t, tCount } from '../../i18n.ts';
import { Banner } from '../../shared/Banner.tsx';
import { Button } from '../../shared/Button.tsx';
import { Problem } from '../../shared/Problem.tsx';
import { Row } from '../../shared/Row.tsx';
import { Hex } from '../../shared/Shortened.tsx';
import { Skeleton } from '../../shared/Skeleton.tsx';
import { Time } from '../../shared/Time.tsx';
import { useQuery } from '../../shared/useQuery.ts';

const reasons = ['age', 'leak', 'oldClient', 'mismatch'] as const;

interface WhyStepProps {
  readonly view: KeyUpdateView;
  readonly onDone: () => void;
  readonly onCancel: () => void;
}

/**
 * Shows the state of the key and what ends with it, so that the user can decide whether to replace
 * it. The reason is for the user; it goes nowhere.
 */
export function WhyStep({ view, onDone, onCancel }: WhyStepProps) {
  const { key, inUse } = view;
  const hasKey = BigInt(key.publicKey.x) !== 0n;
  const facts = useQuery('getKeyUpdateFacts', { account: key.account });
  const [reason, setReason] = useState<(typeof reasons)[number] | null>(null);
  const ends = facts.data;
  return (
    <div>
      <h1 tabIndex={-1}>{t(inUse ? 'keyUpdateTitle' : 'claimTitle')}</h1>
      <p class="lead">{t(inUse ? 'keyUpdateMeaning' : hasKey ? 'claimMeaning' : 'claimFirstMeaning')}</p>
      <div class="facts">
        <dl class="rows">
          <Row label="keyInUse">
            {hasKey ? <Hex hex={key.publicKey.x} /> : t('keyNone')}
            {inUse && <span class="row-note">{t(`keyKind_${key.kind}`)}</span>}
          </Row>
          {inUse && (
            <>
              <Row label="keySince">{key.since === null ? t('keyAgeUnknown') : <Time milliseconds={key.since} />}</Row>
              <Row label="keyUpdateUsed">{tCount('keySignatureCount', key.signatures)}</Row>
            </>
          )}
        </dl>
      </div>
      {inUse && ends?.keyIsRegistered === false && (
        <Banner tone="danger" title={t('attentionKind_keymismatch')}>
          {t('keyNotRegisteredMeaning')}
        </Banner>
      )}
      {inUse && (
        <fieldset class="choice-list">
          <legend>{t('keyUpdateWhy')}</legend>
          {reasons.map((one) => (
            <label key={one} class="choice-line">
              <input type="radio" name="reason" checked={reason === one} onChange={() => setReason(one)} />
              <span>{t(`keyUpdateReason_${one}`)}</span>
              {reason === one && <span class="soft">{t(`keyUpdateAdvice_${one}`)}</span>}
            </label>
          ))}
        </fieldset>
      )}
      <section>
        {hasKey && <h2>{t('keyUpdateEnds')}</h2>}
        {ends === undefined
          ? facts.error === null && <Skeleton lines={[7, 7, 5]} />
          : hasKey && (
              <ul class="endings">
                {ends.openOrders !== 0 && (
                  <li>{ends.openOrders === null ? t('endsOrdersUnknown') : tCount('endsOrders', ends.openOrders)}</li>
                )}
                {!inUse && <li>{t('endsElsewhere')}</li>}
                {inUse && ends.standingApprovals > 0 && <li>{tCount('endsStanding', ends.standingApprovals)}</li>}
                <li>{t(ends.hasApiKey ? 'endsApiKey' : 'endsNoApiKey')}</li>
              </ul>
            )}
        <Problem error={facts.error} onRetry={facts.reload} />
        {hasKey && <p class="soft">{t('keyUpdateStays')}</p>}
      </section>
      <div class="step-buttons">
        <Button tone="quiet" onClick={onCancel}>
          {t('commonCancel')}
        </Button>
        <Button tone="primary" disabled={ends === undefined} onClick={onDone}>
          {t('commonContinue')}
        </Button>
      </div>
    </div>
  );
}
