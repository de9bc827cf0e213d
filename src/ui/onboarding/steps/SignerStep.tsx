import { useState } from 'preact/hooks';
import { t } from '../../i18n.ts';
import { Icon } from '../../shared/Icon.tsx';
import type { Signer } from '../progress.ts';
import { GenerateSigner } from './GenerateSigner.tsx';
import { ImportSigner } from './ImportSigner.tsx';

export function SignerStep({ onDone }: { readonly onDone: (signer: Signer) => void }) {
  const [way, setWay] = useState<'import' | 'generate' | null>(null);
  if (way === 'import') return <ImportSigner onDone={onDone} onBack={() => setWay(null)} />;
  if (way === 'generate') return <GenerateSigner onDone={onDone} onBack={() => setWay(null)} />;
  return (
    <div>
      <h1 tabIndex={-1}>{t('signerTitle')}</h1>
      <p class="lead">{t('signerMeaning')}</p>
      <div class="ways">
        <button type="button" class="way" onClick={() => setWay('import')}>
          <Icon name="key" />
          <strong>{t('signerImport')}</strong>
          <span class="soft">{t('signerImportMeaning')}</span>
        </button>
        <button type="button" class="way" onClick={() => setWay('generate')}>
          <Icon name="plus" />
          <strong>{t('signerGenerate')}</strong>
          <span class="soft">{t('signerGenerateMeaning')}</span>
        </button>
      </div>
    </div>
  );
}
