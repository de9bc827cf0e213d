import type { DescribedToken, NetworkView, TokenChange } from '../../../messaging/views.ts';
import { call } from '../../background.ts';
import { t } from '../../i18n.ts';
import { TokenSymbol } from '../../shared/Amount.tsx';
import { Banner } from '../../shared/Banner.tsx';
import { symbolText } from '../../shared/format.ts';
import { Problem } from '../../shared/Problem.tsx';
import { Row } from '../../shared/Row.tsx';
import { Address } from '../../shared/Shortened.tsx';
import { useAction } from '../../shared/useAction.ts';
import { useQuery } from '../../shared/useQuery.ts';
import { visibleText } from '../../shared/visibleText.ts';
import { Page } from '../PageHead.tsx';
import { PasswordForm } from '../PasswordForm.tsx';

const fields = ['symbol', 'name', 'decimals', 'address', 'pool'] as const;
type FieldName = (typeof fields)[number];

const poolText = ({ pool }: DescribedToken): string =>
  pool ? `${pool.pooled.map((id) => `#${id}`).join(' ')} · ${pool.name}` : '';

function differs({ before, now }: TokenChange, field: FieldName): boolean {
  const isOther = (a: string, b: string) => a.toLowerCase() !== b.toLowerCase();
  if (field === 'address') return isOther(before.address, now.address);
  if (field !== 'pool') return before[field] !== now[field];
  // A relayer that names no pool now has not named another one.
  if (now.pool === undefined) return false;
  return poolText(before) !== poolText(now) || isOther(before.pool?.address ?? '', now.pool.address);
}

function Fact({ token, field }: { readonly token: DescribedToken; readonly field: FieldName }) {
  if (field === 'address') return <Address address={token.address} />;
  if (field === 'pool')
    return (
      <>
        <bdi>{token.pool ? visibleText(poolText(token), 80) : t('tokenNameUnknown')}</bdi>{' '}
        {token.pool && <Address address={token.pool.address} />}
      </>
    );
  if (field === 'symbol') return <TokenSymbol token={token} />;
  if (field === 'name' && token.name === '') return <>{t('tokenNameUnknown')}</>;
  return <bdi>{visibleText(String(token[field]), 80)}</bdi>;
}

function Accept({ network, change, danger, onAccepted }: EntryProps & { readonly danger: boolean }) {
  const accept = useAction(async (password: string) => {
    onAccepted(await call('acceptToken', { networkId: network.id, shown: change.now, password }));
  });
  return (
    <PasswordForm
      action={accept}
      danger={danger}
      open={t('tokenAccept')}
      openTone="secondary"
      sure={t('tokenAcceptSure', { token: symbolText(change.now) })}
      keep={t('tokenKeep')}
    />
  );
}

interface EntryProps {
  readonly network: NetworkView;
  readonly change: TokenChange;
  readonly onAccepted: (left: readonly TokenChange[]) => void;
}

function Entry(props: EntryProps) {
  const { change } = props;
  const { before, now } = change;
  const danger = (['decimals', 'address', 'pool'] as const).some((field) => differs(change, field));
  return (
    <section class="attention-list" aria-label={symbolText(before)}>
      <h2>
        #{before.tokenId} <TokenSymbol token={before} />
      </h2>
      {danger ? (
        <Banner tone="danger" title={t('tokenDangerTitle')}>
          {t('tokenDanger')}
        </Banner>
      ) : (
        <Banner tone="notice">{t('tokenRenamed')}</Banner>
      )}
      <dl class="rows card">
        {fields.flatMap((field) => {
          if (field === 'pool' && !before.pool && !now.pool) return [];
          const name = t(field === 'pool' ? 'review_pool' : `tokenField_${field}`);
          const row = (shown: string, token: DescribedToken) => (
            <Row key={shown} name={shown}>
              <Fact token={token} field={field} />
            </Row>
          );
          return differs(change, field)
            ? [row(t('tokenBefore', { field: name }), before), row(t('tokenNow', { field: name }), now)]
            : row(name, field === 'pool' && !now.pool ? before : now);
        })}
      </dl>
      <Accept key={JSON.stringify(now)} {...props} danger={danger} />
    </section>
  );
}

/**
 * The tokens of an exchange that its relayer describes otherwise than before, each with the way to
 * accept that.
 */
export function TokenChanges({ network }: { readonly network: NetworkView }) {
  const query = useQuery('getTokenChanges', { networkId: network.id });
  return (
    <Page title={t('tokenChangesTitle')} back={['networks', network.id]}>
      <p class="soft">{t('tokenChangesMeaning')}</p>
      <Problem error={query.error} />
      {query.data?.length === 0 && (
        <Banner tone="good" role="status">
          {t('tokenChangesNone')}
        </Banner>
      )}
      {query.data?.map((change) => (
        <Entry key={change.before.tokenId} network={network} change={change} onAccepted={query.set} />
      ))}
    </Page>
  );
}
