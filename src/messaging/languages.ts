/** Files of `public/texts`, with the language's own name. */
export const languages = [
  { code: 'en', name: 'English' },
  { code: 'de', name: 'Deutsch' },
  { code: 'es', name: 'Español' },
  { code: 'fr', name: 'Français' },
  { code: 'zh', name: '简体中文' },
  { code: 'ar', name: 'العربية' },
] as const;

export type LanguageCode = (typeof languages)[number]['code'];

/** Picks the language for a setting: `system` means the browser's own language. */
export function chooseLanguage(setting: string, preferred: readonly string[]): { code: LanguageCode; locale: string } {
  const wanted = setting === 'system' ? preferred : [setting];
  for (const tag of wanted) {
    const base = tag.toLowerCase().split(/[-_]/)[0];
    const found = languages.find((language) => language.code === base);
    if (found !== undefined) {
      // The region of the browser's own tag decides separators and date order, when it is the same
      // language.
      const regional = preferred.find((candidate) => candidate.toLowerCase().split(/[-_]/)[0] === base);
      return { code: found.code, locale: regional ?? found.code };
    }
  }
  return { code: 'en', locale: 'en' };
}
