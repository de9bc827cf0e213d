import type { AccountView } from '../../../messaging/views.ts';
import { call, UiCallError } from '../../background.ts';
import { t } from '../../i18n.ts';
import { Row } from '../../shared/Row.tsx';
import { Address } from '../../shared/Shortened.tsx';
import { type Action, useAction } from '../../shared/useAction.ts';
import { visibleText } from '../../shared/visibleText.ts';
import { ScreenLink } from '../MenuLink.tsx';
import { Page } from '../PageHead.tsx';
import { PasswordForm } from '../PasswordForm.tsx';
import { RenameForm } from '../RenameForm.tsx';
import { goTo, hrefTo } from '../router.ts';
import type { ScreenProps } from '../screenProps.ts';

function Remove({ account, wallet, onWallet }: ScreenProps & { readonly account: AccountView }) {
  const remove: Action<[string]> = useAction(async (password: string) => {
    const next = await call('removeAccount', {
      account: account.id,
      password,
      ...(isUnconfirmed && { unconfirmed: true }),
    });
    onWallet(next);
    goTo('accounts');
  });
  const isUnconfirmed = remove.error instanceof UiCallError && remove.error.code === 'end-unconfirmed';
  return (
    <PasswordForm
      action={remove}
      open={t('accountRemove')}
      sure={t(isUnconfirmed ? 'accountRemoveUnconfirmed' : 'accountRemoveSure')}
    >
      <h2 class="card-title">{t('accountRemoveTitle')}</h2>
      <p>
        {wallet.accounts.length === 1 && `${t('accountRemoveLast')} `}
        {t('accountRemoveMeaning')}{' '}
        <a class="text-link" href={hrefTo('proofs', account.id)}>
          {t('attentionAction_proofs')}
        </a>
      </p>
    </PasswordForm>
  );
}

/**
 * One account: its name, what identifies it, the ways to its key and its proofs, and how to forget
 * it.
 */
export function AccountScreen(props: ScreenProps & { readonly account: AccountView }) {
  const { account, wallet, onWallet } = props;
  const network = wallet.networks.find(({ id }) => id === account.networkId);
  return (
    <Page title={<bdi>{visibleText(account.label, 60)}</bdi>} back={['accounts']}>
      <RenameForm
        label={t('nameField')}
        name={account.label}
        save={async (label) => onWallet(await call('renameAccount', { account: account.id, label }))}
      />
      <dl class="rows card">
        <Row label="contactAddress">
          <Address address={account.owner} />
        </Row>
        <Row label="accountId">{account.accountId}</Row>
        <Row label="stepNetwork">
          <a class="text-link" href={hrefTo('networks', account.networkId)}>
            <bdi>{visibleText(network?.name ?? account.networkId, 60)}</bdi>
          </a>
        </Row>
      </dl>
      <ul class="menu">
        {(['key', 'proofs', 'advanced'] as const).map((name) => (
          <li key={name}>
            <ScreenLink to={[name, account.id]} />
          </li>
        ))}
      </ul>
      <Remove {...props} />
    </Page>
  );
}
