import { hostPattern } from '../../../messaging/hostPattern.ts';
import type { NetworkView } from '../../../messaging/views.ts';
import { t } from '../../i18n.ts';
import { platform } from '../../platform.ts';
import { Button } from '../../shared/Button.tsx';
import { Problem } from '../../shared/Problem.tsx';
import { useAction } from '../../shared/useAction.ts';

/** Host patterns that the browser has to allow first. */
export function hostsOf(networks: readonly NetworkView[]): string[] {
  const patterns = networks.map(({ baseUrl }) => hostPattern(baseUrl));
  return [...new Set(patterns.filter((pattern) => pattern !== null))];
}

interface HostsStepProps {
  readonly networks: readonly NetworkView[];
  readonly onDone: () => void;
}

/** Asks the browser for the exchanges of a backup, because permissions belong to a browser. */
export function HostsStep({ networks, onDone }: HostsStepProps) {
  const allow = useAction(async () => {
    await platform().permissions.request({ origins: hostsOf(networks) });
    onDone();
  });
  return (
    <div>
      <h1 tabIndex={-1}>{t('restoreHosts')}</h1>
      <p class="lead">{t('restoreHostsMeaning')}</p>
      <ul class="ways-in">
        {networks.map(({ id, baseUrl }) => (
          <li key={id}>{baseUrl}</li>
        ))}
      </ul>
      <Problem error={allow.error} />
      <div class="step-buttons">
        <Button tone="quiet" onClick={onDone}>
          {t('restoreHostsLater')}
        </Button>
        <Button tone="primary" busy={allow.busy} onClick={allow.run}>
          {t('standing_allow')}
        </Button>
      </div>
    </div>
  );
}
