/** A picture's type and size, as its own first bytes say. */
export interface RasterImage {
  readonly type: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';
  readonly width: number;
  readonly height: number;
}

const startsWith = (bytes: Uint8Array, at: number, text: string) =>
  [...text].every((letter, index) => bytes[at + index] === letter.charCodeAt(0));

/** JPEG: frame headers, which carry the size; C4, C8 and CC are tables. */
const isFrame = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

function jpegSize(view: DataView): { width: number; height: number } | null {
  for (let at = 2; at + 9 <= view.byteLength; ) {
    if (view.getUint8(at) !== 0xff) return null;
    const marker = view.getUint8(at + 1);
    if (isFrame(marker)) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    // No length follows these: what decoders skip as a comment could name another size here.
    if (marker < 0xc0 || (marker >= 0xd0 && marker <= 0xd9) || marker === 0xff) return null;
    at += 2 + view.getUint16(at + 2);
  }
  return null;
}

/**
 * GIF: whether all frames lie within the logical screen. Decoders enlarge it to its first frame,
 * and Firefox unpacks the whole of a later one.
 */
function framesFit(bytes: Uint8Array, view: DataView): boolean {
  const word = (at: number) => view.getUint16(at, true);
  /** Bytes of the colour table that these flags announce. */
  const table = (flags = 0) => (flags >> 7) * (6 << (flags & 7));
  for (let at = 13 + table(bytes[10]); at + 10 <= bytes.length && bytes[at] !== 0x3b; ) {
    let least = 0;
    let size: number;
    if (bytes[at] === 0x2c) {
      if (word(at + 1) + word(at + 5) > word(6) || word(at + 3) + word(at + 7) > word(8)) return false;
      at += 11 + table(bytes[at + 9]);
    } else if (bytes[at] === 0x21) {
      // Firefox reads so much of shorter blocks too, so that a frame could hide in what others
      // skip: of a control block, and of NETSCAPE2.0 and ANIMEXTS1.0, known by the point.
      least = bytes[at + 1] === 0xf9 ? 4 : bytes[at + 12] === 0x2e ? 3 : 0;
      at += 2;
    } else return false;
    do {
      size = bytes[at] ?? 0;
      if (size > 0 && size < least) return false;
      at += 1 + size;
    } while (size > 0);
  }
  return true;
}

/** WebP: the extended, the lossy and the lossless form of the first chunk. */
function webpSize(bytes: Uint8Array, view: DataView): { width: number; height: number } | null {
  if (startsWith(bytes, 12, 'VP8X')) {
    const size = (at: number) => 1 + view.getUint16(at, true) + view.getUint8(at + 2) * 65_536;
    return { width: size(24), height: size(27) };
  }
  if (startsWith(bytes, 12, 'VP8 ') && view.getUint16(23) === 0x9d01 && view.getUint8(25) === 0x2a)
    return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
  if (startsWith(bytes, 12, 'VP8L') && view.getUint8(20) === 0x2f) {
    const bits = view.getUint32(21, true);
    return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) };
  }
  return null;
}

/**
 * Recognises a raster picture by its content, whatever a server or a name says it is. Vector and
 * other documents, which may hold scripts or load further files, are none.
 * @returns `null` when it is none, its header is cut off, or decoders could find another size.
 */
export function rasterImage(bytes: Uint8Array<ArrayBuffer>): RasterImage | null {
  if (bytes.length < 30) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (startsWith(bytes, 0, '\x89PNG\r\n\x1a\n') && startsWith(bytes, 12, 'IHDR'))
    return { type: 'image/png', width: view.getUint32(16), height: view.getUint32(20) };
  if (startsWith(bytes, 0, 'GIF87a') || startsWith(bytes, 0, 'GIF89a'))
    return framesFit(bytes, view)
      ? { type: 'image/gif', width: view.getUint16(6, true), height: view.getUint16(8, true) }
      : null;
  if (startsWith(bytes, 0, '\xff\xd8\xff')) {
    const size = jpegSize(view);
    return size && { type: 'image/jpeg', ...size };
  }
  if (startsWith(bytes, 0, 'RIFF') && startsWith(bytes, 8, 'WEBP')) {
    const size = webpSize(bytes, view);
    return size && { type: 'image/webp', ...size };
  }
  return null;
}
