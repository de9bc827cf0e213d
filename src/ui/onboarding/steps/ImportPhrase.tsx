import { useRef, useState } from 'preact/hooks';
import type { NetworkView, PhraseAccount } from '../../../messaging/views.ts';
import { call } from '../../background.ts';
import { t } from '../../i18n.ts';
import { Button } from '../../shared/Button.tsx';
import { Field } from '../../shared/Field.tsx';
import { PhraseWords } from '../../shared/PhraseWords.tsx';
import { Address } from '../../shared/Shortened.tsx';
import { useAction } from '../../shared/useAction.ts';
import type { Signer } from '../progress.ts';
import { Choices } from './Choices.tsx';
import { StepForm } from './StepForm.tsx';

const knownAs = { absent: 'phraseAbsent', unregistered: 'phraseUnregistered', registered: 'phraseRegistered' } as const;

interface ImportPhraseProps {
  readonly network: NetworkView;
  readonly onDone: (signer: Signer) => void;
  readonly onBack: () => void;
}

/** Takes a recovery phrase, and one of its accounts by address. */
export function ImportPhrase({ network, onDone, onBack }: ImportPhraseProps) {
  const [phrase, setPhrase] = useState('');
  const [accounts, setAccounts] = useState<readonly PhraseAccount[]>([]);
  const [chosen, setChosen] = useState<string | null>(null);
  const words = phrase.trim().split(/\s+/);
  const count = words.length;
  const countFits = count >= 12 && count <= 24 && count % 3 === 0;
  const typed = useRef(phrase);
  typed.current = phrase;
  const look = useAction(async () => {
    const more = await call('listPhraseAccounts', { phrase, networkId: network.id, start: accounts.length });
    // These are not the accounts of the words that stand there now.
    if (typed.current !== phrase) return;
    const all = [...accounts, ...more];
    setAccounts(all);
    // The first one that the exchange knows is the one that people look for.
    setChosen(chosen ?? String((all.find(({ status }) => status !== 'absent') ?? all[0])?.index));
  });
  const add = useAction(async (index: number) => {
    const signer = await call('importPhrase', { phrase, index });
    setPhrase('');
    onDone(signer);
  });
  const found = accounts.length > 0;
  return (
    <StepForm
      title="phraseTitle"
      meaning="phraseMeaning"
      button={found ? 'phraseUse' : 'phraseLook'}
      ready={found ? chosen !== null : countFits}
      run={() => (found ? add.run(Number(chosen)) : look.run())}
      busy={found ? add.busy : look.busy}
      error={look.error ?? add.error}
      onBack={onBack}
      more={
        found && (
          <Button busy={look.busy} onClick={look.run}>
            {t('phraseMore')}
          </Button>
        )
      }
    >
      <Field
        label={t('recovery_mnemonic')}
        secret="key"
        value={phrase}
        maxLength={300}
        focusFirst
        hint={t('phraseHint')}
        revealed={<PhraseWords words={words} />}
        onInput={(value) => {
          setPhrase(value);
          setAccounts([]);
          setChosen(null);
          look.clear();
          add.clear();
        }}
      />
      {found && (
        <Choices
          legend={t('phraseChoose')}
          choices={accounts.map(({ index, address, status, accountId }) => ({
            value: String(index),
            title: <Address address={address} />,
            note: t(knownAs[status], { id: String(accountId ?? '') }),
          }))}
          chosen={chosen}
          onChoose={setChosen}
        />
      )}
    </StepForm>
  );
}
