import { useState } from 'preact/hooks';
import type { ContactView } from '../../../messaging/views.ts';
import { call } from '../../background.ts';
import { t } from '../../i18n.ts';
import { Banner } from '../../shared/Banner.tsx';
import { Button } from '../../shared/Button.tsx';
import { checkAddress } from '../../shared/checkAddress.ts';
import { Field } from '../../shared/Field.tsx';
import { Form } from '../../shared/Form.tsx';
import { middleShortened } from '../../shared/format.ts';
import { Icon } from '../../shared/Icon.tsx';
import { Identicon } from '../../shared/Identicon.tsx';
import { Phrase } from '../../shared/Phrase.tsx';
import { Problem } from '../../shared/Problem.tsx';
import { Address } from '../../shared/Shortened.tsx';
import { SkeletonList } from '../../shared/SkeletonList.tsx';
import { useAction } from '../../shared/useAction.ts';
import { useQuery } from '../../shared/useQuery.ts';
import { visibleText } from '../../shared/visibleText.ts';
import { Page } from '../PageHead.tsx';
import { hrefTo } from '../router.ts';
import type { ScreenProps } from '../screenProps.ts';
import { selectedAccount } from '../selectedAccount.ts';

/** Entries from which on a search field is worth its room. */
const searchFrom = 8;

interface EditorProps {
  readonly networkId: string;
  /** The entry that is renamed; `null` for a new one. */
  readonly contact: ContactView | null;
  readonly address?: string;
  readonly onDone: () => void;
}

function Editor({ networkId, contact, address: given = '', onDone }: EditorProps) {
  const [name, setName] = useState(contact?.name ?? '');
  const [address, setAddress] = useState(contact?.address ?? given);
  const checked = checkAddress(address);
  const { data: like, error } = useQuery(
    'getLookalike',
    'address' in checked ? { networkId, address: checked.address } : null,
  );
  const save = useAction(async () => {
    if (!('address' in checked)) return;
    await call(contact === null ? 'addContact' : 'renameContact', { networkId, address: checked.address, name });
    onDone();
  });
  // The warning stands before anything can be saved.
  const complete = name.trim() !== '' && (like !== undefined || error !== null);
  return (
    <Form class="form contact-editor" onSubmit={() => complete && save.run()}>
      <Field label={t('nameField')} value={name} maxLength={40} focusFirst onInput={setName} />
      {contact === null && (
        <Field
          label={t('contactAddress')}
          value={address}
          mono
          maxLength={60}
          error={
            'problem' in checked && checked.problem !== 'empty' && address.length >= 42 ? t(checked.problem) : null
          }
          onInput={setAddress}
        />
      )}
      {like && (
        <Banner tone="danger" role="alert">
          <Phrase
            text={
              like.label === undefined
                ? {
                    key: like.source === 'history' ? 'warning_recipientLookalikeListed' : 'warning_recipientLookalike',
                    values: { known: { kind: 'address', address: like.address } },
                  }
                : { key: 'warning_recipientLookalikeNamed', values: { name: { kind: 'text', text: like.label } } }
            }
          />
        </Banner>
      )}
      <Problem error={save.error ?? error} />
      <div class="site-buttons">
        <Button type="submit" tone="primary" small busy={save.busy} disabled={!complete}>
          {t('commonSave')}
        </Button>
        <Button small tone="quiet" onClick={onDone}>
          {t('commonCancel')}
        </Button>
      </div>
    </Form>
  );
}

function Entry({ contact, networkId }: Pick<EditorProps, 'networkId'> & { readonly contact: ContactView }) {
  const [mode, setMode] = useState<'shown' | 'renaming' | 'removing'>('shown');
  const remove = useAction(async () => {
    await call('removeContact', { networkId, address: contact.address });
  });
  if (mode === 'renaming')
    return (
      <li class="contact">
        <Editor networkId={networkId} contact={contact} onDone={() => setMode('shown')} />
      </li>
    );
  return (
    <li class="contact">
      <Identicon address={contact.address} />
      <div class="contact-text">
        <bdi class="contact-name">{visibleText(contact.name, 60)}</bdi>
        <Address address={contact.address} />
        <Problem error={remove.error} />
        <div class="contact-buttons">
          {mode === 'removing' ? (
            <>
              <Button small tone="danger" busy={remove.busy} onClick={remove.run}>
                {t('accountRemoveSure')}
              </Button>
              <Button small tone="quiet" disabled={remove.busy} onClick={() => setMode('shown')}>
                {t('sitesKeep')}
              </Button>
            </>
          ) : (
            <>
              <a class="button button-secondary button-small" href={hrefTo('send', 'any', contact.address)}>
                {t('sendTitle')}
              </a>
              <Button small tone="quiet" onClick={() => setMode('renaming')}>
                {t('contactRename')}
              </Button>
              <Button small tone="danger-quiet" onClick={() => setMode('removing')}>
                {t('contactRemove')}
              </Button>
            </>
          )}
        </div>
      </div>
    </li>
  );
}

function Book({ networkId }: Pick<EditorProps, 'networkId'>) {
  const contacts = useQuery('listContacts', { networkId });
  const recent = useQuery('listRecentRecipients', { networkId });
  const [adding, setAdding] = useState<string | null>(null);
  const [search, setSearch] = useState('');
  const all = contacts.data;
  const wanted = search.trim().toLowerCase();
  const shown = all?.filter(
    ({ name, address }) => name.toLowerCase().includes(wanted) || address.toLowerCase().includes(wanted),
  );
  return (
    <Page
      title={t('contactsTitle')}
      back={['more']}
      action={
        adding === null && (
          <Button small icon="plus" onClick={() => setAdding('')}>
            {t('contactAdd')}
          </Button>
        )
      }
    >
      <p class="soft lead">{t('contactsMeaning')}</p>
      {adding !== null && (
        <div class="card">
          <Editor key={adding} networkId={networkId} contact={null} address={adding} onDone={() => setAdding(null)} />
        </div>
      )}
      <Problem error={contacts.error} />
      {((all?.length ?? 0) >= searchFrom || search !== '') && (
        <Field label={t('contactsSearch')} value={search} onInput={setSearch} />
      )}
      {shown === undefined ? (
        <SkeletonList rows={3} picture />
      ) : shown.length === 0 ? (
        adding === null && <p class="empty">{t(wanted === '' ? 'contactsEmpty' : 'contactsNoMatch')}</p>
      ) : (
        <ul class="card-list">
          {shown.map((contact) => (
            <Entry key={contact.address} contact={contact} networkId={networkId} />
          ))}
        </ul>
      )}
      {(recent.data?.length ?? 0) > 0 && (
        <section aria-labelledby="contacts-recent">
          <div class="section-head">
            <h2 id="contacts-recent">{t('contactsRecent')}</h2>
          </div>
          <ul class="card-list">
            {recent.data?.map(({ address }) => (
              <li key={address} class="contact contact-recent">
                <Identicon address={address} />
                <span class="mono">{middleShortened(address)}</span>
                <button type="button" class="button button-quiet button-small" onClick={() => setAdding(address)}>
                  <Icon name="plus" />
                  <span>{t('contactAddThis')}</span>
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
    </Page>
  );
}

/** The address book of the selected account's network; nothing typed goes into another's. */
export function ContactsScreen({ wallet }: ScreenProps) {
  const { networkId } = selectedAccount(wallet);
  return <Book key={networkId} networkId={networkId} />;
}
