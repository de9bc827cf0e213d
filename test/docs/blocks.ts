import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/prepare.mjs';

export interface Block {
  /** First word after the fence, such as `js` or `sh`. */
  readonly language: string;
  /** What follows it: `runs`, `runs until listening`, or nothing. */
  readonly mark: string;
  readonly text: string;
  /** Of the opening fence, from 1. */
  readonly line: number;
}

/** Fenced code blocks of a document, in their order. */
export function blocksOf(path: string): readonly Block[] {
  const blocks: Block[] = [];
  let open: { language: string; mark: string; line: number; lines: string[] } | undefined;
  for (const [index, line] of readFileSync(join(root, path), 'utf8').split('\n').entries()) {
    const fence = /^\s*```(\S*)\s*(.*)$/.exec(line);
    if (!fence) open?.lines.push(line);
    else if (open) {
      blocks.push({ language: open.language, mark: open.mark, text: open.lines.join('\n'), line: open.line });
      open = undefined;
    } else open = { language: fence[1] ?? '', mark: fence[2] ?? '', line: index + 1, lines: [] };
  }
  return blocks;
}

/** Turns `expression // → value` into a comparison; everything else stays. */
export const withChecks = (text: string): string =>
  text.replace(/^(.*?);? \/\/ → (.*)$/gm, (_, expression, value) => {
    const claim = JSON.stringify(expression.trim());
    return `__compare(${claim}, ${expression.trim()}, ${value});`;
  });
