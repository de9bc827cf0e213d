import type { ApprovalView, NetworkView, PermissionKind } from '../../messaging/views.ts';
import { t } from '../i18n.ts';
import { AccountLine } from '../shared/AccountLine.tsx';
import { Icon } from '../shared/Icon.tsx';
import { kindTexts } from '../shared/kinds.ts';
import { Site } from '../shared/Site.tsx';
import { visibleText } from '../shared/visibleText.ts';

interface ConnectBodyProps {
  readonly origin: string;
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

/** What a site asks to be allowed, and the accounts it may see. */
export function ConnectBody(props: ConnectBodyProps) {
  const { origin, asked, networks, switchTo, chosenAccounts, chosenKinds, onAccounts, onKinds } = props;
  return (
    <>
      <h1 class="review-sentence" tabIndex={-1}>
        {switchTo === null
          ? t(asked.isMore ? 'connectMore' : 'connectSentence')
          : t('connectSwitch', { network: visibleText(switchTo.name, 60) })}
      </h1>
      <p class="connect-site">
        <Site origin={origin} />
      </p>
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
      <fieldset class="choices">
        <legend>{t('connectKinds')}</legend>
        {asked.kinds.map((kind) => (
          <label key={kind} class="choice">
            <input
              type="checkbox"
              checked={chosenKinds.includes(kind)}
              disabled={kind === 'read' || asked.hasNext}
              onChange={() => onKinds(toggled(chosenKinds, kind))}
            />
            <span class="choice-text">
              <span class="choice-title">{t(kindTexts[kind].name)}</span>
              <span class="soft">{t(kindTexts[kind].sentence)}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <p class="never">
        <Icon name="lock" />
        <span>{t('connectNever')}</span>
      </p>
    </>
  );
}
