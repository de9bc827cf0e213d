import type { AccountView } from '../../../messaging/views.ts';
import { call } from '../../background.ts';
import { t } from '../../i18n.ts';
import { AccountLine } from '../../shared/AccountLine.tsx';
import { Button } from '../../shared/Button.tsx';
import { Icon } from '../../shared/Icon.tsx';
import { Problem } from '../../shared/Problem.tsx';
import { useAction } from '../../shared/useAction.ts';
import { visibleText } from '../../shared/visibleText.ts';
import { openOnboarding } from '../openPages.ts';
import { Page } from '../PageHead.tsx';
import { goTo, hrefTo } from '../router.ts';
import type { ScreenProps } from '../screenProps.ts';
import { AccountScreen } from './AccountScreen.tsx';
import { UnusedKeys } from './UnusedKeys.tsx';

/**
 * The account switcher: accounts by exchange; choosing one shows it, the arrow beside it leads to
 * its settings.
 */
export function AccountsScreen(props: ScreenProps) {
  const { wallet, onWallet, rest } = props;
  const select = useAction(async (account: AccountView) => {
    onWallet(await call('selectAccount', { account: account.id }));
    goTo('home');
  });
  const asked = wallet.accounts.find(({ id }) => id === rest[0]);
  if (asked !== undefined) return <AccountScreen {...props} account={asked} />;
  return (
    <Page title={t('accountsTitle')} back={['more']}>
      <Problem error={select.error} />
      {[...new Set(wallet.accounts.map(({ networkId }) => networkId))].map((id) => {
        const name = visibleText(wallet.networks.find((network) => network.id === id)?.name ?? id, 60);
        return (
          <section key={id} class="group" aria-label={name}>
            <h2 class="group-title">
              <bdi>{name}</bdi>
            </h2>
            <ul class="menu">
              {wallet.accounts
                .filter(({ networkId }) => networkId === id)
                .map((account) => (
                  <li key={account.id} class="account-row">
                    <button
                      type="button"
                      class="menu-item"
                      aria-current={account.id === wallet.selectedAccount ? 'true' : undefined}
                      onClick={() => select.run(account)}
                    >
                      <span class="menu-text">
                        <AccountLine account={account} network={null} />
                      </span>
                      {account.id === wallet.selectedAccount && <Icon name="check" />}
                    </button>
                    <a
                      class="icon-button"
                      href={hrefTo('accounts', account.id)}
                      aria-label={t('accountOpen', { name: account.label })}
                      title={t('accountOpen', { name: account.label })}
                    >
                      <Icon name="settings" />
                    </a>
                  </li>
                ))}
            </ul>
          </section>
        );
      })}
      <UnusedKeys />
      <Button icon="plus" wide onClick={() => void openOnboarding()}>
        {t('settingsAddAccount')}
      </Button>
    </Page>
  );
}
