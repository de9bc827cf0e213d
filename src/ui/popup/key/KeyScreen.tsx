import { t } from '../../i18n.ts';
import { Button } from '../../shared/Button.tsx';
import { Icon } from '../../shared/Icon.tsx';
import { localDecimal } from '../../shared/numbers.ts';
import { Problem } from '../../shared/Problem.tsx';
import { HexRow } from '../../shared/Row.tsx';
import { Skeleton } from '../../shared/Skeleton.tsx';
import { Time } from '../../shared/Time.tsx';
import { useQuery } from '../../shared/useQuery.ts';
import { visibleText } from '../../shared/visibleText.ts';
import { Gone } from '../Gone.tsx';
import { openKeyUpdate } from '../openPages.ts';
import { Page } from '../PageHead.tsx';
import type { ScreenProps } from '../screenProps.ts';

/**
 * Age, origin and use of an account key; the selected account's unless the address names another.
 */
export function KeyScreen({ wallet, rest }: ScreenProps) {
  const account = wallet.accounts.find(({ id }) => id === (rest[0] ?? wallet.selectedAccount));
  const info = useQuery('getKeyInfo', account === undefined ? null : { account: account.id });
  if (account === undefined) return <Gone />;
  return (
    <Page title={t('keyTitle')} back={['accounts', account.id]}>
      <p class="soft">
        <bdi>{visibleText(account.label, 60)}</bdi> · {t('keyMeaning')}
      </p>
      <Problem error={info.error} />
      {info.data === undefined ? (
        <Skeleton lines={[10, 8, 10, 8]} />
      ) : (
        <>
          <div class="facts-pair card">
            <div>
              <span class="soft">{t('keySignatures')}</span>
              <strong class="fact-number">{localDecimal(String(info.data.signatures))}</strong>
            </div>
            <div>
              <span class="soft">{t('keySince')}</span>
              {info.data.since === null ? <span>{t('keySinceUnknown')}</span> : <Time milliseconds={info.data.since} />}
            </div>
          </div>
          <section class="card">
            <h2 class="card-title card-icon-title">
              <Icon name="key" />
              {t(`keyKind_${info.data.kind}`)}
            </h2>
            <p class="soft">{t(`keyMeaning_${info.data.kind}`)}</p>
          </section>
          <section class="card">
            <p class="soft">{t('keyReplaceMeaning')}</p>
            <Button icon="key" onClick={() => void openKeyUpdate(account.id)}>
              {t('attentionAction_replacekey')}
            </Button>
          </section>
          <dl class="rows card">
            <HexRow label="keyPublicX" hex={info.data.publicKey.x} />
            <HexRow label="keyPublicY" hex={info.data.publicKey.y} />
          </dl>
        </>
      )}
    </Page>
  );
}
