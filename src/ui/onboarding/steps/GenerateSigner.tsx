import { useState } from 'preact/hooks';
import { call } from '../../background.ts';
import { t } from '../../i18n.ts';
import { Button } from '../../shared/Button.tsx';
import { Field } from '../../shared/Field.tsx';
import { PhraseWords } from '../../shared/PhraseWords.tsx';
import { wrongPassword } from '../../shared/Problem.tsx';
import { typing, useAction } from '../../shared/useAction.ts';
import type { Signer } from '../progress.ts';
import { StepForm } from './StepForm.tsx';

/** Words that are typed back, to show that the backup is at hand. */
const asked = 3;

interface GenerateSignerProps {
  /** Made before a lock or a reload, perhaps on paper already: its phrase is shown again. */
  readonly made: Signer | null;
  readonly onMade: (signer: Signer) => void;
  readonly onDone: (signer: Signer) => void;
  readonly onBack: () => void;
}

/** Places in the phrase, counted from 0, in rising order. */
function drawPlaces(words: number): readonly number[] {
  const places = Array.from({ length: words }, (_, index) => index);
  const drawn = crypto.getRandomValues(new Uint32Array(asked));
  return Array.from(drawn, (number) => places.splice(number % places.length, 1)[0] ?? 0).sort((a, b) => a - b);
}

/** Asks for the wallet's password again, before the phrase is shown. */
function AskPassword({
  onBack,
  onPassword,
}: Pick<GenerateSignerProps, 'onBack'> & { readonly onPassword: (password: string) => Promise<void> }) {
  const [password, setPassword] = useState('');
  const show = useAction(async () => {
    await onPassword(password);
    setPassword('');
  });
  const wrong = wrongPassword(show.error);
  return (
    <StepForm
      title="generateTitle"
      meaning="generateMeaning"
      button="generateButton"
      ready={password !== ''}
      {...show}
      error={wrong === null ? show.error : null}
      onBack={onBack}
    >
      <Field
        label={t('unlockPassword')}
        secret="current-password"
        value={password}
        focusFirst
        hint={t('generatePasswordHint')}
        error={wrong}
        onInput={typing(setPassword, show)}
      />
    </StepForm>
  );
}

/**
 * Makes a recovery phrase, shows it for a backup, and goes on when some of its words were typed
 * back.
 */
export function GenerateSigner({ made: signer, onMade, onDone, onBack }: GenerateSignerProps) {
  const [words, setWords] = useState<readonly string[]>([]);
  const [places, setPlaces] = useState<readonly number[]>([]);
  const [hidden, setHidden] = useState(false);
  const [typed, setTyped] = useState<readonly string[]>([]);

  if (signer === null || words.length === 0) {
    return (
      <AskPassword
        onBack={onBack}
        onPassword={async (password) => {
          const made = signer ?? (await call('generateSigner', {}));
          onMade(made);
          const { phrase } = await call('exportSigner', { signer: made.signer, password });
          const all = phrase?.split(' ') ?? [];
          setPlaces(drawPlaces(all.length));
          setWords(all);
        }}
      />
    );
  }

  if (!hidden) {
    return (
      <div>
        <h1 tabIndex={-1}>{t('generateTitle')}</h1>
        <p class="lead">{t('backupPhraseMeaning')}</p>
        <PhraseWords words={words} />
        <p class="aside">{t('backupPhraseWarning')}</p>
        <div class="step-buttons">
          <Button tone="primary" onClick={() => setHidden(true)}>
            {t('backupWritten')}
          </Button>
        </div>
      </div>
    );
  }

  const isRight = (position: number) =>
    (typed[position] ?? '').trim().toLowerCase() === words[places[position] ?? Number.NaN];
  const right = places.every((_, position) => isRight(position));
  return (
    <StepForm
      title="confirmTitle"
      meaning="confirmPhraseMeaning"
      button="commonContinue"
      ready={right}
      run={() => onDone(signer)}
      onBack={() => setHidden(false)}
      back="confirmShowAgain"
    >
      {places.map((place, position) => (
        <Field
          key={place}
          label={t('confirmWord', { place: place + 1 })}
          value={typed[position] ?? ''}
          maxLength={20}
          focusFirst={position === 0}
          error={(typed[position] ?? '').trim().length >= 3 && !isRight(position) ? t('confirmWordDiffers') : null}
          onInput={(value) => setTyped(places.map((_, index) => (index === position ? value : (typed[index] ?? ''))))}
        />
      ))}
    </StepForm>
  );
}
