import { useState } from 'preact/hooks';
import type { AccountView, NetworkView } from '../../../messaging/views.ts';
import { call } from '../../background.ts';
import { t } from '../../i18n.ts';
import { Field } from '../../shared/Field.tsx';
import { Identicon } from '../../shared/Identicon.tsx';
import { useAction } from '../../shared/useAction.ts';
import { freeName } from '../freeName.ts';
import type { Signer } from '../progress.ts';
import { StepForm } from './StepForm.tsx';

interface NameStepProps {
  readonly network: NetworkView;
  readonly signer: Signer;
  /** The account, when it is in the wallet already: its new key was registered for it. */
  readonly account: AccountView | null;
  /** All accounts in the wallet, whose names are not suggested again. */
  readonly accounts: readonly AccountView[];
  /** Leads to the account, where another key can be chosen when this one was removed. */
  readonly onBack: () => void;
  readonly onDone: (account: AccountView) => void;
}

export function NameStep({ network, signer, account, accounts, onBack, onDone }: NameStepProps) {
  const [label, setLabel] = useState(() => freeName(accounts.filter(({ id }) => id !== account?.id)));
  const add = useAction(async () => {
    const name = label.trim();
    if (account !== null) {
      await call('renameAccount', { account: account.id, label: name });
      return onDone({ ...account, label: name });
    }
    const { signer: id, owner } = signer;
    onDone(await call('addAccount', { networkId: network.id, signer: id, ...(owner && { owner }), label: name }));
  });
  return (
    <StepForm
      title="nameTitle"
      meaning="nameMeaning"
      button="nameButton"
      ready={label.trim() !== ''}
      {...add}
      {...(account === null && { onBack })}
    >
      <div class="name-field">
        <Identicon address={account?.owner ?? signer.owner ?? signer.address} />
        <Field label={t('nameField')} value={label} maxLength={60} focusFirst onInput={setLabel} />
      </div>
    </StepForm>
  );
}
