import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseAst } from 'vite';
import { describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const ui = join(root, 'src/ui');
const catalog: Readonly<Record<string, unknown>> = JSON.parse(readFileSync(join(root, 'public/texts/en.json'), 'utf8'));

interface Node {
  readonly type: string;
  readonly [key: string]: unknown;
}

/** Attributes that people see or hear. */
const spoken = new Set([
  'aria-label',
  'aria-description',
  'aria-roledescription',
  'title',
  'placeholder',
  'alt',
  'label',
]);
/**
 * The product's own name is the same in every language. Keys of the catalogs are texts by another
 * component's hand.
 */
const allowed = new Set(['Countersign']);

const isText = (value: unknown): value is string =>
  typeof value === 'string' && /\p{L}{2}/u.test(value) && !allowed.has(value.trim()) && !(value in catalog);

function children(node: Node): Node[] {
  return Object.values(node)
    .flatMap((value) => (Array.isArray(value) ? value : [value]))
    .filter((value): value is Node => typeof value === 'object' && value !== null && 'type' in value);
}

/** Texts that an expression may give, whichever of its branches is taken. */
function textsOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const node = value as Node;
  switch (node.type) {
    case 'Literal':
      return [node.value].filter(isText);
    case 'TemplateLiteral':
      return (node.quasis as { value: { cooked: unknown } }[]).map((part) => part.value.cooked).filter(isText);
    case 'ConditionalExpression':
      return [...textsOf(node.consequent), ...textsOf(node.alternate)];
    case 'LogicalExpression':
      return [...textsOf(node.left), ...textsOf(node.right)];
    case 'BinaryExpression':
      return node.operator === '+' ? [...textsOf(node.left), ...textsOf(node.right)] : [];
    default:
      // Braces, parentheses and types around another expression.
      return textsOf(node.expression);
  }
}

/** Texts that a screen would show without asking the catalogs. */
function literalTexts(code: string): string[] {
  const found: string[] = [];
  const visit = (node: Node): void => {
    if (node.type === 'JSXText' && isText(node.value)) found.push(node.value.trim());
    if (node.type === 'JSXElement' || node.type === 'JSXFragment')
      for (const child of node.children as Node[])
        if (child.type === 'JSXExpressionContainer') found.push(...textsOf(child));
    const attribute = node as { name?: { name?: string }; value?: Node | null };
    if (node.type === 'JSXAttribute' && spoken.has(attribute.name?.name ?? '')) found.push(...textsOf(attribute.value));
    for (const child of children(node)) visit(child);
  };
  visit(parseAst(code, { lang: 'tsx' }) as unknown as Node);
  return found;
}

const files = readdirSync(ui, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.tsx'));

describe('texts of the screens', () => {
  it('finds a text that is written into a component, in each of the ways one can write it', () => {
    expect(literalTexts('const a = <p>Send now</p>')).toEqual(['Send now']);
    expect(literalTexts("const a = <p>{'Send now'}</p>")).toEqual(['Send now']);
    expect(literalTexts("const a = <p>{isNow ? 'Send now' : ('Send later' as const)}</p>")).toEqual([
      'Send now',
      'Send later',
    ]);
    expect(literalTexts("const a = <p>{name ?? 'Nobody'} {isNow && 'Send now'}</p>")).toEqual(['Nobody', 'Send now']);
    expect(literalTexts('const a = <p>{`Send now`}</p>')).toEqual(['Send now']);
    expect(literalTexts("const a = <p>{'Send ' + amount}</p>")).toEqual(['Send ']);
    expect(literalTexts('const a = <button aria-label="Send now" />')).toEqual(['Send now']);
    expect(literalTexts("const a = <button title={isNow ? 'Send now' : undefined} />")).toEqual(['Send now']);
    expect(literalTexts("const a = <p class={'row'}>{way === 'send' && <b>{t('send')}</b>}</p>")).toEqual([]);
    expect(literalTexts('const a = <Row label="Fee">{t("rowFee")} · {1}</Row>')).toEqual(['Fee']);
    expect(literalTexts('const a = <><b class="x">{t("a")}</b></>')).toEqual([]);
  });

  it.each(files)('%s takes every text from the catalogs', (file) => {
    expect(literalTexts(readFileSync(join(ui, file), 'utf8'))).toEqual([]);
  });
});
