import { useId } from 'preact/hooks';
import type { UiParams } from '../../../messaging/uiMethods.ts';
import { call } from '../../background.ts';
import { languages, t, tCount } from '../../i18n.ts';
import { Button } from '../../shared/Button.tsx';
import { Problem } from '../../shared/Problem.tsx';
import { Hex } from '../../shared/Shortened.tsx';
import { useAction } from '../../shared/useAction.ts';
import { visibleText } from '../../shared/visibleText.ts';
import { openOnboarding } from '../openPages.ts';
import type { ScreenProps } from '../screens.ts';

/** Offered lock times, in minutes. */
const lockTimes = [1, 5, 15, 30, 60, 240] as const;
const themes = [
  { theme: 'system', label: 'settingsThemeSystem' },
  { theme: 'light', label: 'settingsThemeLight' },
  { theme: 'dark', label: 'settingsThemeDark' },
] as const;

function minutesText(minutes: number): string {
  return minutes % 60 === 0 ? tCount('settingsHours', minutes / 60) : tCount('settingsMinutes', minutes);
}

export function SettingsScreen({ wallet, onWallet }: ScreenProps) {
  const id = useId();
  const { settings } = wallet;
  const save = useAction(async (change: UiParams<'setSettings'>) => onWallet(await call('setSettings', change)));
  const times = [...new Set([...lockTimes, settings.lockAfterMinutes])].toSorted((a, b) => a - b);
  return (
    <main class="tab settings">
      <h1 tabIndex={-1}>{t('settingsTitle')}</h1>
      <Problem error={save.error} />
      <div class="setting">
        <label for={`${id}-lock`}>{t('settingsLock')}</label>
        <select
          id={`${id}-lock`}
          value={String(settings.lockAfterMinutes)}
          onChange={(event) => save.run({ lockAfterMinutes: Number(event.currentTarget.value) })}
        >
          {times.map((minutes) => (
            <option key={minutes} value={String(minutes)}>
              {minutesText(minutes)}
            </option>
          ))}
        </select>
      </div>
      <fieldset class="setting">
        <legend>{t('settingsTheme')}</legend>
        <div class="segments">
          {themes.map(({ theme, label }) => (
            <label key={theme} class="segment">
              <input
                type="radio"
                name={`${id}-theme`}
                checked={settings.theme === theme}
                onChange={() => save.run({ theme })}
              />
              <span>{t(label)}</span>
            </label>
          ))}
        </div>
      </fieldset>
      <div class="setting">
        <label for={`${id}-language`}>{t('settingsLanguage')}</label>
        <select
          id={`${id}-language`}
          value={settings.language}
          onChange={(event) => save.run({ language: event.currentTarget.value })}
        >
          <option value="system">{t('settingsLanguageSystem')}</option>
          {languages.map(({ code, name }) => (
            <option key={code} value={code} lang={code}>
              {name}
            </option>
          ))}
        </select>
      </div>
      <section class="setting" aria-labelledby={`${id}-networks`}>
        <h2 id={`${id}-networks`}>{t('settingsNetworks')}</h2>
        <ul class="networks">
          {wallet.networks.map((network) => (
            <li key={network.id}>
              <bdi class="network-name">{visibleText(network.name, 60)}</bdi>
              <bdi class="soft">{visibleText(network.baseUrl, 120)}</bdi>
              <span class="soft">{t('settingsChain', { chain: network.chainId })}</span>
              <Hex hex={network.exchangeAddress} />
            </li>
          ))}
        </ul>
      </section>
      <Button icon="plus" wide onClick={() => void openOnboarding()}>
        {t('settingsAddAccount')}
      </Button>
    </main>
  );
}
