import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { languages } from '../../src/messaging/languages.ts';
import type { KeyInfo } from '../../src/messaging/views.ts';
import { permissionKinds } from '../../src/operations/permissionKinds.ts';
import { type RelayerErrorName, relayerErrors, remedyFor } from '../../src/protocol/errors.ts';
import type { Strength } from '../../src/ui/shared/passwordStrength.ts';

const root = resolve(import.meta.dirname, '../..');
const texts = join(root, 'public/texts');
const locales = join(root, 'public/_locales');

const read = (code: string) => JSON.parse(readFileSync(join(texts, `${code}.json`), 'utf8')) as Record<string, string>;
const readManifestTexts = (code: string) =>
  JSON.parse(readFileSync(join(locales, localeOf(code), 'messages.json'), 'utf8')) as Record<
    string,
    { readonly message: string }
  >;
const english = read('en');
/** What a translator has to know beside the text; the forms of a number share theirs. */
const descriptions: Readonly<Record<string, string>> = JSON.parse(readFileSync(join(root, 'docs/texts.json'), 'utf8'));
const others = languages.map(({ code }) => code).filter((code) => code !== 'en');
/** Folder of a language's manifest texts: browsers know Chinese by its region alone. */
const localeOf = (code: string) => (code === 'zh' ? 'zh_CN' : code);
/** Forms that a language tells apart for whole numbers below a million. */
const formsOf = (code: string): string[] => {
  const rules = new Intl.PluralRules(code);
  return [...new Set(Array.from({ length: 300 }, (_, count) => rules.select(count)))];
};
/** The form of a counted text, and what it is the form of. */
const formOf = (key: string) => /^(.+)_(zero|one|two|few|many|other)$/.exec(key)?.slice(1, 3) ?? [];

function sources(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) return sources(path);
    return /\.tsx?$/.test(name) ? [readFileSync(path, 'utf8')] : [];
  });
}
const code = sources(join(root, 'src')).join('\n');

const names = (text: string) => [...new Set([...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1]))].sort();
/** Keys that the code writes whole, in any quotes. */
const literals = new Set([...code.matchAll(/['"`]([A-Za-z]\w*)['"`]/g)].map((match) => match[1] ?? ''));
/** Beginnings of keys that the code completes with a value, as in `permission_${kind}`. */
const beginnings = [...code.matchAll(/`([a-z][A-Za-z]*_)\$\{/g)].map((match) => match[1] ?? '');
const isUsed = (key: string) =>
  literals.has(key) ||
  literals.has(key.replace(/_(one|other)$/, '')) ||
  beginnings.some((beginning) => key.startsWith(beginning));

/** What a text is completed with, where the code has only the type of it. */
const keyKinds = Object.keys({ derived: 0, random: 0, imported: 0 } satisfies Record<KeyInfo['kind'], 0>);
const strengths = Object.keys({ short: 0, weak: 0, fair: 0, good: 0, strong: 0 } satisfies Record<Strength, 0>);

/** Second words for things that have one, by language. */
const secondWords: Readonly<Record<string, RegExp>> = {
  en: /[Ee]xchange key|[Rr]eceiver|[Ll]ayer[- ]1|[Ss]et-up|[Rr]efuse|(?<!\{)\b(?:ids?|network)\b|key change/,
  de: /Börsenschlüssel|\bOrders?\b|[Ss]igniert|\bBackups?\b|[Aa]bheb|[Aa]bgehoben|[Ii]m Voraus|tehende Erlaubnis|\bKette\b|Auftr[aä]ge? (?:endgültig )?löschen|Kennwort|Saldo|Layer[- ]1/,
  es: /monedero|billetera|petici[oó]n|clave del exchange|anular|\bretiro\b|\bpuerta\b|\b(?:la|una) (?:nueva )?pregunta\b|de antemano|permisos? permanente|capa 1/i,
  fr: /permission|[Aa]utoris(?:é|er) d’avance|clé de la plateforme|bourse|commission|couche 1/i,
  ar: /مسموح مسبق|سماح مسبق|بورصة|عمولة|كلمة السر|الطبقة 1/,
  zh: /交易所密钥|交易密钥|委托|平台|口令|账号|第 1 层/,
};

describe('message catalogs', () => {
  it.each(Object.entries(secondWords))('%s has one word for each thing', (language, words) => {
    const found = Object.entries(read(language)).filter(([, text]) => words.test(text));
    expect(found).toEqual([]);
  });

  it.each(languages.map(({ code }) => code))('%s tells the activity, ended orders and progress apart', (language) => {
    const { activityTitle, ordersOver, detailTimeline } = read(language);
    expect(new Set([activityTitle, ordersOver, detailTimeline]).size).toBe(3);
  });

  it('has a file for each language of the settings and no other', () => {
    expect(readdirSync(texts).sort()).toEqual(languages.map(({ code }) => `${code}.json`).sort());
    expect(readdirSync(locales).sort()).toEqual(languages.map(({ code }) => localeOf(code)).sort());
  });

  it.each(languages.map(({ code }) => code))(
    '%s has the texts of the manifest, and nothing else, in the browser’s own form',
    (language) => {
      const manifest = readFileSync(join(root, 'manifest.json'), 'utf8');
      const named = [...new Set([...manifest.matchAll(/__MSG_(\w+)__/g)].map(([, key = '']) => key))].sort();
      expect(Object.keys(readManifestTexts(language)).sort()).toEqual(named);
    },
  );

  it('has a description for each text, which says what every value in it is', () => {
    const baseOf = (key: string) => key.replace(/_(one|other)$/, '');
    const values = new Map<string, (string | undefined)[]>();
    for (const [key, text] of Object.entries(english))
      values.set(baseOf(key), [...new Set([...(values.get(baseOf(key)) ?? []), ...names(text)])].sort());
    expect(Object.keys(descriptions).filter((key) => !values.has(key))).toEqual([]);
    for (const [key, needed] of values) {
      expect([key, names(descriptions[key] ?? '')]).toEqual([key, needed]);
      expect([key, (descriptions[key] ?? '').length >= 10]).toEqual([key, true]);
    }
  });

  it.each(languages.map(({ code }) => code))('%s has no straight quotation mark', (language) => {
    expect(Object.entries(read(language)).filter(([, text]) => /['"]/.test(text))).toEqual([]);
  });

  it('is in six languages, so a new text has to be written in each', () => {
    expect(languages.map(({ code }) => code)).toEqual(['en', 'de', 'es', 'fr', 'zh', 'ar']);
  });

  it.each(others)('%s has exactly the keys of English, counted texts in the forms that it tells apart', (other) => {
    const forms = formsOf(other);
    // A number that is written as digits stands beside the general form wherever a language has no
    // other one.
    const needed = Object.keys(english).filter((key) => formOf(key)[1] !== 'one' || forms.includes('one'));
    const keys = Object.keys(read(other));
    expect(needed.filter((key) => !keys.includes(key))).toEqual([]);
    const beyond = keys.filter((key) => !needed.includes(key));
    expect(
      beyond.filter((key) => !forms.includes(formOf(key)[1] ?? '') || !(`${formOf(key)[0]}_other` in english)),
    ).toEqual([]);
  });

  it.each(['ar', 'zh'])('%s has Latin letters in names alone', (other) => {
    const words = Object.values(read(other)).flatMap((text) =>
      [...text.replaceAll(/\{\w+\}|https?:\/\/\S*/g, '').matchAll(/[A-Za-z]{2,}/g)].map(([word]) => word),
    );
    const names =
      /^(API|BIP|CSV|Chrome|Countersign|Ethereum|Enter|ID|IPFS|JSON|MIT|MetaMask|NFT|QR|Qm|Salt|approveTransaction|call|delegate|forceToMint|gas|hash|json|ltr|metadata|nonce|owner|relayer|rtl)$/;
    expect(words.filter((word) => !names.test(word))).toEqual([]);
  });

  it.each(languages.map(({ code }) => code))('%s has the same placeholders everywhere', (language) => {
    for (const [key, text] of Object.entries(read(language))) {
      const [base, form] = formOf(key);
      const like = english[key] ?? (form === undefined ? '' : english[`${base}_other`]) ?? '';
      expect([key, names(text)]).toEqual([key, names(like)]);
      expect(text.trim()).not.toBe('');
    }
  });

  it.each(others)('%s is translated: no sentence of English stands in it', (other) => {
    const catalog = read(other);
    const same = Object.keys(english).filter((key) => english[key] === catalog[key]);
    // Signs, values and single words, such as "{count} minutes", can be the same in two languages.
    const words = (text = '') => text.replaceAll(/\{\w+\}/g, '').match(/[A-Za-z]{2,}/g) ?? [];
    expect(same.filter((key) => words(english[key]).length > 1)).toEqual([]);
  });

  it('has both forms of each counted text', () => {
    const forms = Object.keys(english).filter((key) => /_(one|other)$/.test(key));
    for (const key of forms) expect(english).toHaveProperty(key.replace(/_(one|other)$/, '_one'));
    for (const key of forms) expect(english).toHaveProperty(key.replace(/_(one|other)$/, '_other'));
  });

  it('begins a price with the direction of its language, since it stands in sentences by itself and has Latin symbols', () => {
    for (const { code } of languages) {
      const { languageDirection, valuePrice } = read(code);
      if (languageDirection === 'rtl') expect([code, valuePrice?.[0]]).toEqual([code, '\u200f']);
    }
  });

  it('knows every key that the code names', () => {
    const called = [...code.matchAll(/\b(t|tCount|messageParts)\(\s*'(\w+)'/g)].map((match) =>
      match[1] === 'tCount' ? `${match[2]}_other` : (match[2] ?? ''),
    );
    const written = [...literals].filter((key) => /^(error|problem|review|warning|operation)_[a-z]/.test(key ?? ''));
    const unknown = [...new Set([...called, ...written])].filter((key) => !((key ?? '') in english));
    expect(unknown).toEqual([]);
    expect(called.length).toBeGreaterThan(100);
  });

  it.each([
    ['kind', permissionKinds],
    ['permission', permissionKinds],
    ['keyKind', keyKinds],
    ['keyMeaning', keyKinds],
    ['strength', strengths],
    ['strengthMeaning', strengths],
  ])('has the text %s_… of each of its values, and no other', (beginning, values) => {
    const keys = Object.keys(english).filter((key) => key.startsWith(`${beginning}_`));
    expect(keys.sort()).toEqual(values.map((value) => `${beginning}_${value}`).sort());
  });

  it('says for each refusal of the relayer what to do, in English in whole sentences', () => {
    const keys = Object.keys(english).filter((key) => key.startsWith('relayer_'));
    const needed = Object.keys(relayerErrors).map((name) => `relayer_${remedyFor(name as RelayerErrorName)}`);
    expect(keys.sort()).toEqual([...new Set(needed)].sort());
    for (const key of keys) expect(english[key]).toMatch(/^[A-Z].*\.$/);
  });

  it('has no key that nothing uses', () => {
    expect(Object.keys(english).filter((key) => !isUsed(key))).toEqual([]);
  });

  it('keeps the description within what the browser takes', () => {
    for (const { code } of languages)
      expect(readManifestTexts(code).extensionDescription?.message.length).toBeLessThanOrEqual(132);
  });
});
