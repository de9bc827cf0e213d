import type { SignerView } from '../../../messaging/views.ts';
import { call } from '../../background.ts';
import { t } from '../../i18n.ts';
import { Address } from '../../shared/Shortened.tsx';
import { type Action, useAction } from '../../shared/useAction.ts';
import { useQuery } from '../../shared/useQuery.ts';
import { PasswordForm } from '../PasswordForm.tsx';

function UnusedKey({ signer, onRemoved }: { signer: SignerView; onRemoved: (rest: readonly SignerView[]) => void }) {
  const remove: Action<[string]> = useAction(async (password: string) =>
    onRemoved(await call('removeSigner', { signer: signer.id, password })),
  );
  return (
    <li class="card">
      <Address address={signer.address} />
      <PasswordForm action={remove} open={t('accountRemove')} sure={t('accountRemoveSure')}>
        <h3 class="card-title">{t('signersRemoveTitle')}</h3>
        <p>{t(signer.kind === 'external' ? 'signersRemoveExternal' : 'signersRemoveMeaning')}</p>
      </PasswordForm>
    </li>
  );
}

/** The Ethereum keys that no account needs, such as those of removed accounts; each can go. */
export function UnusedKeys() {
  const signers = useQuery('listSigners', {});
  const unused = (signers.data ?? []).filter(({ accounts }) => accounts.length === 0);
  if (unused.length === 0) return null;
  return (
    <section class="group" aria-label={t('signersUnused')}>
      <h2 class="group-title">{t('signersUnused')}</h2>
      <ul class="group">
        {unused.map((signer) => (
          <UnusedKey key={signer.id} signer={signer} onRemoved={signers.set} />
        ))}
      </ul>
    </section>
  );
}
