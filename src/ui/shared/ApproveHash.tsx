import type { HashToApprove } from '../../messaging/views.ts';
import { t } from '../i18n.ts';
import { CopyButton } from './CopyButton.tsx';
import { Row } from './Row.tsx';
import { Address } from './Shortened.tsx';
import { Time } from './Time.tsx';

/**
 * A hash that a wallet contract has to approve on layer 1: whole, because it is compared and copied
 * into another wallet; and where and until when.
 */
export function ApproveHash({ hash, owner, exchange, chainId, validUntil }: HashToApprove) {
  return (
    <>
      <p class="approve-hash">
        <span class="soft">{t('activityApproveHash')}</span>
        <span class="mono">{hash}</span>
        <CopyButton text={hash} what={t('activityApproveHash')} />
      </p>
      <dl class="rows">
        <Row label="networkExchange">
          <Address address={exchange} />
        </Row>
        <Row label="networkChain">{chainId}</Row>
        <Row label="approvalAccount">
          <Address address={owner} />
        </Row>
        <Row label="review_expires">
          <Time milliseconds={validUntil * 1000} />
        </Row>
      </dl>
    </>
  );
}
