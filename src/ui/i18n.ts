import { type Catalog, readCatalog } from '../messaging/catalogs.ts';
import { chooseLanguage, type LanguageCode } from '../messaging/languages.ts';
import type { UiErrorValue } from '../messaging/uiMethods.ts';
import { rememberTexts } from './early.ts';
import { platform } from './platform.ts';
import { plainSigns } from './shared/plainSigns.ts';
import { visibleText } from './shared/visibleText.ts';

export type MessagePart = string | { readonly name: string };

/** Longest text from outside inside a sentence, in characters. */
const valueLimit = 200;
const placeholder = /\{([A-Za-z0-9_]+)\}|\{\{/g;

let current: Catalog = {};
/** The texts that were asked for last. */
let newest: Promise<Catalog>;
let currentLanguage: LanguageCode = 'en';
let currentLocale = 'en';
let rightToLeft = false;

/** Replaces the texts; `navigator.languages` decides for the setting `system`. */
export async function loadLanguage(setting: string): Promise<void> {
  const chosen = chooseLanguage(setting, navigator.languages);
  rememberTexts(chosen.code);
  const reading = readCatalog((path) => platform().runtime.getURL(path), chosen.code);
  newest = reading;
  const catalog = await reading;
  if (newest === reading) useCatalog(catalog, chosen.code, chosen.locale);
}

/**
 * Sets the texts directly. No other language answers for what it lacks: each is complete, as a test
 * holds.
 */
export function useCatalog(catalog: Catalog, code: LanguageCode, locale: string): void {
  current = catalog;
  currentLanguage = code;
  currentLocale = locale;
  document.documentElement.lang = code;
  rightToLeft = message('languageDirection') === 'rtl';
  document.documentElement.dir = rightToLeft ? 'rtl' : 'ltr';
}

/** BCP 47 tag for Intl. */
export const locale = (): string => currentLocale;

/**
 * True when the catalog knows the key; keys come from the background too, which may be newer than
 * this page.
 */
export function hasMessage(key: string): boolean {
  return current[key] !== undefined;
}

function message(key: string): string {
  return current[key] ?? key;
}

/** The message cut at its placeholders, for sentences whose values are drawn as components. */
export function messageParts(key: string): MessagePart[] {
  const parts: MessagePart[] = [];
  const text = message(key);
  let end = 0;
  for (const match of text.matchAll(placeholder)) {
    if (match.index > end) parts.push(text.slice(end, match.index));
    parts.push(match[1] === undefined ? '{' : { name: match[1].toLowerCase() });
    end = match.index + match[0].length;
  }
  if (end < text.length) parts.push(text.slice(end));
  return parts;
}

/**
 * A value where no element can keep it together: between right-to-left words a sign or a unit would
 * change sides without FSI and PDI.
 */
export const isolated = (text: string): string => (rightToLeft ? `\u2068${text}\u2069` : text);

/**
 * The text of a key. Values count as text from outside, escaped and cut, unless they name a message
 * of the catalogs.
 */
export function t(key: string, values: Readonly<Record<string, UiErrorValue | number>> = {}): string {
  const byName = new Map(Object.entries(values).map(([name, value]) => [name.toLowerCase(), value]));
  return messageParts(key)
    .map((part) => {
      if (typeof part === 'string') return part;
      const value = byName.get(part.name);
      if (value === undefined) return '';
      if (typeof value === 'object') return t(value.key);
      return isolated(visibleText(String(value), valueLimit));
    })
    .join('');
}

/**
 * Like `t` for a counted thing; `{count}` is the formatted number.
 * @param key - Beginning of the keys `key_one`, `key_other` and whatever else the language's plural
 *   rules distinguish.
 */
export function tCount(key: string, count: number): string {
  const form = `${key}_${new Intl.PluralRules(currentLanguage).select(count)}`;
  return t(hasMessage(form) ? form : `${key}_other`, {
    count: plainSigns(new Intl.NumberFormat(currentLocale, { numberingSystem: 'latn' }).format(count)),
  });
}
