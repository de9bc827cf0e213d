import { useEffect, useState } from 'preact/hooks';
import type { AccountLookup, DerivedKey, NetworkView } from '../../../messaging/views.ts';
import { call } from '../../background.ts';
import { t } from '../../i18n.ts';
import { Amount } from '../../shared/Amount.tsx';
import { Banner } from '../../shared/Banner.tsx';
import { Button } from '../../shared/Button.tsx';
import { Disclosure } from '../../shared/Disclosure.tsx';
import { Problem } from '../../shared/Problem.tsx';
import { Address } from '../../shared/Shortened.tsx';
import { Skeleton } from '../../shared/Skeleton.tsx';
import { useAction } from '../../shared/useAction.ts';
import { visibleText } from '../../shared/visibleText.ts';
import type { Signer } from '../progress.ts';
import { ImportKey } from './ImportKey.tsx';
import { KeyComparison } from './KeyComparison.tsx';
import { RandomKey } from './RandomKey.tsx';

type Fee = Extract<AccountLookup, { status: 'unregistered' }>['activationFee'];

interface AccountStepProps {
  readonly network: NetworkView;
  readonly signer: Signer;
  readonly onDone: () => void;
  readonly onOtherSigner: () => void;
}

/** Finds the account of the L1 address on the exchange, and makes sure that its key is the one made here. */
export function AccountStep({ network, signer, onDone, onOtherSigner }: AccountStepProps) {
  const [lookup, setLookup] = useState<AccountLookup | null>(null);
  const [key, setKey] = useState<DerivedKey | null>(null);
  /** Where the key comes from, when not from the signer. */
  const [making, setMaking] = useState<'random' | 'import' | null>(null);
  const place = { networkId: network.id, signer: signer.signer };

  const look = useAction(async () => {
    setLookup(await call('findAccount', { networkId: network.id, owner: signer.address }));
    setKey(null);
  });
  const derive = useAction(async () => setKey(await call('deriveKey', place)));
  const activate = useAction(async (fee: Fee) => {
    const maxFee = { tokenId: fee.token.tokenId, volume: fee.volume };
    setLookup(await call('activateAccount', { ...place, maxFee }));
  });
  useEffect(look.run, []);
  const registered = lookup?.status === 'registered';
  useEffect(() => {
    // A random key that was registered just now is at hand; nobody has to sign again.
    if (registered && key?.kind === 'random') setKey({ ...key, registered: lookup.publicKey, matches: true });
    else if (registered) derive.run();
  }, [registered]);

  const exchange = visibleText(network.name, 60);
  const made = (own: DerivedKey) => {
    setKey(own);
    setMaking(null);
    derive.clear();
  };
  if (making === 'random') return <RandomKey place={place} onDone={made} onBack={() => setMaking(null)} />;
  if (making === 'import') return <ImportKey place={place} onDone={made} onBack={() => setMaking(null)} />;
  const importButton = <Button onClick={() => setMaking('import')}>{t('accountImportKey')}</Button>;

  const owner = (
    <div class="facts">
      <dl class="rows">
        <div class="row">
          <dt>{t('accountOwner')}</dt>
          <dd>
            <Address address={signer.address} />
          </dd>
        </div>
        {lookup !== null && lookup.status !== 'absent' && (
          <div class="row">
            <dt>{t('accountId')}</dt>
            <dd>{lookup.accountId}</dd>
          </div>
        )}
        {lookup?.status === 'unregistered' && (
          <div class="row">
            <dt>{t('accountFee')}</dt>
            <dd>
              <Amount volume={lookup.activationFee.volume} token={lookup.activationFee.token} />
              <span class="row-note">{t('accountFeeNote')}</span>
            </dd>
          </div>
        )}
      </dl>
    </div>
  );

  if (lookup === null) {
    return (
      <div>
        <h1 tabIndex={-1}>{t('accountTitle')}</h1>
        {owner}
        {look.error === null ? <Skeleton lines={[8, 6]} /> : null}
        <Problem
          error={look.error}
          action={
            <Button small icon="refresh" onClick={look.run}>
              {t('commonTryAgain')}
            </Button>
          }
        />
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
        {owner}
        <Problem error={look.error} />
        <div class="step-buttons">
          <Button tone="quiet" onClick={onOtherSigner}>
            {t('accountOtherKey')}
          </Button>
          <Button tone="primary" icon="refresh" busy={look.busy} onClick={look.run}>
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
        <p class="lead">{t('accountUnregisteredMeaning')}</p>
        {owner}
        <p class="aside">{t('accountUnregisteredNote')}</p>
        {key?.kind === 'random' ? (
          <Banner tone="good">{t('accountRandomReady')}</Banner>
        ) : (
          <div class="actions">
            <Button small onClick={() => setMaking('random')}>
              {t('accountRandomKey')}
            </Button>
            <span class="soft">{t('accountRandomMeaning')}</span>
          </div>
        )}
        {activate.busy && (
          <Banner tone="neutral" role="status">
            {t('accountActivating')}
          </Banner>
        )}
        <Problem error={activate.error} />
        <div class="step-buttons">
          {activate.error !== null && (
            <Button icon="refresh" busy={look.busy} onClick={look.run}>
              {t('accountCheckAgain')}
            </Button>
          )}
          <Button tone="primary" icon="key" busy={activate.busy} onClick={() => activate.run(lookup.activationFee)}>
            {t('accountActivate')}
          </Button>
        </div>
      </div>
    );
  }

  return (
    <div>
      <h1 tabIndex={-1}>{key === null ? t('accountRegistered') : t(key.matches ? 'keyMatches' : 'keyDiffers')}</h1>
      <p class="lead">
        {key === null ? t('accountRegisteredMeaning') : t(key.matches ? 'keyMatchesMeaning' : 'keyDiffersMeaning')}
      </p>
      {owner}
      {key === null && derive.error === null && <Skeleton lines={[10, 10]} />}
      {key !== null && (
        <>
          <KeyComparison derived={key.derived} registered={key.registered} matches={key.matches} />
          <Disclosure title={t('keySeedTitle')}>
            <p class="soft">{t('keySeedMeaning')}</p>
            <p class="mono wire-text">{visibleText(key.keySeed, 400)}</p>
          </Disclosure>
        </>
      )}
      <Problem error={derive.error ?? look.error} />
      <div class="step-buttons">
        {key === null && derive.error !== null && importButton}
        {key === null && derive.error !== null && (
          <Button tone="primary" icon="refresh" onClick={derive.run}>
            {t('commonTryAgain')}
          </Button>
        )}
        {key !== null && !key.matches && (
          <>
            {importButton}
            <Button onClick={look.run} busy={look.busy} icon="refresh">
              {t('accountCheckAgain')}
            </Button>
            <Button tone="primary" onClick={onOtherSigner}>
              {t('accountOtherKey')}
            </Button>
          </>
        )}
        {key?.matches === true && (
          <Button tone="primary" onClick={onDone}>
            {t('commonContinue')}
          </Button>
        )}
      </div>
    </div>
  );
}
