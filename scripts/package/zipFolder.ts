import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { ZipPassThrough, Zip as ZipWriter } from 'fflate';
import { deflateRaw } from 'pako';

interface ZipEntry {
  /** With `/` between folders. */
  readonly path: string;
  readonly bytes: number;
  /** Of the file as it is unpacked; 64 lower-case hex digits. */
  readonly sha256: string;
}

export interface Zip {
  readonly bytes: Uint8Array;
  readonly entries: readonly ZipEntry[];
}

/** First time that a zip can state. fflate writes local time, so this one is made of local numbers. */
const STAMP = new Date(1980, 0, 1);

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** After how many symbols the compressor begins a block with codes of its own: 2^(level + 6). What fits best differs by file. */
const MEMORY_LEVELS = [5, 6, 7, 8, 9] as const;

/** The smallest of what zlib's algorithm makes of a file. */
const deflate = (content: Uint8Array): Uint8Array<ArrayBuffer> =>
  MEMORY_LEVELS.map((memLevel) => new Uint8Array(deflateRaw(content, { level: 9, memLevel }))).reduce((best, next) =>
    next.length < best.length ? next : best,
  );

/** One file of a zip, compressed by zlib's algorithm in JavaScript: it needs a thirtieth less room than fflate's own. */
class DeflatedFile extends ZipPassThrough {
  override readonly compression = 8;

  protected override process(chunk: Uint8Array, final: boolean): void {
    this.ondata(null, deflate(chunk), final);
  }
}

/**
 * Packs a folder so that the same files give the same bytes, on any machine: entries sorted by code unit, one time stamp,
 * no rights or owners, and a compressor in JavaScript in place of the one that Node happens to be linked with.
 * @throws {Error} the folder does not exist or holds no file.
 */
export function zipFolder(folder: string): Zip {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort((a, b) => (a < b ? -1 : 1));
  if (paths.length === 0) throw new Error(`${folder} holds no file to pack`);
  const parts: Uint8Array[] = [];
  const zip = new ZipWriter((error, part) => {
    if (error) throw error;
    parts.push(part);
  });
  const entries = paths.map((path): ZipEntry => {
    const content = readFileSync(join(folder, path));
    const file = new DeflatedFile(path);
    file.mtime = STAMP;
    file.os = 0;
    zip.add(file);
    file.push(content, true);
    return { path, bytes: content.length, sha256: sha256(content) };
  });
  zip.end();
  return { bytes: Buffer.concat(parts), entries };
}
