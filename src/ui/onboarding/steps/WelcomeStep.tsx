import { t } from '../../i18n.ts';
import { Button } from '../../shared/Button.tsx';
import { Icon } from '../../shared/Icon.tsx';

const points = [
  { icon: 'eye', title: 'welcomeRead', meaning: 'welcomeReadMeaning' },
  { icon: 'lock', title: 'welcomeKeys', meaning: 'welcomeKeysMeaning' },
  { icon: 'clock', title: 'welcomeFollow', meaning: 'welcomeFollowMeaning' },
] as const;

interface WelcomeStepProps {
  readonly onDone: () => void;
  readonly onRestore: () => void;
}

export function WelcomeStep({ onDone, onRestore }: WelcomeStepProps) {
  return (
    <div>
      <h1 tabIndex={-1}>{t('welcomeTitle')}</h1>
      <p class="lead">{t('welcomeMeaning')}</p>
      <ul class="points">
        {points.map(({ icon, title, meaning }) => (
          <li key={title}>
            <Icon name={icon} />
            <span>
              <strong>{t(title)}</strong>
              <span class="soft">{t(meaning)}</span>
            </span>
          </li>
        ))}
      </ul>
      <div class="step-buttons">
        <Button tone="quiet" onClick={onRestore}>
          {t('welcomeRestore')}
        </Button>
        <Button tone="primary" onClick={onDone}>
          {t('welcomeButton')}
        </Button>
      </div>
    </div>
  );
}
