import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { unwrapWoff } from '../../scripts/pictures/uiFont.ts';
import { root } from '../../scripts/prepare.mjs';

const woff = readFileSync(join(root, 'node_modules/@fontsource/inter/files/inter-latin-400-normal.woff'));

test('a font comes out of its wrapper whole: every table lies where it is named, with its checksum', () => {
  const font = unwrapWoff(woff);
  expect(font.readUInt32BE(0)).toBe(0x00010000);
  const tables = Array.from({ length: font.readUInt16BE(4) }, (_, index) => {
    const at = 12 + 16 * index;
    const [checksum, offset, length] = [4, 8, 12].map((field) => font.readUInt32BE(at + field)) as [
      number,
      number,
      number,
    ];
    let sum = 0;
    for (let word = offset; word < offset + length; word += 4) sum = (sum + font.readUInt32BE(word)) >>> 0;
    return { tag: font.toString('latin1', at, at + 4), holds: sum === checksum };
  });
  expect(tables.map(({ tag }) => tag)).toEqual(expect.arrayContaining(['cmap', 'glyf', 'head', 'loca']));
  // The sum of `head` holds a field that is adjusted after its own sum was taken.
  expect(tables.filter(({ tag, holds }) => tag !== 'head' && !holds)).toEqual([]);
});

test('what is no WOFF 1 file is refused', () => {
  expect(() => unwrapWoff(Buffer.from('wOF2 and more'))).toThrow('not a WOFF 1 file');
});
