import { useId, useState } from 'preact/hooks';
import type { ApprovalView, NetworkView, PermissionKind } from '../../messaging/views.ts';
import { t } from '../i18n.ts';
import { AccountLine } from '../shared/AccountLine.tsx';
import { Icon } from '../shared/Icon.tsx';
import { visibleText } from '../shared/visibleText.ts';

interface ConnectBodyProps {
  readonly asked: NonNullable<ApprovalView['connect']>;
  readonly networks: readonly NetworkView[];
  /** The network that a connected site wants to go on with; `null` for a first connection. */
  readonly switchTo: NetworkView | null;
  readonly chosenAccounts: readonly string[];
  readonly chosenKinds: readonly PermissionKind[];
  readonly onAccounts: (accounts: readonly string[]) => void;
  readonly onKinds: (kinds: readonly PermissionKind[]) => void;
}

function toggled<T>(list: readonly T[], item: T): readonly T[] {
  return list.includes(item) ? list.filter((other) => other !== item) : [...list, item];
}

/** A permission in one line; a tap on the sign behind it shows what it means. */
function Kind({
  kind,
  isChosen,
  isFixed,
  onToggle,
}: {
  readonly kind: PermissionKind;
  readonly isChosen: boolean;
  readonly isFixed: boolean;
  readonly onToggle: () => void;
}) {
  const [open, setOpen] = useState(false);
  const id = useId();
  const name = t(`kind_${kind}`);
  return (
    <li class="kind">
      <label class="kind-choice">
        <input type="checkbox" checked={isChosen} disabled={isFixed} aria-describedby={id} onChange={onToggle} />
        <span>{name}</span>
      </label>
      <button
        type="button"
        class="kind-more"
        aria-expanded={open}
        aria-controls={id}
        aria-label={`${t('approvalDetails')}: ${name}`}
        onClick={() => setOpen(!open)}
      >
        <Icon name="info" />
      </button>
      <p id={id} class="soft kind-sentence" hidden={!open}>
        {t(`permission_${kind}`)}
      </p>
    </li>
  );
}

/** Shows the permissions that a site asks for, and the accounts that it may see. */
export function ConnectBody(props: ConnectBodyProps) {
  const { asked, networks, switchTo, chosenAccounts, chosenKinds, onAccounts, onKinds } = props;
  return (
    <>
      <h1 class="review-sentence" tabIndex={-1}>
        {switchTo === null
          ? t(asked.isMore ? 'connectMore' : 'connectSentence')
          : t('connectSwitch', { network: visibleText(switchTo.name, 60) })}
      </h1>
      {asked.hasNext && <p>{t('connectHasNext')}</p>}
      <fieldset class="choices">
        <legend>{t('connectAccounts')}</legend>
        {asked.accounts.map((account) => (
          <label key={account.id} class="choice">
            <input
              type="checkbox"
              checked={chosenAccounts.includes(account.id)}
              onChange={() => onAccounts(toggled(chosenAccounts, account.id))}
            />
            <AccountLine
              account={account}
              network={networks.find((network) => network.id === account.networkId) ?? null}
            />
          </label>
        ))}
      </fieldset>
      <fieldset class="choices kinds">
        <legend>{t('connectKinds')}</legend>
        <ul>
          {asked.kinds.map((kind) => (
            <Kind
              key={kind}
              kind={kind}
              isChosen={chosenKinds.includes(kind)}
              isFixed={kind === 'read' || asked.hasNext}
              onToggle={() => onKinds(toggled(chosenKinds, kind))}
            />
          ))}
        </ul>
      </fieldset>
      <p class="never">
        <Icon name="lock" />
        <span>{t('connectNever')}</span>
      </p>
    </>
  );
}
