import type { AccountView, NetworkView } from '../../../messaging/views.ts';
import { t } from '../../i18n.ts';
import { AccountLine } from '../../shared/AccountLine.tsx';
import { Button } from '../../shared/Button.tsx';
import { Icon } from '../../shared/Icon.tsx';

interface DoneStepProps {
  readonly account: AccountView | null;
  readonly network: NetworkView | null;
}

export function DoneStep({ account, network }: DoneStepProps) {
  return (
    <div>
      <span class="outcome-picture outcome-good">
        <Icon name="check" />
      </span>
      <h1 tabIndex={-1}>{t('doneTitle')}</h1>
      {account !== null && (
        <div class="facts">
          <AccountLine account={account} network={network} />
        </div>
      )}
      <ol class="next">
        <li>
          <strong>{t('donePin')}</strong> <span class="soft">{t('donePinMeaning')}</span>
        </li>
        <li>
          <strong>{t('doneConnect')}</strong> <span class="soft">{t('doneConnectMeaning')}</span>
        </li>
        <li>
          <strong>{t('doneRead')}</strong> <span class="soft">{t('doneReadMeaning')}</span>
        </li>
      </ol>
      <div class="step-buttons">
        {account === null ? (
          <Button tone="primary" onClick={() => window.close()}>
            {t('doneClose')}
          </Button>
        ) : (
          <>
            <Button onClick={() => window.close()}>{t('doneClose')}</Button>
            <Button tone="primary" onClick={() => location.assign('popup.html?view=tab#/receive')}>
              {t('homeAddTokens')}
            </Button>
          </>
        )}
      </div>
    </div>
  );
}
