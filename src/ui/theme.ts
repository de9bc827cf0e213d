import type { Settings } from '../messaging/views.ts';

type Theme = Settings['theme'];

/** Theme and language are kept here as well, so that a page opens in the right look before the background has answered. */
const storageKey = 'countersign.display';

export interface DisplaySettings {
  readonly theme: Theme;
  readonly language: string;
}

const defaults: DisplaySettings = { theme: 'system', language: 'system' };

export function rememberedDisplay(): DisplaySettings {
  try {
    const stored = JSON.parse(localStorage.getItem(storageKey) ?? '{}') as Partial<DisplaySettings>;
    return {
      theme: stored.theme === 'light' || stored.theme === 'dark' ? stored.theme : defaults.theme,
      language: typeof stored.language === 'string' ? stored.language : defaults.language,
    };
  } catch {
    return defaults;
  }
}

export function rememberDisplay(display: DisplaySettings): void {
  localStorage.setItem(storageKey, JSON.stringify({ theme: display.theme, language: display.language }));
}

let chosen: Theme = 'system';
let watching = false;

function paint(): void {
  const dark = matchMedia('(prefers-color-scheme: dark)').matches;
  document.documentElement.dataset.theme = chosen === 'system' ? (dark ? 'dark' : 'light') : chosen;
}

/** Sets `data-theme` on the document and keeps it true when the system changes. */
export function applyTheme(theme: Theme): void {
  chosen = theme;
  paint();
  if (watching) return;
  watching = true;
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', paint);
}
