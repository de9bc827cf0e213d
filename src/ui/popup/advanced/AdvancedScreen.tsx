import { useState } from 'preact/hooks';
import type { Diagnostics, NetworkView, RelayerHealth } from '../../../messaging/views.ts';
import { call } from '../../background.ts';
import { t } from '../../i18n.ts';
import { Button } from '../../shared/Button.tsx';
import { symbolText, unitText } from '../../shared/format.ts';
import { localDecimal } from '../../shared/numbers.ts';
import { Phrase } from '../../shared/Phrase.tsx';
import { Problem } from '../../shared/Problem.tsx';
import { Row } from '../../shared/Row.tsx';
import { Skeleton } from '../../shared/Skeleton.tsx';
import { saveFile } from '../../shared/saveFile.ts';
import { statusTexts } from '../../shared/status.ts';
import { useAction } from '../../shared/useAction.ts';
import { useQuery } from '../../shared/useQuery.ts';
import { visibleText } from '../../shared/visibleText.ts';
import { Gone } from '../Gone.tsx';
import { Page } from '../PageHead.tsx';
import type { ScreenProps } from '../screenProps.ts';
import { Failures } from './Failures.tsx';

/** A clock that is further away than this makes deadlines wrong, milliseconds. */
const clockToleranceMs = 30_000;

function Health({ network }: { readonly network: NetworkView }) {
  const [health, setHealth] = useState<RelayerHealth | null>(null);
  const ask = useAction(async () => setHealth(await call('getRelayerHealth', { networkId: network.id })));
  const ahead = health?.clockAhead ?? 0;
  return (
    <section class="card">
      <h2 class="card-title">{t('networkRelayer')}</h2>
      <p>
        <bdi>{visibleText(network.baseUrl, 120)}</bdi>
      </p>
      <Problem error={ask.error} />
      {health !== null && (
        <div role="status">
          {health.problem !== null && (
            <p class="field-error">
              <Phrase text={health.problem} />
            </p>
          )}
          {health.milliseconds !== null && (
            <dl class="rows">
              <Row label="advancedAnswered">{unitText(health.milliseconds, 'millisecond')}</Row>
              <div class="row">
                <dt>{t('advancedClock')}</dt>
                {Math.abs(ahead) > clockToleranceMs ? (
                  <dd class="field-error">
                    {t('advancedClockWrong', { seconds: localDecimal(String(Math.round(Math.abs(ahead) / 1000))) })}
                  </dd>
                ) : (
                  <dd>{t('advancedClockRight')}</dd>
                )}
              </div>
            </dl>
          )}
        </div>
      )}
      <Button small icon="refresh" busy={ask.busy} onClick={ask.run}>
        {t('attentionAction_check')}
      </Button>
    </section>
  );
}

function Cursors({ cursors }: { readonly cursors: Diagnostics['cursors'] }) {
  if (cursors.length === 0) return <p class="empty">{t('advancedNoCursors')}</p>;
  return (
    <table class="numbers">
      <thead>
        <tr>
          <th scope="col">{t('moveToken')}</th>
          <th scope="col">{t('advancedUse')}</th>
          <th scope="col">{t('advancedNext')}</th>
        </tr>
      </thead>
      <tbody>
        {cursors.map(({ tokenId, symbol, parity, next }) => (
          <tr key={`${tokenId} ${parity}`}>
            <th scope="row">
              <bdi>{symbol === null ? t('advancedTokenNumber', { id: tokenId }) : symbolText({ symbol })}</bdi>
            </th>
            <td>{t(parity === 'order' ? 'advancedOrders' : 'advancedOther')}</td>
            <td>{localDecimal(String(next))}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/**
 * For people who look for a fault: how the relayer answers, the next storage ids, and what the
 * journal holds.
 */
export function AdvancedScreen({ wallet, rest }: ScreenProps) {
  const account = wallet.accounts.find(({ id }) => id === (rest[0] ?? wallet.selectedAccount));
  const network = wallet.networks.find(({ id }) => id === account?.networkId);
  const diagnostics = useQuery('getDiagnostics', account === undefined ? null : { account: account.id });
  const save = useAction(async () => {
    const { json } = await call('exportJournal', {});
    saveFile('countersign-journal.json', 'application/json', json);
  });
  if (account === undefined) return <Gone />;
  return (
    <Page title={t('advancedTitle')} back={rest[0] === undefined ? ['settings'] : ['accounts', account.id]}>
      <p class="soft">
        <bdi>{visibleText(account.label, 60)}</bdi>
      </p>
      {network !== undefined && <Health key={network.id} network={network} />}
      <Problem error={diagnostics.error} />
      <section class="card">
        <h2 class="card-title">{t('advancedCursors')}</h2>
        <p class="soft">{t('advancedCursorsMeaning')}</p>
        {diagnostics.data === undefined ? (
          <Skeleton lines={[10, 10]} />
        ) : (
          <Cursors cursors={diagnostics.data.cursors} />
        )}
      </section>
      <section class="card">
        <h2 class="card-title">{t('advancedJournal')}</h2>
        <p class="soft">{t('advancedJournalMeaning')}</p>
        {diagnostics.data === undefined ? (
          <Skeleton lines={[10]} />
        ) : (
          <dl class="rows">
            {diagnostics.data.states.map(({ status, count }) => (
              <Row key={status} label={statusTexts[status].label}>
                {localDecimal(String(count))}
              </Row>
            ))}
          </dl>
        )}
        <Problem error={save.error} />
        <Button small icon="external" busy={save.busy} onClick={save.run}>
          {t('advancedExport')}
        </Button>
      </section>
      <Failures />
    </Page>
  );
}
