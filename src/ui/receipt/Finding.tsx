import type { ReceiptCheck, ReceiptFinding } from '../../messaging/views.ts';
import { t } from '../i18n.ts';
import { Banner } from '../shared/Banner.tsx';
import { Disclosure } from '../shared/Disclosure.tsx';
import { Icon, type IconName } from '../shared/Icon.tsx';
import { Phrase } from '../shared/Phrase.tsx';
import { Address, Hex } from '../shared/Shortened.tsx';
import { Site } from '../shared/Site.tsx';
import { Time } from '../shared/Time.tsx';
import { unprovenGroups } from './unprovenGroups.ts';

const icons: Readonly<Record<ReceiptCheck['outcome'], IconName>> = {
  holds: 'check',
  fails: 'cross',
  none: 'info',
  notKept: 'info',
};

/** What a person may conclude, in one sentence. */
function Verdict({ finding: { receipt, valid, signed } }: { readonly finding: ReceiptFinding }) {
  if (receipt === null)
    return (
      <Banner tone="danger" role="alert" title={t('receiptNone')}>
        {t('receiptNoneMeaning')}
      </Banner>
    );
  if (!valid)
    return (
      <Banner tone="danger" role="alert" title={t('receiptInvalid')}>
        {t('receiptInvalidMeaning')}
      </Banner>
    );
  return signed ? (
    <Banner tone="good" role="status" title={t('receiptValid')}>
      {t('receiptValidMeaning')}
    </Banner>
  ) : (
    <Banner tone="notice" role="status" title={t('receiptUnsigned')}>
      {t('receiptUnsignedMeaning')}
    </Banner>
  );
}

export function Finding({ finding }: { readonly finding: ReceiptFinding }) {
  const { receipt, checks, unproven, valid } = finding;
  return (
    <>
      <Verdict finding={finding} />
      {receipt !== null && (
        <>
          <section class="card receipt-what">
            <p class="receipt-sentence">
              <Phrase text={receipt.sentence ?? { key: `operation_${receipt.operation}` }} />
            </p>
            <dl class="receipt-facts">
              <dt>{t('receiptSigner')}</dt>
              <dd>
                <Address address={receipt.owner} />
              </dd>
              {receipt.hash !== null && (
                <>
                  <dt>{t('receiptHash')}</dt>
                  <dd>
                    <Hex hex={receipt.hash} />
                  </dd>
                </>
              )}
              <dt>{t('receiptSite')}</dt>
              <dd>
                <Site origin={receipt.origin} />
              </dd>
              <dt>{t('receiptTime')}</dt>
              <dd>
                <Time milliseconds={receipt.createdAt} />
              </dd>
            </dl>
          </section>
          <section>
            <h2>{t('receiptChecks')}</h2>
            <ul class="receipt-checks">
              {checks.map(({ name, outcome }) => (
                <li key={name} class={`receipt-check receipt-check-${outcome}`}>
                  <Icon name={icons[outcome]} />
                  <span>{t(`receiptCheck_${name}`)}</span>
                  <span class="receipt-outcome">{t(`receiptOutcome_${outcome}`)}</span>
                </li>
              ))}
            </ul>
          </section>
          {valid && (
            <section>
              <h2>{t('receiptNotProven')}</h2>
              <p class="soft">{t('receiptNotProvenMeaning')}</p>
              <ul class="receipt-unproven">
                {unprovenGroups(unproven).map((group) => (
                  <li key={group}>{t(`receiptUnproven_${group}`)}</li>
                ))}
              </ul>
              <Disclosure title={t('receiptFields')}>
                <p class="mono receipt-paths">{unproven.join(', ')}</p>
              </Disclosure>
            </section>
          )}
        </>
      )}
    </>
  );
}
