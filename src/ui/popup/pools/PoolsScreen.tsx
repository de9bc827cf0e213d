import { SYMBOL_LIMIT } from '../../../messaging/symbolLimit.ts';
import type { PoolMove, PoolPosition, PricesView } from '../../../messaging/views.ts';
import type { TokenFacts } from '../../../operations/review.ts';
import { BIPS } from '../../../protocol/limits.ts';
import { t } from '../../i18n.ts';
import { Amount } from '../../shared/Amount.tsx';
import type { Tone } from '../../shared/Banner.tsx';
import { Freshness } from '../../shared/Freshness.tsx';
import { percent, symbolText } from '../../shared/format.ts';
import { shownValue, signedAmount } from '../../shared/numbers.ts';
import { Row } from '../../shared/Row.tsx';
import { SkeletonList } from '../../shared/SkeletonList.tsx';
import { StoredState } from '../../shared/StoredState.tsx';
import { Ago } from '../../shared/Time.tsx';
import { TokenDot } from '../../shared/TokenDot.tsx';
import { useCurrentPrices } from '../../shared/usePrices.ts';
import { useStored } from '../../shared/useStored.ts';
import { worthOf } from '../../shared/values.ts';
import { visibleText } from '../../shared/visibleText.ts';
import { Worth } from '../../shared/Worth.tsx';
import { Page } from '../PageHead.tsx';
import { hrefTo } from '../router.ts';
import type { ScreenProps } from '../screenProps.ts';
import { selectedAccount } from '../selectedAccount.ts';
import { ExitPool } from './ExitPool.tsx';
import { JoinPool } from './JoinPool.tsx';
import { pairName } from './pairName.ts';

/** Ten-thousandths of a pool that a share is, rounded down. */
const shareBips = ({ total, supply }: PoolPosition): number =>
  supply === '0' ? 0 : Number((BigInt(total) * BIPS) / BigInt(supply));

interface PositionProps {
  readonly position: PoolPosition;
  /** `null` where there are no current ones, `undefined` until that is known. */
  readonly prices: PricesView | null | undefined;
  /** Empty: without values. */
  readonly currency: string;
}

/**
 * Sums the values of amounts of a pool's tokens, in parts of 10^-30 of the currency; `null` where
 * one has no price.
 */
function worthTogether(
  position: PoolPosition,
  volumes: readonly string[],
  prices: PositionProps['prices'],
): bigint | null {
  let sum = 0n;
  for (const [index, { token }] of position.parts.entries()) {
    const volume = volumes[index] ?? '0';
    const worth = worthOf(volume.replace('-', ''), token, prices ?? null);
    if (worth === null) return null;
    sum += volume.startsWith('-') ? -worth.now : worth.now;
  }
  return sum;
}

/** A signed text with a sign that can be seen. */
const signed = (text: string, token: TokenFacts): string =>
  `${signedAmount({ volume: text.replace('-', ''), token }, !text.startsWith('-'))} ${symbolText(token)}`;

/** Shows the result of the share, where the exchange's own history explains the whole share. */
function Result({ position, prices, currency }: PositionProps) {
  const { result } = position;
  if (result === undefined) return null;
  const worth = worthTogether(position, result, prices);
  const isLoss = worth !== null && worth < 0n;
  return (
    <Row label="poolResult">
      <span class="pool-result">
        {position.parts.map(({ token }, index) => (
          <bdi key={token.tokenId}>{signed(result[index] ?? '0', token)}</bdi>
        ))}
      </span>
      {worth !== null && (
        <span class="row-note">
          {t('poolResultWorth', {
            value: `${isLoss ? '−' : '+'}${shownValue(isLoss ? -worth : worth, currency, isLoss)} ${visibleText(currency, SYMBOL_LIMIT)}`,
          })}
        </span>
      )}
    </Row>
  );
}

function PoolHead({ position }: { readonly position: PoolPosition }) {
  const bips = shareBips(position);
  const share =
    position.total === '0' ? [] : [t(bips === 0 ? 'poolShareTiny' : 'poolShare', { share: percent(bips || 1) })];
  const year = position.yearBips ? [t('poolYear', { rate: percent(position.yearBips) })] : [];
  return (
    <div class="pool-head">
      <span class="pool-dots">
        {position.parts.map(({ token }) => (
          <TokenDot key={token.tokenId} token={token} />
        ))}
      </span>
      <span class="pool-title">
        <bdi class="pool-name">{pairName(position.parts)}</bdi>
        <span class="soft">{[...share, t('poolFee', { rate: percent(position.feeBips) }), ...year].join(' · ')}</span>
      </span>
      {position.risky && <span class="tag tag-notice">{t('poolRisky')}</span>}
    </div>
  );
}

/**
 * None for a closed pool, nor for one that holds nothing: it has no price yet, and nobody could say
 * what its first share is worth.
 */
function JoinLink({ pool }: { readonly pool: PoolPosition }) {
  if (pool.noJoins || pool.supply === '0') return null;
  return (
    <a class="button button-secondary button-small" href={hrefTo('pools', pool.address, 'join')}>
      {t('operation_joinAmmPool')}
    </a>
  );
}

function Position({ position, prices, currency }: PositionProps) {
  const worth = worthTogether(
    position,
    position.parts.map(({ share }) => share),
    prices,
  );
  return (
    <li class="pool">
      <PoolHead position={position} />
      <dl class="rows">
        {position.parts.map(({ token, share }) => (
          <Row key={token.tokenId} name={<bdi>{symbolText(token)}</bdi>}>
            <Amount volume={share} token={token} least />
          </Row>
        ))}
        {currency !== '' && (
          <Row label="poolWorth">
            {worth !== null ? (
              <Worth value={worth} currency={currency} />
            ) : prices === undefined ? (
              '\u00a0'
            ) : (
              t('approvalWorthNone')
            )}
          </Row>
        )}
        <Result {...{ position, prices, currency }} />
      </dl>
      <div class="site-buttons">
        <JoinLink pool={position} />
        <a class="button button-secondary button-small" href={hrefTo('pools', position.address)}>
          {t('operation_exitAmmPool')}
        </a>
      </div>
    </li>
  );
}

const moveTones: Readonly<Record<string, { readonly label: string; readonly tone: Tone }>> = {
  processing: { label: 'statusPending', tone: 'notice' },
  processed: { label: 'poolMoveProcessed', tone: 'good' },
  cancelled: { label: 'poolMoveCancelled', tone: 'neutral' },
};

function Move({ move }: { readonly move: PoolMove }) {
  const status = moveTones[move.status] ?? { label: 'statusNotKnown', tone: 'notice' };
  const sign = move.type === 'join' ? '-' : '';
  return (
    <li class="pool-move">
      <span class="pool-move-what">
        {t(move.type === 'join' ? 'poolJoined' : 'poolLeft')} <bdi class="soft">{pairName(move.parts)}</bdi>
      </span>
      <span class="pool-move-parts">
        {move.parts.map(({ token, volume }) => (
          <bdi key={token.tokenId}>{signed(`${sign}${volume}`, token)}</bdi>
        ))}
      </span>
      <span class="entry-line">
        <span class={`chip chip-${status.tone}`}>{t(status.label)}</span>
        <span class="soft">
          <Ago milliseconds={move.createdAt} />
        </span>
      </span>
    </li>
  );
}

/**
 * Shares of pools with their worth now, the other pools, and what went in and out; `pools/0x…`
 * leaves one, `pools/0x…/join` adds to it.
 */
export function PoolsScreen({ wallet, rest }: ScreenProps) {
  const account = selectedAccount(wallet);
  const pools = useStored('getPools', account.id);
  const { currency } = wallet.settings;
  const prices = useCurrentPrices(pools.data ? account.id : undefined, currency);
  const [address = '', action] = rest;
  const others = pools.data?.others ?? [];
  const named = (among: readonly PoolPosition[]) =>
    among.find((pool) => pool.address.toLowerCase() === address.toLowerCase());
  const toLeave = named(pools.data?.positions ?? []);
  const toJoin = action === 'join' ? (toLeave ?? named(others)) : undefined;
  if (toJoin !== undefined) return <JoinPool pool={toJoin} account={account} />;
  if (toLeave !== undefined) return <ExitPool position={toLeave} account={account} />;
  return (
    <Page
      title={t('poolsTitle')}
      back={address === '' ? ['more'] : ['pools']}
      action={<Freshness at={pools.at} refreshing={pools.refreshing} onRefresh={pools.refresh} />}
    >
      <StoredState query={pools} skeleton={<SkeletonList rows={3} picture />}>
        {({ positions, moves }) => (
          <>
            {positions.length === 0 ? (
              <p class="empty">{t('poolsEmpty')}</p>
            ) : (
              <ul class="card-list">
                {positions.map((position) => (
                  <Position key={position.address} {...{ position, prices, currency }} />
                ))}
              </ul>
            )}
            {others.length > 0 && (
              <section aria-labelledby="pools-others">
                <div class="section-head">
                  <h2 id="pools-others">{t('poolsOthers')}</h2>
                </div>
                <ul class="card-list">
                  {others.map((pool) => (
                    <li key={pool.address} class="pool">
                      <PoolHead position={pool} />
                      <JoinLink pool={pool} />
                    </li>
                  ))}
                </ul>
              </section>
            )}
            {moves.length > 0 && (
              <section aria-labelledby="pools-moves">
                <div class="section-head">
                  <h2 id="pools-moves">{t('poolsHistory')}</h2>
                </div>
                <ul class="card-list">
                  {moves.map((move) => (
                    <Move key={move.hash} move={move} />
                  ))}
                </ul>
              </section>
            )}
          </>
        )}
      </StoredState>
    </Page>
  );
}
