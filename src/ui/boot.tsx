import { type ComponentType, render } from 'preact';
import { isTopDocument, send } from './early.ts';
import { loadLanguage } from './i18n.ts';
import { rememberedDisplay } from './theme.ts';

const ICON_AFTER_MS = 500;
/** Well below the time after which the background takes the page for closed. */
const STAY_MS = 20_000;

/** Starts a page of the wallet: texts, then the screen. */
export async function boot(Page: ComponentType): Promise<void> {
  if (!isTopDocument(window)) return;
  const root = document.getElementById('root');
  if (root === null) return;
  await loadLanguage(rememberedDisplay().language);
  render(<Page />, root);
  setTimeout(() => {
    showIcon();
    stay();
  }, ICON_AFTER_MS);
}

/** Lets the background hear what relayers tell while this page is there. */
function stay(): void {
  void send('stay', {});
  setTimeout(stay, STAY_MS);
}

/** The mark in the tab, which the browser would fetch and decode before what a user waits for. */
function showIcon(): void {
  const link = document.createElement('link');
  link.rel = 'icon';
  link.href = '/icons/32.png';
  document.head.append(link);
}
