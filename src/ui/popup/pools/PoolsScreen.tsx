import type { PoolMove, PoolPosition } from '../../../messaging/views.ts';
import { t } from '../../i18n.ts';
import { Amount } from '../../shared/Amount.tsx';
import type { Tone } from '../../shared/Banner.tsx';
import { Freshness } from '../../shared/Freshness.tsx';
import { percent, symbolLimit } from '../../shared/format.ts';
import { shownAmount } from '../../shared/numbers.ts';
import { SkeletonList } from '../../shared/SkeletonList.tsx';
import { StoredState } from '../../shared/StoredState.tsx';
import { Ago } from '../../shared/Time.tsx';
import { TokenDot } from '../../shared/TokenDot.tsx';
import { useStored } from '../../shared/useStored.ts';
import { visibleText } from '../../shared/visibleText.ts';
import { PageHead } from '../PageHead.tsx';
import { hrefTo } from '../router.ts';
import type { ScreenProps } from '../screenProps.ts';
import { selectedAccount } from '../selectedAccount.ts';
import { ExitPool } from './ExitPool.tsx';

/** Ten-thousandths of a pool that a share is, rounded down. */
const shareBips = ({ total, supply }: PoolPosition): number =>
  supply === '0' ? 0 : Number((BigInt(total) * 10_000n) / BigInt(supply));

/** The tokens of a pool, e.g. `LRC · ETH`. */
const pairName = (parts: PoolPosition['parts'] | PoolMove['parts']): string =>
  parts.map(({ token }) => visibleText(token.symbol, symbolLimit)).join(' · ');

function Position({ position }: { readonly position: PoolPosition }) {
  const bips = shareBips(position);
  return (
    <li class="pool">
      <div class="pool-head">
        <span class="pool-dots">
          {position.parts.map(({ token }) => (
            <TokenDot key={token.tokenId} token={token} />
          ))}
        </span>
        <span class="pool-title">
          <bdi class="pool-name">{pairName(position.parts)}</bdi>
          <span class="soft">
            {bips === 0 ? t('poolShareTiny') : t('poolShare', { share: percent(bips) })} ·{' '}
            {t('poolFee', { rate: percent(position.feeBips) })}
          </span>
        </span>
        {position.risky && <span class="tag tag-notice">{t('poolRisky')}</span>}
      </div>
      <dl class="rows">
        {position.parts.map(({ token, share }) => (
          <div key={token.tokenId} class="row">
            <dt>
              <bdi>{visibleText(token.symbol, symbolLimit)}</bdi>
            </dt>
            <dd>
              <Amount volume={share} token={token} least />
            </dd>
          </div>
        ))}
      </dl>
      <a class="button button-secondary button-small" href={hrefTo('pools', position.address)}>
        {t('poolExit')}
      </a>
    </li>
  );
}

const moveTones: Readonly<Record<string, { readonly label: string; readonly tone: Tone }>> = {
  processing: { label: 'poolMoveProcessing', tone: 'notice' },
  processed: { label: 'poolMoveProcessed', tone: 'good' },
  cancelled: { label: 'poolMoveCancelled', tone: 'neutral' },
};

function Move({ move }: { readonly move: PoolMove }) {
  const status = moveTones[move.status] ?? { label: 'statusNotKnown', tone: 'notice' };
  const sign = move.type === 'join' ? '−' : '+';
  return (
    <li class="pool-move">
      <span class="pool-move-what">
        {t(move.type === 'join' ? 'poolJoined' : 'poolLeft')} <bdi class="soft">{pairName(move.parts)}</bdi>
      </span>
      <span class="pool-move-parts">
        {move.parts.map(({ token, volume }) => (
          <bdi key={token.tokenId}>
            {sign}
            {shownAmount({ volume, token, least: true }).text} {visibleText(token.symbol, symbolLimit)}
          </bdi>
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

/** Shares of pools with their worth now, and what went in and out; `pools/0x…` leaves one. */
export function PoolsScreen({ wallet, rest }: ScreenProps) {
  const account = selectedAccount(wallet);
  const pools = useStored('getPools', account.id);
  const [address] = rest;
  const chosen =
    address === undefined
      ? undefined
      : pools.data?.positions.find((position) => position.address.toLowerCase() === address.toLowerCase());
  if (chosen !== undefined) return <ExitPool position={chosen} account={account} />;
  return (
    <main class="tab">
      <PageHead
        title={t('poolsTitle')}
        back={address === undefined ? ['more'] : ['pools']}
        action={<Freshness at={pools.at} refreshing={pools.refreshing} onRefresh={pools.refresh} />}
      />
      <StoredState query={pools} skeleton={<SkeletonList rows={3} picture />}>
        {({ positions, moves }) => (
          <>
            {positions.length === 0 ? (
              <p class="empty">{t('poolsEmpty')}</p>
            ) : (
              <ul class="card-list">
                {positions.map((position) => (
                  <Position key={position.address} position={position} />
                ))}
              </ul>
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
    </main>
  );
}
