import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import { hostPattern } from '../../../messaging/hostPattern.ts';
import { languages } from '../../../messaging/languages.ts';
import { SYMBOL_LIMIT } from '../../../messaging/symbolLimit.ts';
import type { UiParams } from '../../../messaging/uiMethods.ts';
import type { Settings } from '../../../messaging/views.ts';
import { call } from '../../background.ts';
import { t, tCount } from '../../i18n.ts';
import { platform } from '../../platform.ts';
import { Button } from '../../shared/Button.tsx';
import { Choice } from '../../shared/Choice.tsx';
import { Field } from '../../shared/Field.tsx';
import { Form } from '../../shared/Form.tsx';
import { Problem } from '../../shared/Problem.tsx';
import { Select } from '../../shared/Select.tsx';
import { Switch } from '../../shared/Switch.tsx';
import { typedUrl } from '../../shared/typedUrl.ts';
import { useAction } from '../../shared/useAction.ts';
import { useQuery } from '../../shared/useQuery.ts';
import { visibleText } from '../../shared/visibleText.ts';
import { ScreenLink } from '../MenuLink.tsx';
import { Page } from '../PageHead.tsx';
import type { ScreenProps } from '../screenProps.ts';

/** Offered lock times, in minutes. */
const lockTimes = [1, 5, 15, 30, 60, 240] as const;
const themes = { system: 'settingsThemeSystem', light: 'settingsThemeLight', dark: 'settingsThemeDark' } as const;

type Save = (change: UiParams<'setSettings'>) => Promise<void>;

function minutesText(minutes: number): string {
  return minutes % 60 === 0 ? tCount('settingsHours', minutes / 60) : tCount('settingsMinutes', minutes);
}

const request: ReturnType<typeof platform>['permissions']['request'] = (permissions) =>
  platform()
    .permissions.request(permissions)
    // A prompt that the browser cannot show is one that the user declined.
    .catch(() => false);

/** A base URL with `/` at its end, as the background takes it; `null` for what is no such URL. */
function gatewayOf(text: string): string | null {
  if (text.trim() === '') return '';
  const url = typedUrl(text);
  return url.ok ? `${url.baseUrl}/` : null;
}

function Gateway({ settings, save }: { readonly settings: Settings; readonly save: Save }) {
  const [text, setText] = useState(settings.ipfsGateway);
  const url = gatewayOf(text);
  const changed = url !== null && url !== settings.ipfsGateway;
  const store = useAction(async () => {
    if (url === null) return;
    // In the click itself: a browser asks only while the user is acting.
    // Stored beside it: a click on Firefox's prompt may close the popup.
    const host = url === '' ? null : hostPattern(url);
    const asked = host === null || request({ origins: [host] });
    await save({ ipfsGateway: url });
    if (!(await asked)) return save({ ipfsGateway: settings.ipfsGateway });
    setText(url);
  });
  return (
    <Form class="field-with-button" onSubmit={() => changed && store.run()}>
      <Field
        label={t('settingsGateway')}
        value={text}
        onInput={setText}
        inputMode="url"
        maxLength={300}
        hint={t('settingsGatewayMeaning')}
        error={url === null ? t('settingsGatewayWrong') : null}
      />
      <Button type="submit" disabled={!changed} busy={store.busy}>
        {t('commonSave')}
      </Button>
      <Problem error={store.error} />
    </Form>
  );
}

function Group({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  const id = useId();
  return (
    <section class="group" aria-labelledby={id}>
      <h2 class="group-title" id={id}>
        {t(title)}
      </h2>
      <div class="menu setting-group">{children}</div>
    </section>
  );
}

/**
 * The currency of all values: none, what the exchange has prices in, and what is chosen, even where
 * this exchange lacks it.
 */
function Currency({
  account,
  chosen,
  onChoose,
}: {
  readonly account: string | null;
  readonly chosen: string;
  readonly onChoose: (currency: string) => void;
}) {
  const { data = [] } = useQuery('getCurrencies', account === null ? null : { account });
  const offered = [...new Set([...data, chosen])].filter((currency) => currency !== '');
  return (
    <Select
      isLine
      label={t('settingsCurrency')}
      hint={t('settingsCurrencyMeaning')}
      options={[
        ['', t('settingsCurrencyNone')],
        ...offered.map((currency) => [currency, visibleText(currency, SYMBOL_LIMIT)] as const),
      ]}
      chosen={chosen}
      onChoose={onChoose}
    />
  );
}

export function SettingsScreen({ wallet, onWallet }: ScreenProps) {
  const { settings } = wallet;
  const save: Save = async (change) => onWallet(await call('setSettings', change));
  const action = useAction(save);
  const notify = useAction(async (wanted: boolean) => {
    const asked = !wanted || request({ permissions: ['notifications'] });
    await save({ notifications: wanted });
    if (!(await asked)) await save({ notifications: false });
  });
  const times = [...new Set([...lockTimes, settings.lockAfterMinutes])].toSorted((a, b) => a - b);
  return (
    <Page title={t('tabSettings')} back={['more']}>
      <Problem error={action.error ?? notify.error} />
      <Group title="settingsSafety">
        <ScreenLink to={['security']} />
        <Select
          isLine
          label={t('settingsLock')}
          options={times.map((minutes) => [String(minutes), minutesText(minutes)])}
          chosen={String(settings.lockAfterMinutes)}
          onChoose={(minutes) => action.run({ lockAfterMinutes: Number(minutes) })}
        />
        <Switch
          label={t('settingsNotifications')}
          hint={t('settingsNotificationsMeaning')}
          checked={settings.notifications}
          onChange={(wanted) => notify.run(wanted)}
        />
      </Group>
      <Group title="settingsLook">
        <Choice
          legend={t('settingsTheme')}
          hint={null}
          options={['system', 'light', 'dark']}
          text={(theme) => t(themes[theme])}
          chosen={settings.theme}
          onChoose={(theme) => action.run({ theme })}
        />
        <Switch
          label={t('settingsContrast')}
          hint={t('settingsContrastMeaning')}
          checked={settings.contrast === 'more'}
          onChange={(more) => action.run({ contrast: more ? 'more' : 'system' })}
        />
        <Select
          isLine
          label={t('settingsLanguage')}
          options={[
            ['system', t('settingsLanguageSystem')],
            ...languages.map(({ code, name }) => [code, name, code] as const),
          ]}
          chosen={settings.language}
          onChoose={(language) => action.run({ language })}
        />
        <Currency
          account={wallet.selectedAccount}
          chosen={settings.currency}
          onChoose={(currency) => action.run({ currency })}
        />
      </Group>
      <Group title="settingsPictures">
        <Gateway settings={settings} save={save} />
      </Group>
      <div class="menu">
        {(['networks', 'advanced', 'about'] as const).map((name) => (
          <ScreenLink key={name} to={[name]} />
        ))}
      </div>
    </Page>
  );
}
