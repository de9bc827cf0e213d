import { useState } from 'preact/hooks';
import { call } from '../../background.ts';
import { t } from '../../i18n.ts';
import { Button } from '../../shared/Button.tsx';
import { Field } from '../../shared/Field.tsx';
import { PhraseWords } from '../../shared/PhraseWords.tsx';
import type { Signer } from '../progress.ts';
import { AskPassword } from './AskPassword.tsx';

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
        title={t('generateTitle')}
        meaning={t('generateMeaning')}
        hint={t('generatePasswordHint')}
        button={t('generateButton')}
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
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (right) onDone(signer);
      }}
    >
      <h1 tabIndex={-1}>{t('confirmTitle')}</h1>
      <p class="lead">{t('confirmPhraseMeaning')}</p>
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
      <div class="step-buttons">
        <Button tone="quiet" onClick={() => setHidden(false)}>
          {t('confirmShowAgain')}
        </Button>
        <Button type="submit" tone="primary" disabled={!right}>
          {t('commonContinue')}
        </Button>
      </div>
    </form>
  );
}
