import { useState } from 'preact/hooks';
import type { HistoryEvent, SubmissionStatus } from '../../../messaging/views.ts';
import { t } from '../../i18n.ts';
import { Amount } from '../../shared/Amount.tsx';
import { symbolLimit } from '../../shared/format.ts';
import { Icon } from '../../shared/Icon.tsx';
import { localDecimal, shownAmount } from '../../shared/numbers.ts';
import { Phrase } from '../../shared/Phrase.tsx';
import { Hex } from '../../shared/Shortened.tsx';
import { statusTexts } from '../../shared/status.ts';
import { Ago, Time } from '../../shared/Time.tsx';
import { ValueView } from '../../shared/ValueView.tsx';
import { visibleText } from '../../shared/visibleText.ts';
import { isIncoming } from './activityLine.ts';

interface HistoryEntryProps {
  readonly event: HistoryEvent;
  readonly status: SubmissionStatus;
}

/** Something that happened to the account, with the amount that came or left. */
export function HistoryEntry({ event, status }: HistoryEntryProps) {
  const [open, setOpen] = useState(false);
  const { token, volume } = event.amount;
  const amount =
    token === null
      ? `${localDecimal(volume)} NFT`
      : `${shownAmount({ volume, token, least: true }).text} ${visibleText(token.symbol, symbolLimit)}`;
  const incoming = isIncoming(event);
  const { label, tone } = statusTexts[status];
  const [other] = Object.values(event.sentence.values ?? {});
  return (
    <li class="entry">
      <button type="button" class="entry-head" aria-expanded={open} onClick={() => setOpen(!open)}>
        <span class="history-line">
          <span class="entry-sentence">
            <Phrase text={event.sentence} />
          </span>
          <bdi class={`history-amount ${incoming && status === 'processed' ? 'history-in' : ''}`}>
            {incoming ? '+' : '−'}
            {amount}
          </bdi>
        </span>
        <span class="entry-line">
          <span class={`chip chip-${tone}`}>{t(label)}</span>
          <span class="soft entry-time">
            <Ago milliseconds={event.at} />
          </span>
          <Icon name="down" />
        </span>
      </button>
      {open && (
        <div class="entry-body">
          <dl class="rows">
            {token !== null && (
              <div class="row">
                <dt>{t('historyAmount')}</dt>
                <dd>
                  <Amount volume={volume} token={token} least />
                </dd>
              </div>
            )}
            {event.nftData !== undefined && (
              <div class="row">
                <dt>{t('nftData')}</dt>
                <dd>
                  <Hex hex={event.nftData} />
                </dd>
              </div>
            )}
            {event.fee !== null && (
              <div class="row">
                <dt>{t('moveFee')}</dt>
                <dd>
                  <Amount volume={event.fee.volume} token={event.fee.token} />
                </dd>
              </div>
            )}
            {other?.kind === 'address' && (
              <div class="row">
                <dt>{t(incoming ? 'historyFrom' : 'sendTo')}</dt>
                <dd>
                  <ValueView value={other} />
                </dd>
              </div>
            )}
            {event.memo !== '' && (
              <div class="row">
                <dt>{t('moveMemoLabel')}</dt>
                <dd>{visibleText(event.memo, 128)}</dd>
              </div>
            )}
            <div class="row">
              <dt>{t('historyTime')}</dt>
              <dd>
                <Time milliseconds={event.at} />
              </dd>
            </div>
            {event.block !== null && (
              <div class="row">
                <dt>{t('historyBlock')}</dt>
                <dd>{event.block}</dd>
              </div>
            )}
            <div class="row">
              <dt>{t('activityHash')}</dt>
              <dd>
                <Hex hex={event.hash} />
              </dd>
            </div>
          </dl>
        </div>
      )}
    </li>
  );
}
