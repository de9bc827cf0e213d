import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { t } from '../../i18n.ts';
import { Problem } from '../../shared/Problem.tsx';
import { Skeleton } from '../../shared/Skeleton.tsx';
import { PageHead } from '../PageHead.tsx';
import type { ScreenProps } from '../screenProps.ts';

/**
 * The screen of a market is the largest, and most openings of the popup are about something else:
 * its code comes when it is asked for.
 */
const load = () => import('./MarketPage.tsx');

type Body = ComponentType<ScreenProps>;

export function TradeScreen(props: ScreenProps) {
  const [Body, setBody] = useState<Body | null>(null);
  const [error, setError] = useState<unknown>(null);
  useEffect(() => {
    load().then(({ MarketPage }) => setBody(() => MarketPage), setError);
  }, []);
  return (
    <main class="tab trade">
      <PageHead title={t('tradeTitle')} back={['home']} />
      <Problem error={error} />
      {Body === null ? error === null && <Skeleton lines={[6, 10, 10, 10]} /> : <Body {...props} />}
    </main>
  );
}
