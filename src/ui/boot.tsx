import { type ComponentType, render } from 'preact';
import { isTopDocument } from './early.ts';
import { loadLanguage } from './i18n.ts';
import { applyTheme, rememberedDisplay } from './theme.ts';

/** Starts a page of the wallet: theme at once, texts, then the screen. */
export async function boot(Page: ComponentType): Promise<void> {
  if (!isTopDocument(window)) return;
  const root = document.getElementById('root');
  if (root === null) return;
  const display = rememberedDisplay();
  applyTheme(display);
  await loadLanguage(display.language);
  render(<Page />, root);
}
