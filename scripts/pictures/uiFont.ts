import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import { root } from '../prepare.mjs';

/** Weights that the screens use, and the one between them. */
const WEIGHTS = [400, 500, 600, 700];
const SUBSETS = ['latin', 'latin-ext'];

/**
 * Unpacks a WOFF 1 file to the font that it wraps: fontconfig prefers bare fonts to wrapped ones.
 * @see https://www.w3.org/TR/WOFF/
 */
export function unwrapWoff(woff: Buffer): Buffer {
  if (woff.toString('latin1', 0, 4) !== 'wOFF') throw new Error('not a WOFF 1 file');
  const tables = Array.from({ length: woff.readUInt16BE(12) }, (_, index) => {
    const at = 44 + 20 * index;
    const [offset, packed, length] = [4, 8, 12].map((field) => woff.readUInt32BE(at + field)) as [
      number,
      number,
      number,
    ];
    const data = woff.subarray(offset, offset + packed);
    return {
      tag: woff.subarray(at, at + 4),
      checksum: woff.subarray(at + 16, at + 20),
      data: packed < length ? inflateSync(data) : data,
    };
  });
  const header = Buffer.alloc(12 + 16 * tables.length);
  const power = Math.floor(Math.log2(tables.length));
  woff.copy(header, 0, 4, 8);
  header.writeUInt16BE(tables.length, 4);
  header.writeUInt16BE(2 ** power * 16, 6);
  header.writeUInt16BE(power, 8);
  header.writeUInt16BE((tables.length - 2 ** power) * 16, 10);
  const parts: Uint8Array[] = [header];
  let end = header.length;
  for (const [index, { tag, checksum, data }] of tables.entries()) {
    const at = 12 + 16 * index;
    tag.copy(header, at);
    checksum.copy(header, at + 4);
    header.writeUInt32BE(end, at + 8);
    header.writeUInt32BE(data.length, at + 12);
    const padded = Math.ceil(data.length / 4) * 4;
    parts.push(data, Buffer.alloc(padded - data.length));
    end += padded;
  }
  return Buffer.concat(parts);
}

/**
 * Environment of a browser on Linux in which `system-ui` is Inter, so that pictures look as on a
 * computer with a good interface font. Elsewhere it changes nothing. Signs that Inter's subsets
 * lack come from the machine's own fonts.
 */
export async function withUiFont(): Promise<Record<string, string>> {
  const from = join(root, 'node_modules/@fontsource/inter/files');
  const folder = join(root, 'out/fonts');
  await mkdir(folder, { recursive: true });
  for (const subset of SUBSETS)
    for (const weight of WEIGHTS) {
      const name = `inter-${subset}-${weight}-normal`;
      await writeFile(join(folder, `${name}.ttf`), unwrapWoff(await readFile(join(from, `${name}.woff`))));
    }
  const configuration = join(folder, 'fonts.conf');
  await writeFile(
    configuration,
    `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <dir>${folder}</dir>
  <cachedir>${join(folder, 'cache')}</cachedir>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <match target="pattern">
    <test name="family"><string>sans-serif</string></test>
    <edit name="family" mode="prepend_first" binding="strong"><string>Inter</string></edit>
  </match>
</fontconfig>
`,
  );
  return { ...(process.env as Record<string, string>), FONTCONFIG_FILE: configuration };
}
