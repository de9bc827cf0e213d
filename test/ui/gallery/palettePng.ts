import { crc32 } from 'node:zlib';
import { zlibAsync } from '@gfx/zopfli';

/** Values of a channel that are told apart in smoothed edges, where nobody sees the difference. */
const STEP = 32;
/** Rounds of the search for a shorter code. */
const ROUNDS = 200;
/** Part of the picture from which on a colour is an area, and stays as it is. */
const AREA = 0.005;

/** The value in the middle of its step; nothing and everything stay what they are. */
const stepOf = (value: number): number =>
  value === 0 || value === 255 ? value : Math.floor(value / STEP) * STEP + STEP / 2;

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const bytes = Buffer.alloc(body.length + 8);
  bytes.writeUInt32BE(data.length, 0);
  body.copy(bytes, 4);
  bytes.writeUInt32BE(crc32(body), body.length + 4);
  return bytes;
}

/**
 * A square picture as PNG with a palette: half the size of one with four bytes a pixel.
 * @param pixels - Red, green, blue and alpha of each pixel, row by row.
 * @throws {RangeError} The picture has more than 256 colours.
 * @see https://www.w3.org/TR/png-3/
 */
export async function palettePng(size: number, pixels: readonly number[]): Promise<Buffer> {
  const drawn = Array.from({ length: size * size }, (_, index) => pixels.slice(4 * index, 4 * index + 4));
  const counts = new Map<string, number>();
  for (const colour of drawn) counts.set(colour.join(), (counts.get(colour.join()) ?? 0) + 1);
  const colours = new Map<string, readonly number[]>();
  const keys = drawn.map((exact) => {
    const isArea = (counts.get(exact.join()) ?? 0) > AREA * size * size;
    const colour = isArea ? exact : exact.map(stepOf);
    const key = colour[3] === 0 ? 'none' : colour.join();
    colours.set(key, key === 'none' ? [0, 0, 0, 0] : colour);
    return key;
  });
  // By alpha: what is opaque needs no entry among the transparent ones.
  const palette = [...colours].toSorted(([, a], [, b]) => (a[3] ?? 0) - (b[3] ?? 0));
  if (palette.length > 256) throw new RangeError(`${palette.length} colours do not fit into a palette`);
  const places = new Map(palette.map(([key], index) => [key, index]));
  const rows = Buffer.alloc((size + 1) * size);
  for (const [index, key] of keys.entries()) rows[index + Math.floor(index / size) + 1] = places.get(key) ?? 0;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  // Eight bits a pixel, each the place of a colour in the palette.
  header.set([8, 3], 8);
  const alphas = palette.map(([, [, , , alpha = 255]]) => alpha).filter((alpha) => alpha < 255);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flatMap(([, colour]) => colour.slice(0, 3)))),
    chunk('tRNS', Buffer.from(alphas)),
    chunk('IDAT', await zlibAsync(rows, { numiterations: ROUNDS })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
