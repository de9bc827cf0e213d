import { useState } from 'preact/hooks';
import type { NetworkView } from '../../../messaging/views.ts';
import { t } from '../../i18n.ts';
import { Icon } from '../../shared/Icon.tsx';
import type { Signer } from '../progress.ts';
import { ConnectExtension } from './ConnectExtension.tsx';
import { GenerateSigner } from './GenerateSigner.tsx';
import { ImportPhrase } from './ImportPhrase.tsx';
import { ImportSigner } from './ImportSigner.tsx';

const ways = [
  { way: 'metamask', icon: 'external', title: 'signerMetaMask', meaning: 'signerExtensionMeaning' },
  { way: 'extension', icon: 'external', title: 'signerExtension', meaning: 'signerExtensionMeaning' },
  { way: 'phrase', icon: 'list', title: 'signerPhrase', meaning: 'signerPhraseMeaning' },
  { way: 'import', icon: 'key', title: 'signerImport', meaning: 'signerImportMeaning' },
  { way: 'generate', icon: 'plus', title: 'signerGenerate', meaning: 'signerGenerateMeaning' },
] as const;

interface SignerStepProps {
  readonly network: NetworkView;
  /** A signer with a new phrase that was made and not confirmed yet. */
  readonly made: Signer | null;
  readonly onMade: (signer: Signer) => void;
  readonly onDone: (signer: Signer) => void;
}

export function SignerStep({ network, made, onMade, onDone }: SignerStepProps) {
  const [chosen, setChosen] = useState<(typeof ways)[number]['way'] | null>(null);
  const onBack = () => setChosen(null);
  if (chosen === 'metamask' || chosen === 'extension')
    return <ConnectExtension isMetaMask={chosen === 'metamask'} onDone={onDone} onBack={onBack} />;
  if (chosen === 'phrase') return <ImportPhrase network={network} onDone={onDone} onBack={onBack} />;
  if (chosen === 'import') return <ImportSigner onDone={onDone} onBack={onBack} />;
  if (chosen === 'generate') return <GenerateSigner {...{ made, onMade, onDone, onBack }} />;
  return (
    <div>
      <h1 tabIndex={-1}>{t('signerTitle')}</h1>
      <p class="lead">{t('signerMeaning')}</p>
      <div class="ways">
        {ways.map(({ way, icon, title, meaning }) => (
          <button key={way} type="button" class="way" data-testid={`way-${way}`} onClick={() => setChosen(way)}>
            <Icon name={icon} />
            <strong>{t(title)}</strong>
            <span class="soft">{t(meaning)}</span>
          </button>
        ))}
      </div>
    </div>
  );
}
