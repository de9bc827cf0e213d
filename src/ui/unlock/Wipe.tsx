import { useState } from 'preact/hooks';
import type { WalletState } from '../../messaging/views.ts';
import { call } from '../background.ts';
import { t } from '../i18n.ts';
import { Banner } from '../shared/Banner.tsx';
import { Button } from '../shared/Button.tsx';
import { Field } from '../shared/Field.tsx';
import { Form } from '../shared/Form.tsx';
import { Problem } from '../shared/Problem.tsx';
import { useAction } from '../shared/useAction.ts';

/** Erases the wallet after a word was typed. */
export function Wipe({ onWiped }: { readonly onWiped: (wallet: WalletState) => unknown }) {
  const [typed, setTyped] = useState('');
  const word = t('securityWipeWord');
  const ready = typed.trim().toLowerCase() === word.toLowerCase();
  const wipe = useAction(async () => {
    const wallet = await call('wipe', { confirm: 'wipe' });
    // The background reaches no store of a page. Look and language are set back with the new state.
    try {
      sessionStorage.clear();
    } catch {
      // A store that is denied or damaged holds nothing that a page could read.
    }
    await onWiped(wallet);
  });
  return (
    <Form class="stack" onSubmit={() => ready && wipe.run()}>
      <Banner tone="danger">{t('securityWipeMeaning')}</Banner>
      <Field label={t('securityWipeField', { word })} value={typed} maxLength={30} onInput={setTyped} />
      <Problem error={wipe.error} />
      <Button type="submit" tone="danger" wide busy={wipe.busy} disabled={!ready}>
        {t('securityWipeButton')}
      </Button>
    </Form>
  );
}
