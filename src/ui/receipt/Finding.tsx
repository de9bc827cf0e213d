import { type ComponentChildren, Fragment } from 'preact';
import type { ReceiptCheck, ReceiptFinding } from '../../messaging/views.ts';
import { t } from '../i18n.ts';
import { Banner } from '../shared/Banner.tsx';
import { Disclosure } from '../shared/Disclosure.tsx';
import { Icon, type IconName } from '../shared/Icon.tsx';
import { Phrase } from '../shared/Phrase.tsx';
import { Address, Hex } from '../shared/Shortened.tsx';
import { Site } from '../shared/Site.tsx';
import { Time } from '../shared/Time.tsx';
import { visibleText } from '../shared/visibleText.ts';
import { blockReason } from './blockReason.ts';
import { unprovenGroups } from './unprovenGroups.ts';

const icons: Readonly<Record<ReceiptCheck['outcome'], IconName>> = {
  holds: 'check',
  fails: 'cross',
  none: 'info',
  notKept: 'info',
};

/** Shows the conclusion that a user may draw, in one sentence. */
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

const Fact = ({ label, children }: { readonly label: string; readonly children: ComponentChildren }) => (
  <>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </>
);

export function Finding({ finding }: { readonly finding: ReceiptFinding }) {
  const { receipt, checks, unproven, valid, signed } = finding;
  const isProven = valid && signed;
  const proves = (path: string) => isProven && !unproven.includes(path);
  const owner = receipt !== null && (
    <Fact label={t('approvalAccount')}>
      <Address address={receipt.owner} />
    </Fact>
  );
  return (
    <>
      <Verdict finding={finding} />
      {receipt !== null && (
        <>
          {isProven && (
            <section class="receipt-what" data-testid="receipt-proven">
              <p class="receipt-sentence">{t(`operation_${receipt.signedAs}`)}</p>
              {receipt.covered.length > 0 && (
                <>
                  <p class="soft">{t('receiptCovered')}</p>
                  <dl class="wire">
                    {receipt.covered.map(({ path, value }) => (
                      <div key={path}>
                        <dt>{visibleText(path, 80)}</dt>
                        <dd>
                          <span class="mono">{visibleText(value, 300)}</span>
                        </dd>
                      </div>
                    ))}
                  </dl>
                </>
              )}
              <dl class="receipt-facts">
                {proves('account.owner') && owner}
                {proves('account.publicKey') && (
                  <>
                    <Fact label={t('keyPublicX')}>
                      <Hex hex={receipt.publicKey.x} />
                    </Fact>
                    <Fact label={t('keyPublicY')}>
                      <Hex hex={receipt.publicKey.y} />
                    </Fact>
                  </>
                )}
                {receipt.hash !== null && (
                  <Fact label={t('activityHash')}>
                    <Hex hex={receipt.hash} />
                  </Fact>
                )}
              </dl>
            </section>
          )}
          <section class="receipt-what" data-testid="receipt-claimed">
            <h2>{t('receiptClaimed')}</h2>
            <p class="soft">{t('receiptClaimedMeaning')}</p>
            {!proves('operation') && (
              <p>
                <strong>{t(`operation_${receipt.operation}`)}</strong>
              </p>
            )}
            {receipt.sentence !== null && (
              <p>
                <Phrase text={receipt.sentence} />
              </p>
            )}
            <dl class="receipt-facts">
              {!proves('account.owner') && owner}
              <Fact label={t('receiptSite')}>
                <Site origin={receipt.origin} />
              </Fact>
              <Fact label={t('receiptStatus')}>{visibleText(receipt.status, 40)}</Fact>
              <Fact label={t('historyTime')}>
                <Time milliseconds={receipt.createdAt} />
              </Fact>
              {receipt.blocks.map(({ blockId, root, publicDataHash }) => (
                <Fragment key={blockId}>
                  <Fact label={t('receiptBlockHash', { block: String(blockId) })}>
                    <Hex hex={publicDataHash} />
                  </Fact>
                  <Fact label={t('receiptBlockState', { block: String(blockId) })}>
                    <Hex hex={root} />
                  </Fact>
                </Fragment>
              ))}
            </dl>
          </section>
          <section>
            <h2>{t('receiptChecks')}</h2>
            <ul class="receipt-checks">
              {checks.map(({ name, outcome, reason }) => (
                <li key={name} class={`receipt-check receipt-check-${outcome}`}>
                  <Icon name={icons[outcome]} />
                  <span>
                    {t(`receiptCheck_${name}`)}
                    {reason !== undefined && <span class="soft">. {blockReason(reason)}</span>}
                  </span>
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
