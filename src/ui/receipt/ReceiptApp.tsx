import { useEffect, useRef, useState } from 'preact/hooks';
import { MAX_RECEIPT_LENGTH } from '../../messaging/limits.ts';
import type { ReceiptFinding } from '../../messaging/views.ts';
import { call } from '../background.ts';
import { t } from '../i18n.ts';
import { Banner } from '../shared/Banner.tsx';
import { Button } from '../shared/Button.tsx';
import { Mark } from '../shared/Icon.tsx';
import { namePage } from '../shared/namePage.ts';
import { Problem } from '../shared/Problem.tsx';
import { useAction } from '../shared/useAction.ts';
import { useWallet } from '../shared/useWallet.ts';
import { Finding } from './Finding.tsx';

/** Takes the first file of a choice or a drop. */
function useReceipt() {
  const [finding, setFinding] = useState<ReceiptFinding | 'too-large' | null>(null);
  const check = useAction(async (file: File) => {
    setFinding(null);
    // Bytes are at least as many as characters.
    const text = file.size > MAX_RECEIPT_LENGTH * 4 ? null : await file.text();
    if (text === null || text.length > MAX_RECEIPT_LENGTH) setFinding('too-large');
    else setFinding(await call('verifyReceipt', { text }));
  });
  const forget = () => {
    check.clear();
    setFinding(null);
  };
  return { finding, check, forget };
}

function Choice({ onFile, busy }: { readonly onFile: (file: File) => void; readonly busy: boolean }) {
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const take = (files: FileList | null | undefined) => {
    const file = files?.[0];
    if (file) onFile(file);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a second way; the button inside is the first
    <div
      class={over ? 'receipt-drop receipt-drop-over' : 'receipt-drop'}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        take(event.dataTransfer?.files);
      }}
    >
      <Button tone="primary" busy={busy} onClick={() => input.current?.click()}>
        {t('fileChoose')}
      </Button>
      <p class="soft">{t('receiptDrop')}</p>
      <input
        ref={input}
        class="visually-hidden"
        type="file"
        accept="application/json,.json"
        tabIndex={-1}
        aria-label={t('fileChoose')}
        data-testid="receipt-file"
        // So that the same file can be chosen again.
        onClick={(event) => {
          event.currentTarget.value = '';
        }}
        onChange={(event) => take(event.currentTarget.files)}
      />
    </div>
  );
}

/** Checks a receipt by itself: it needs no account and no password. */
export function ReceiptApp() {
  useWallet();
  const { finding, check, forget } = useReceipt();
  useEffect(() => {
    namePage(t('receiptTitle'));
  });
  return (
    <main class="receipt">
      <header class="receipt-head">
        <Mark />
        <h1>{t('receiptTitle')}</h1>
      </header>
      {finding === null && (
        <>
          <p class="soft">{t('receiptIntro')}</p>
          <Choice onFile={(file) => check.run(file)} busy={check.busy} />
        </>
      )}
      <Problem error={check.error} />
      {finding === 'too-large' && (
        <Banner tone="danger" role="alert">
          {t('receiptTooLarge')}
        </Banner>
      )}
      {finding !== null && finding !== 'too-large' && <Finding finding={finding} />}
      {finding !== null && <Button onClick={forget}>{t('receiptAnother')}</Button>}
    </main>
  );
}
