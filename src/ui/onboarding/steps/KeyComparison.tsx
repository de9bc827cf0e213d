import type { DerivedKey } from '../../../messaging/views.ts';
import { t } from '../../i18n.ts';
import { Icon } from '../../shared/Icon.tsx';
import { visibleText } from '../../shared/visibleText.ts';

function KeyCard({ title, publicKey }: { readonly title: string; readonly publicKey: DerivedKey['registered'] }) {
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
export function KeyComparison({ of: { kind, derived, registered, matches } }: { readonly of: DerivedKey }) {
  return (
    <div class={`keys ${matches ? 'keys-match' : 'keys-differ'}`}>
      <KeyCard title={t(`keyKind_${kind}`)} publicKey={derived} />
      <span class="keys-sign" aria-hidden="true">
        <Icon name={matches ? 'check' : 'cross'} />
      </span>
      <KeyCard title={t('keyRegistered')} publicKey={registered} />
    </div>
  );
}
