import { type ComponentType, render } from 'preact';
import { isTopDocument } from './early.ts';
import { loadLanguage } from './i18n.ts';
import { traceUncaught } from './leaveTrace.ts';
import { stay } from './stay.tsx';
import { rememberedDisplay } from './theme.ts';

const ICON_AFTER_MS = 500;

/** Starts a page of the wallet: texts, then the screen. */
export async function boot(Page: ComponentType): Promise<void> {
  if (!isTopDocument(window)) return;
  traceUncaught();
  const root = document.getElementById('root');
  if (root === null) return;
  await loadLanguage(rememberedDisplay().language);
  render(<Page />, root);
  setTimeout(() => {
    showIcon();
    void stay();
  }, ICON_AFTER_MS);
}

/** The mark in the tab, which the browser would fetch and decode before what a user waits for. */
function showIcon(): void {
  const link = document.createElement('link');
  link.rel = 'icon';
  link.href = '/icons/32.png';
  document.head.append(link);
}
