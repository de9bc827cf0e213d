import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const ui = resolve(import.meta.dirname, '../../src/ui');
const withoutComments = (css: string) => css.replace(/\/\*[\s\S]*?\*\//g, '');
const files = readdirSync(ui, { recursive: true, encoding: 'utf8' });
const sheets = files
  .filter((name) => name.endsWith('.css'))
  .map((name) => ({ name, css: withoutComments(readFileSync(join(ui, name), 'utf8')) }));
const tokens = sheets.find(({ name }) => name.endsWith('tokens.css'))?.css ?? '';

type Look = Readonly<Record<string, string>>;

/** The tokens of one theme, with those of the high contrast over them. */
function look(theme: 'light' | 'dark', contrast: 'normal' | 'more'): Look {
  const found: Record<string, string> = {};
  for (const [, selector = '', body = ''] of tokens.matchAll(/([^{}]+)\{([^}]*)\}/g)) {
    if (selector.includes('[data-theme') && !selector.includes(`[data-theme="${theme}"]`)) continue;
    if (selector.includes('[data-contrast') && !selector.includes(`[data-contrast="${contrast}"]`)) continue;
    for (const [, name = '', value = ''] of body.matchAll(/--([\w-]+):\s*([^;]+);/g)) found[name] = value.trim();
  }
  return found;
}

/** @see https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

const surfaces = ['paper', 'surface', 'fill'];
/** Text tokens and the grounds that they stand on. */
const texts: readonly (readonly [text: string, grounds: readonly string[]])[] = [
  ['ink', [...surfaces, 'accent-soft', 'notice-soft', 'danger-soft']],
  ['ink-soft', [...surfaces, 'notice-soft', 'danger-soft']],
  ['accent-text', [...surfaces, 'accent-soft']],
  ['notice', [...surfaces, 'notice-soft']],
  ['danger', [...surfaces, 'danger-soft']],
  ['on-accent', ['accent', 'accent-hover']],
  ['on-danger', ['danger-fill', 'danger-hover']],
];
const looks = (['light', 'dark'] as const).flatMap((theme) =>
  (['normal', 'more'] as const).map((level) => [theme, level] as const),
);

function below(theme: 'light' | 'dark', level: 'normal' | 'more', least: number): string[] {
  const values = look(theme, level);
  return texts.flatMap(([text, grounds]) =>
    grounds
      .filter((ground) => !(contrast(values[text] ?? '', values[ground] ?? '') >= least))
      .map((ground) => `${text} on ${ground}`),
  );
}

describe('design tokens', () => {
  it('measures contrast as WCAG does', () => {
    expect(contrast('#000000', '#ffffff')).toBe(21);
    expect(contrast('#767676', '#ffffff')).toBeCloseTo(4.54, 2);
  });

  it.each(looks)('%s, contrast %s: each text has at least 4.5:1 on each of its grounds', (theme, level) => {
    expect(below(theme, level, 4.5)).toEqual([]);
  });

  it.each(['light', 'dark'] as const)('%s with more contrast: each text has at least 7:1', (theme) => {
    expect(below(theme, 'more', 7)).toEqual([]);
  });

  it.each(looks)('%s, contrast %s: what is filled of a meter has at least 3:1 to its track', (theme, level) => {
    const values = look(theme, level);
    for (const fill of ['accent', 'accent-text', 'notice', 'danger'])
      expect(contrast(values[fill] ?? '', values.track ?? '')).toBeGreaterThanOrEqual(3);
  });

  it.each(['light', 'dark'] as const)('%s with more contrast: the track itself is seen on every surface', (theme) => {
    const values = look(theme, 'more');
    for (const ground of surfaces)
      expect(contrast(values['track-edge'] ?? '', values[ground] ?? '')).toBeGreaterThanOrEqual(3);
  });

  it.each(looks)('%s, contrast %s: the borders of controls have at least 3:1', (theme, level) => {
    const values = look(theme, level);
    for (const ground of surfaces)
      expect(contrast(values['line-strong'] ?? '', values[ground] ?? '')).toBeGreaterThanOrEqual(3);
  });

  it('are lighter the nearer they lie in the dark theme', () => {
    const values = look('dark', 'normal');
    const steps = surfaces.map((ground) => luminance(values[ground] ?? ''));
    expect(steps).toEqual(steps.toSorted((a, b) => a - b));
    expect(new Set(steps).size).toBe(surfaces.length);
  });

  it('are the only place with colours, apart from the mark', () => {
    const coloured = sheets
      .filter(({ name }) => !name.endsWith('tokens.css'))
      .flatMap(({ name, css }) =>
        [...css.matchAll(/([^{}]+)\{([^}]*)\}/g)]
          .filter(
            ([, selector = '', body = '']) => !selector.includes('.mark-') && /#[0-9a-f]{3,8}\b|rgb\(/i.test(body),
          )
          .map(([, selector = '']) => `${name}: ${selector.trim()}`),
      );
    expect(coloured).toEqual([]);
  });

  it('are all defined and all used', () => {
    const all = sheets.map(({ css }) => css).join('\n');
    const components = files
      .filter((name) => name.endsWith('.tsx'))
      .map((name) => readFileSync(join(ui, name), 'utf8'));
    const defined = new Set(
      [all, ...components].flatMap((text) => [...text.matchAll(/--([\w-]+)'?\s*:/g)].map(([, name]) => name)),
    );
    const used = new Set([...all.matchAll(/var\(--([\w-]+)/g)].map(([, name]) => name));
    expect([...used].filter((name) => !defined.has(name))).toEqual([]);
    expect([...defined].filter((name) => !used.has(name))).toEqual([]);
  });
});

describe('style sheets', () => {
  it.each(sheets.map(({ name, css }) => [name, css] as const))('%s reads the same from either side', (_, css) => {
    const physical =
      /(?:^|[;{\s])((?:margin|padding|border|scroll-margin|scroll-padding)-(?:left|right)[\w-]*|left|right|float)\s*:|text-align:\s*(?:left|right)|transform-origin:[^;]*(?:left|right)/g;
    expect([...css.matchAll(physical)].map(([text]) => text.trim())).toEqual([]);
  });

  it.each([
    ['receipt', 'receipt'],
    ['unlock', 'approval'],
    ['approval', 'approval'],
    ['keyUpdate', 'keyUpdate'],
    ['onboarding', 'onboarding'],
  ])('of what is drawn in %s are loaded by %s.html', (folder, page) => {
    const withImports = (name: string): string[] => {
      const css = readFileSync(join(ui, name), 'utf8');
      const imports = [...css.matchAll(/@import "([^"]+)"/g)].map(([, path = '']) => join(dirname(name), path));
      return [name, ...imports.flatMap(withImports)];
    };
    const html = readFileSync(join(ui, `${page}.html`), 'utf8');
    const loaded = [...html.matchAll(/"stylesheet" href="([^"]+)"/g)].flatMap(([, path = '']) =>
      withImports(join(path)),
    );
    const classesOf = (css: string) => [...css.matchAll(/\.([a-z][\w-]*)/g)].map(([, name = '']) => name);
    const here = new Set(sheets.filter(({ name }) => loaded.includes(name)).flatMap(({ css }) => classesOf(css)));
    const elsewhere = new Set(sheets.flatMap(({ css }) => classesOf(css)));
    const used = files
      .filter((name) => name.startsWith(`${folder}/`) && name.endsWith('.tsx'))
      .flatMap((name) => [...readFileSync(join(ui, name), 'utf8').matchAll(/\bclass="([^"]+)"/g)])
      .flatMap(([, names = '']) => names.split(' '));
    expect(used).not.toEqual([]);
    expect(used.filter((name) => elsewhere.has(name) && !here.has(name))).toEqual([]);
  });

  it('set names on the side of the texts around them also in Chromium, which has that under a prefix', () => {
    const base = sheets.find(({ name }) => name.endsWith('base.css'))?.css ?? '';
    expect(base).toMatch(/bdi:not\(\[dir\]\) \{\s*text-align: -webkit-match-parent;\s*text-align: match-parent;/);
  });

  it('keep the numbers of steps, and draw one arrow between what is paid and all that is received', () => {
    const css = sheets.map((sheet) => sheet.css).join('\n');
    expect(css).toMatch(/\.receive-steps \{[^}]*list-style: decimal/);
    expect(css).toMatch(/\.ticket-receive \+ \.ticket-receive \.ticket-arrow \{\s*display: none/);
  });

  it('stop every motion for those who asked for none', () => {
    const base = sheets.find(({ name }) => name.endsWith('base.css'))?.css ?? '';
    expect(base).toMatch(/prefers-reduced-motion: reduce[^}]*animation-duration: 0\.01ms !important/);
  });
});
