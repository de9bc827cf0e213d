import type { HistoryEvent, SubmissionStatus } from '../../../messaging/views.ts';
import { Amount } from '../../shared/Amount.tsx';
import { symbolText } from '../../shared/format.ts';
import { localDecimal, signedAmount } from '../../shared/numbers.ts';
import { Phrase } from '../../shared/Phrase.tsx';
import { HexRow, Row } from '../../shared/Row.tsx';
import { moveStatus } from '../../shared/status.ts';
import { Ago, Time } from '../../shared/Time.tsx';
import { ValueView } from '../../shared/ValueView.tsx';
import { visibleText } from '../../shared/visibleText.ts';
import { EntryFrame } from '../EntryFrame.tsx';
import { eventIcon, isIncoming } from './activityLine.ts';

interface HistoryEntryProps {
  readonly event: HistoryEvent;
  readonly status: SubmissionStatus;
}

/** Shows the event in the past tense, and the amount that came or left with its sign. */
export function HistoryHead({ event, status }: HistoryEntryProps) {
  const { token, volume } = event.amount;
  const incoming = isIncoming(event);
  // A number of an unknown token would have no unit.
  const ofNft = event.nftData && `${incoming ? '+' : '−'}${localDecimal(volume)} NFT`;
  const amount = token ? `${signedAmount({ volume, token }, incoming)} ${symbolText(token)}` : ofNft;
  return (
    <span class="history-line">
      <span class="entry-sentence">
        <Phrase text={event.sentence} />
      </span>
      <bdi class={`history-amount ${incoming && status === 'processed' ? 'history-in' : ''}`}>{amount}</bdi>
    </span>
  );
}

/** Something that happened to the account, with the amount that came or left. */
export function HistoryEntry({ event, status }: HistoryEntryProps) {
  const { token, volume } = event.amount;
  const incoming = isIncoming(event);
  const [other] = Object.values(event.sentence.values ?? {});
  return (
    <EntryFrame
      icon={eventIcon(event)}
      head={<HistoryHead event={event} status={status} />}
      status={moveStatus(status, event.kind === 'withdrew')}
      aside={<Ago milliseconds={event.at} />}
    >
      <dl class="rows">
        {token !== null && (
          <Row label="moveAmount">
            <Amount volume={volume} token={token} least={incoming} />
          </Row>
        )}
        <HexRow label="nftData" hex={event.nftData} />
        {event.fee !== null && (
          <Row label="moveFee">
            <Amount volume={event.fee.volume} token={event.fee.token} />
          </Row>
        )}
        {other?.kind === 'address' && (
          <Row label={incoming ? 'historyFrom' : 'sendTo'}>
            <ValueView value={other} />
          </Row>
        )}
        {event.memo !== '' && <Row label="moveMemoLabel">{visibleText(event.memo, 256)}</Row>}
        <Row label="historyTime">
          <Time milliseconds={event.at} />
        </Row>
        {event.block !== null && <Row label="historyBlock">{event.block}</Row>}
        <HexRow label="activityHash" hex={event.hash} />
      </dl>
    </EntryFrame>
  );
}
