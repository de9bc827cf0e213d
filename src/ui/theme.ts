import type { Settings } from '../messaging/views.ts';
import type { StoredKey } from '../storage/storedValues.ts';
import { remember, remembered } from './early.ts';

/**
 * Theme, contrast and language are kept here as well, so that a page opens in the right look before
 * the background has answered.
 */
const storageKey = 'countersign.display' satisfies StoredKey<'page'>;

export type Look = Pick<Settings, 'theme' | 'contrast'>;
export type DisplaySettings = Look & Pick<Settings, 'language'>;

export function rememberedDisplay(): DisplaySettings {
  let stored: Partial<DisplaySettings> = {};
  try {
    stored = JSON.parse(remembered(storageKey) ?? '{}') ?? {};
  } catch {
    // Unreadable is as good as absent.
  }
  return {
    theme: stored.theme === 'light' || stored.theme === 'dark' ? stored.theme : 'system',
    contrast: stored.contrast === 'more' ? 'more' : 'system',
    language: typeof stored.language === 'string' ? stored.language : 'system',
  };
}

export function rememberDisplay({ theme, contrast, language }: DisplaySettings): void {
  remember(storageKey, JSON.stringify({ theme, contrast, language }));
}

let chosen: Look = { theme: 'system', contrast: 'system' };
let watching = false;

const queries = { dark: '(prefers-color-scheme: dark)', more: '(prefers-contrast: more)' } as const;

function paint(): void {
  const { dataset } = document.documentElement;
  const dark = matchMedia(queries.dark).matches;
  dataset.theme = chosen.theme === 'system' ? (dark ? 'dark' : 'light') : chosen.theme;
  dataset.contrast = chosen.contrast === 'more' || matchMedia(queries.more).matches ? 'more' : 'normal';
}

/**
 * Sets `data-theme` and `data-contrast` on the document and keeps them true when the system
 * changes.
 */
export function applyTheme({ theme, contrast }: Look): void {
  chosen = { theme, contrast };
  paint();
  if (watching) return;
  watching = true;
  for (const query of Object.values(queries)) matchMedia(query).addEventListener('change', paint);
}
