import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { deflateAsync } from '@gfx/zopfli';
import { ZipPassThrough, Zip as ZipWriter } from 'fflate';

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

/**
 * First time that a zip can state. fflate writes local time, so this one is made of local numbers.
 */
const STAMP = new Date(1980, 0, 1);

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** What was packed, by the hash of its content: the zips of both browsers share most files. */
const deflated = new Map<string, Uint8Array<ArrayBuffer>>();

/**
 * The smallest form that any unpacker reads, found by Zopfli with as many tables of codes as it
 * likes: a twentieth less room than zlib's best.
 * @throws {Error} what was packed does not unpack to the same bytes.
 */
async function deflate(path: string, content: Buffer): Promise<Uint8Array<ArrayBuffer>> {
  const hash = sha256(content);
  const packed = deflated.get(hash) ?? new Uint8Array(await deflateAsync(content, { blocksplittingmax: 0 }));
  if (!inflateRawSync(packed).equals(content)) throw new Error(`${path} was packed wrongly`);
  deflated.set(hash, packed);
  return packed;
}

/** One file of a zip, packed already; size and checksum are those of its content. */
class DeflatedFile extends ZipPassThrough {
  override readonly compression = 8;

  constructor(
    path: string,
    private readonly packed: Uint8Array<ArrayBuffer>,
  ) {
    super(path);
  }

  protected override process(_content: Uint8Array, final: boolean): void {
    this.ondata(null, this.packed, final);
  }
}

/**
 * A file as the stores take it: the manifest without `key`, which the Chrome Web Store refuses in a
 * new item.
 */
function packedContent(folder: string, path: string): Buffer {
  const content = readFileSync(join(folder, path));
  if (path !== 'manifest.json') return content;
  const { key: _, ...manifest } = JSON.parse(content.toString());
  return Buffer.from(JSON.stringify(manifest));
}

/**
 * Packs the folder of an extension so that the same files give the same bytes, on any machine:
 * entries sorted by code unit, one time stamp, no rights or owners, and a compressor in WebAssembly
 * in place of the one that Node happens to be linked with.
 * @throws {Error} the folder does not exist or holds no file, or a file was packed wrongly.
 */
export async function zipFolder(folder: string): Promise<Zip> {
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
  const entries: ZipEntry[] = [];
  for (const path of paths) {
    const content = packedContent(folder, path);
    const file = new DeflatedFile(path, await deflate(path, content));
    file.mtime = STAMP;
    file.os = 0;
    zip.add(file);
    file.push(content, true);
    entries.push({ path, bytes: content.length, sha256: sha256(content) });
  }
  zip.end();
  return { bytes: Buffer.concat(parts), entries };
}
