import { useRef, useState } from 'preact/hooks';
import { EXTENSION_ID } from '../../../messaging/limits.ts';
import { call } from '../../background.ts';
import { t } from '../../i18n.ts';
import { Banner } from '../../shared/Banner.tsx';
import { Field } from '../../shared/Field.tsx';
import { Address } from '../../shared/Shortened.tsx';
import { useAction } from '../../shared/useAction.ts';
import type { Signer } from '../progress.ts';
import { Choices } from './Choices.tsx';
import { StepForm } from './StepForm.tsx';

/** MetaMask from Chrome's store. An unpacked build, and other stores, have other ids. */
const METAMASK = 'nkbihfbeogaeaoehlefnkodbefgpgknn';

interface ConnectExtensionProps {
  /** No id is asked for. */
  readonly isMetaMask: boolean;
  readonly onDone: (signer: Signer) => void;
  readonly onBack: () => void;
}

/** Lets a wallet in another extension be the signer. */
export function ConnectExtension({ isMetaMask, onDone, onBack }: ConnectExtensionProps) {
  const [extensionId, setExtensionId] = useState(isMetaMask ? METAMASK : '');
  const [addresses, setAddresses] = useState<readonly string[] | null>(null);
  const [chosen, setChosen] = useState<string | null>(null);
  const isConnected = addresses !== null && addresses.length > 0;
  const wellFormed = EXTENSION_ID.test(extensionId.trim());
  const typed = useRef(extensionId);
  typed.current = extensionId;
  const connect = useAction(async () => {
    const answer = await call('connectExtension', { extensionId: extensionId.trim() });
    // These are not the addresses of the extension that stands there now.
    if (typed.current !== extensionId) return;
    setAddresses(answer.addresses);
    setChosen(answer.addresses[0] ?? null);
  });
  const add = useAction(async (address: string) => {
    onDone(await call('addExternalSigner', { extensionId: extensionId.trim(), address }));
  });
  return (
    <StepForm
      title={isMetaMask ? 'signerMetaMask' : 'extensionTitle'}
      meaning="extensionMeaning"
      button={isConnected ? 'extensionUse' : 'approvalConnect'}
      ready={isConnected ? chosen !== null : wellFormed}
      run={() => (isConnected && chosen !== null ? add.run(chosen) : connect.run())}
      busy={isConnected ? add.busy : connect.busy}
      error={connect.error ?? add.error}
      onBack={onBack}
    >
      {!isMetaMask && (
        <Field
          label={t('extensionId')}
          mono
          value={extensionId}
          maxLength={100}
          hint={t('extensionIdHint')}
          onInput={(value) => {
            setExtensionId(value);
            setAddresses(null);
            connect.clear();
            add.clear();
          }}
        />
      )}
      {connect.busy && (
        <Banner tone="neutral" role="status">
          {t('extensionWaiting')}
        </Banner>
      )}
      {addresses !== null && addresses.length === 0 && (
        <Banner tone="notice" role="alert">
          {t('extensionNone')}
        </Banner>
      )}
      {isConnected && (
        <Choices
          legend={t('extensionChoose')}
          choices={addresses.map((address) => ({ value: address, title: <Address address={address} /> }))}
          chosen={chosen}
          onChoose={setChosen}
        />
      )}
    </StepForm>
  );
}
