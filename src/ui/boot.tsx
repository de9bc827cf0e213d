import { type ComponentType, render } from 'preact';
import { askEarly } from './background.ts';
import { loadLanguage } from './i18n.ts';
import { applyTheme, rememberedDisplay } from './theme.ts';

/** False inside any frame: an embedded wallet page draws nothing and calls nothing. */
export function isTopDocument(view: Pick<Window, 'top' | 'self'>): boolean {
  return view.top === view.self;
}

/**
 * Starts a page of the wallet: theme at once, texts, then the screen.
 * @param ask - Asks early what the first drawing needs.
 */
export async function boot(Page: ComponentType, ask = () => {}): Promise<void> {
  if (!isTopDocument(window)) return;
  const root = document.getElementById('root');
  if (root === null) return;
  const display = rememberedDisplay();
  applyTheme(display);
  askEarly('getState', {});
  ask();
  await loadLanguage(display.language);
  render(<Page />, root);
}
