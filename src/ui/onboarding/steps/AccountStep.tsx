import { useEffect, useState } from 'preact/hooks';
import type { AccountLookup, AccountView, DerivedKey, NetworkView } from '../../../messaging/views.ts';
import { call, UiCallError } from '../../background.ts';
import { t } from '../../i18n.ts';
import { Button } from '../../shared/Button.tsx';
import { checkAddress } from '../../shared/checkAddress.ts';
import { Disclosure } from '../../shared/Disclosure.tsx';
import { Field } from '../../shared/Field.tsx';
import { Form } from '../../shared/Form.tsx';
import { Problem } from '../../shared/Problem.tsx';
import { Row } from '../../shared/Row.tsx';
import { Address } from '../../shared/Shortened.tsx';
import { Skeleton } from '../../shared/Skeleton.tsx';
import { useAction } from '../../shared/useAction.ts';
import { visibleText } from '../../shared/visibleText.ts';
import { freeName } from '../freeName.ts';
import type { Signer } from '../progress.ts';
import { ImportKey } from './ImportKey.tsx';
import { KeyComparison } from './KeyComparison.tsx';

/**
 * The signer gives another signature each time: a key cannot be derived, but made at random, or
 * brought along.
 */
const isUnsteady = (error: unknown) => error instanceof UiCallError && error.code === 'signer-not-deterministic';

interface AccountStepProps {
  readonly network: NetworkView;
  readonly signer: Signer;
  /** All accounts in the wallet, whose names are not given again. */
  readonly accounts: readonly AccountView[];
  /** @param owner - Given when that is a smart wallet. */
  readonly onDone: (owner?: string) => void;
  readonly onOtherSigner: () => void;
  /** The key wizard is to register a key for the account. @param first - It has none yet. */
  readonly onClaimed: (account: AccountView, first: boolean) => void;
}

/**
 * Finds the account of the L1 address on the exchange, or of a smart wallet that it signs for, and
 * makes sure that its key is the one made here.
 */
export function AccountStep({ network, signer, accounts, onDone, onOtherSigner, onClaimed }: AccountStepProps) {
  const [lookup, setLookup] = useState<AccountLookup | null>(null);
  const [key, setKey] = useState<DerivedKey | null>(null);
  /** The key comes from a backup, not from the signer. */
  const [importing, setImporting] = useState(false);
  /** The smart wallet that owns the account. */
  const [owner, setOwner] = useState<string | undefined>();
  const [typed, setTyped] = useState('');
  const place = { networkId: network.id, signer: signer.signer, ...(owner && { owner }) };

  const look = useAction(async (of: string | undefined = owner) => {
    const { networkId, signer: id } = place;
    // A new object each time: the key is compared again, whatever the answer.
    setLookup({ ...(await call('findAccount', { networkId, owner: of ?? signer.address, signer: id })) });
    setOwner(of);
    setKey(null);
    derive.clear();
  });
  const derive = useAction(async () => setKey(await call('deriveKey', place)));
  useEffect(() => look.run(), []);
  const registered = lookup?.status === 'registered';
  const claim = useAction(async () =>
    onClaimed(await call('claimAccount', { ...place, label: freeName(accounts) }), !registered),
  );
  useEffect(() => {
    // A contract's account rarely has a key from the signer; one that is here asks nobody.
    if (
      registered &&
      (lookup.smart !== 'contract' ||
        accounts.some((one) => one.networkId === network.id && one.accountId === lookup.accountId))
    )
      derive.run();
  }, [lookup]);

  const unsteady = isUnsteady(derive.error);
  const exchange = visibleText(network.name, 60);
  const made = (own: DerivedKey) => {
    setKey(own);
    setImporting(false);
    derive.clear();
  };
  if (importing) return <ImportKey place={place} onDone={made} onBack={() => setImporting(false)} />;

  const smart = lookup !== null && lookup.status !== 'absent' ? lookup.smart : null;
  /** A signature hardly gives the registered key: its backup is the usual way. */
  const importFirst = unsteady || smart === 'contract';
  const importButton = (
    <Button
      tone={importFirst && key === null ? 'primary' : 'secondary'}
      // A key that is derived late would take the place of the imported one.
      disabled={look.busy || derive.busy}
      onClick={() => setImporting(true)}
    >
      {t('accountImportKey')}
    </Button>
  );
  /** Nobody who owns the account needs the key that it has. */
  const newKey = (
    <div class="actions">
      <Button small icon="key" busy={claim.busy} onClick={claim.run}>
        {t('claimTitle')}
      </Button>
      <span class="soft">{t('accountNewKeyMeaning')}</span>
    </div>
  );
  const given = checkAddress(typed);
  const smartWallet = (
    <Disclosure title={t('smartTitle')}>
      <Form class="stack" onSubmit={() => 'address' in given && !derive.busy && look.run(given.address)}>
        <Field
          label={t('smartField')}
          mono
          value={typed}
          maxLength={60}
          error={'address' in given || given.problem === 'empty' ? null : t(given.problem)}
          onInput={setTyped}
        />
        <Button type="submit" busy={look.busy} disabled={!('address' in given) || derive.busy}>
          {t('smartFind')}
        </Button>
      </Form>
    </Disclosure>
  );
  const facts = (
    <div class="facts">
      <dl class="rows">
        <Row label={owner === undefined ? 'accountOwner' : 'smartField'}>
          <Address address={owner ?? signer.address} />
        </Row>
        {lookup !== null && lookup.status !== 'absent' && <Row label="accountId">{lookup.accountId}</Row>}
      </dl>
      {smart !== null && <p class="soft">{t(smart === 'contract' ? 'smartContract' : 'smartCounterfactual')}</p>}
    </div>
  );

  if (lookup === null) {
    return (
      <div>
        <h1 tabIndex={-1}>{t('accountTitle')}</h1>
        {facts}
        {look.error === null ? <Skeleton lines={[8, 6]} /> : null}
        <Problem error={look.error} onRetry={() => look.run()} />
        {look.error !== null && (
          <div class="step-buttons">
            <Button onClick={onOtherSigner}>{t('accountOtherKey')}</Button>
          </div>
        )}
      </div>
    );
  }

  if (lookup.status === 'absent') {
    return (
      <div>
        <h1 tabIndex={-1}>{t('accountAbsent', { exchange })}</h1>
        <p class="lead">{t('accountAbsentMeaning')}</p>
        <ul class="ways-in">
          <li>{t('accountAbsentDeposit')}</li>
          <li>{t('accountAbsentTransfer')}</li>
        </ul>
        {facts}
        {smartWallet}
        <Problem error={look.error} />
        <div class="step-buttons">
          <Button tone="quiet" onClick={onOtherSigner}>
            {t('accountOtherKey')}
          </Button>
          <Button tone="primary" icon="refresh" busy={look.busy} onClick={() => look.run()}>
            {t('accountCheckAgain')}
          </Button>
        </div>
      </div>
    );
  }

  if (lookup.status === 'unregistered') {
    return (
      <div>
        <h1 tabIndex={-1}>{t('accountUnregistered')}</h1>
        <p class="lead">{t(smart === 'contract' ? 'smartContractFirst' : 'accountUnregisteredMeaning')}</p>
        {facts}
        {smart !== 'contract' && <p class="aside">{t('accountUnregisteredNote')}</p>}
        {owner === undefined && smartWallet}
        <Problem error={claim.error ?? look.error} />
        <div class="step-buttons">
          <Button onClick={onOtherSigner}>{t('accountOtherKey')}</Button>
          <Button tone="primary" icon="key" busy={claim.busy} onClick={claim.run}>
            {t(smart === 'contract' ? 'claimTitle' : 'accountActivate')}
          </Button>
        </div>
      </div>
    );
  }

  return (
    <div>
      <h1 tabIndex={-1}>{key === null ? t('accountRegistered') : t(key.matches ? 'keyMatches' : 'keyDiffers')}</h1>
      <p class="lead">
        {key === null
          ? t(smart === 'contract' ? 'smartContractKey' : unsteady ? 'accountUnsteady' : 'accountRegisteredMeaning')
          : t(key.matches ? 'keyMatchesMeaning' : 'keyDiffersMeaning')}
      </p>
      {facts}
      {key === null && derive.error === null && smart !== 'contract' && <Skeleton lines={[10, 10]} />}
      {key !== null && (
        <>
          {key.matches ? (
            <Disclosure title={t('keyCheckedTitle')}>
              <KeyComparison of={key} />
            </Disclosure>
          ) : (
            <KeyComparison of={key} />
          )}
          {key.keySeed !== '' && (
            <Disclosure title={t('keySeedTitle')}>
              <p class="soft">{t('keySeedMeaning')}</p>
              <p class="mono wire-text">{visibleText(key.keySeed, 400)}</p>
            </Disclosure>
          )}
        </>
      )}
      {(key === null ? importFirst : !key.matches) && newKey}
      {owner === undefined && !key?.matches && smartWallet}
      <Problem error={derive.error ?? claim.error ?? look.error} />
      <div class="step-buttons">
        {key === null && (derive.error !== null || smart === 'contract') && (
          <>
            <Button tone="quiet" onClick={onOtherSigner}>
              {t('accountOtherKey')}
            </Button>
            <Button tone={importFirst ? 'secondary' : 'primary'} icon="refresh" busy={derive.busy} onClick={derive.run}>
              {t(derive.error === null ? 'keyUpdateKind_derived' : 'commonTryAgain')}
            </Button>
            {importButton}
          </>
        )}
        {key !== null && !key.matches && (
          <>
            {importButton}
            <Button onClick={() => look.run()} busy={look.busy} icon="refresh">
              {t('accountCheckAgain')}
            </Button>
            <Button tone="primary" onClick={onOtherSigner}>
              {t('accountOtherKey')}
            </Button>
          </>
        )}
        {key?.matches === true && (
          <Button tone="primary" onClick={() => onDone(owner)}>
            {t('commonContinue')}
          </Button>
        )}
      </div>
    </div>
  );
}
