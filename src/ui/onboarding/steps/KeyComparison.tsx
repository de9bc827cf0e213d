import { t } from '../../i18n.ts';
import { Icon } from '../../shared/Icon.tsx';
import { visibleText } from '../../shared/visibleText.ts';

interface PublicKey {
  readonly x: string;
  readonly y: string;
}

interface KeyComparisonProps {
  readonly derived: PublicKey;
  readonly registered: PublicKey | null;
  readonly matches: boolean;
}

function KeyCard({ title, publicKey }: { readonly title: string; readonly publicKey: PublicKey | null }) {
  return (
    <div class="key-side">
      <h2>{title}</h2>
      {publicKey === null ? (
        <p class="soft">{t('keyNone')}</p>
      ) : (
        (['x', 'y'] as const).map((axis) => (
          <p key={axis}>
            <span class="soft">{axis}</span>
            <span class="mono wire-text">{visibleText(publicKey[axis], 70)}</span>
          </p>
        ))
      )}
    </div>
  );
}

/** The key made here beside the one that the exchange has registered. */
export function KeyComparison({ derived, registered, matches }: KeyComparisonProps) {
  return (
    <div class={`keys ${matches ? 'keys-match' : 'keys-differ'}`}>
      <KeyCard title={t('keyKind_derived')} publicKey={derived} />
      <span class="keys-sign" aria-hidden="true">
        <Icon name={matches ? 'check' : 'cross'} />
      </span>
      <KeyCard title={t('keyRegistered')} publicKey={registered} />
    </div>
  );
}
