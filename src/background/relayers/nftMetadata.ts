import { createGatewayClient, GatewayError } from '../../client/index.ts';
import { base64Bytes } from '../../messaging/base64.ts';
import { hostPattern } from '../../messaging/hostPattern.ts';
import type { NftMetadataView } from '../../messaging/views.ts';
import { cidFromNftId } from '../../protocol/index.ts';
import { once } from '../../protocol/once.ts';
import { z } from '../../protocol/zod.ts';
import type { Ports } from '../ports.ts';
import type { Config } from '../settings/config.ts';
import { ageAt } from './age.ts';
import { rasterImage } from './rasterImage.ts';

const METADATA_BYTES = 64 * 1024;
const IMAGE_BYTES = 1024 * 1024;
/** Longest side of a picture in pixels: a few kB of a file can unpack to gigabytes. */
const LONGEST_SIDE = 4096;
const NAME_LENGTH = 120;
const DESCRIPTION_LENGTH = 1_000;
/** NFTs, and collections, remembered while the worker lives. */
const REMEMBERED = 64;
/**
 * Milliseconds after which an NFT without a picture is asked for again; a picture under a CID never
 * changes.
 */
const AGAIN_AFTER_MS = 60_000;

/** As EIP-1155 and EIP-721 have it; what is no text is as good as absent. */
const text = once(() => z.catch(z.string(), ''));
const named = once(() => z.looseObject({ name: text() }));
/**
 * The collection is in use as a name, as an object with one, and, by Loopring's wallet, as the URI
 * of a document with one.
 */
const metadata = once(() =>
  z.looseObject({
    name: text(),
    description: text(),
    image: text(),
    collection: z.catch(z.union([z.string(), named()]), ''),
    collection_metadata: text(),
  }),
);

type Answer = Pick<NftMetadataView, 'status' | 'name' | 'description' | 'collection' | 'image'>;

const unavailable: Answer = { status: 'unavailable', name: null, description: null, collection: null, image: null };

/**
 * CIDs in base58 or base32; names below them, decoded once, without a step upwards. A gateway may
 * decode a slash within a name as one between two.
 */
function ipfsPath(uri: string): string[] | null {
  const [, path = ''] = /^ipfs:\/\/(?:ipfs\/)?([^?#]+)$/.exec(uri) ?? [];
  const [cid = '', ...parts] = path.split('/').filter((part) => part !== '');
  if (!/^[A-Za-z0-9]{46,100}$/.test(cid)) return null;
  try {
    const names = parts.map(decodeURIComponent);
    return names.some((name) => /^\.{1,2}$|[/\\]/.test(name)) ? null : [cid, ...names];
  } catch {
    return null;
  }
}

/** Without the path that every gateway has, which people copy along. */
const plainBase = (gateway: string) => gateway.replace(/\/+$/, '').replace(/\/ipfs$/, '');

const cut = (value: string, length: number) => (value.trim() === '' ? null : [...value].slice(0, length).join(''));

function forgetOldest(remembered: Map<string, unknown>): void {
  const [oldest] = remembered.keys();
  if (remembered.size > REMEMBERED && oldest !== undefined) remembered.delete(oldest);
}

/**
 * A small raster picture as a `data:` URL with the type that its bytes have; `null` for everything
 * else.
 */
export function imageUrl(bytes: Uint8Array<ArrayBuffer>): string | null {
  const image = rasterImage(bytes);
  if (!image || Math.max(image.width, image.height) > LONGEST_SIDE || Math.min(image.width, image.height) === 0)
    return null;
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return `data:${image.type};base64,${btoa(binary)}`;
}

function embedded(uri: string): Uint8Array<ArrayBuffer> | null {
  const [, base64] = /^data:image\/[a-z]+;base64,([A-Za-z0-9+/=]+)$/.exec(uri) ?? [];
  if (base64 === undefined) return null;
  try {
    return base64Bytes(base64);
  } catch {
    return null;
  }
}

/**
 * Name, collection and picture of NFTs, from the IPFS gateway that the user has chosen; without one
 * that the browser allows, nothing is asked of anybody. All of it is somebody's text and picture:
 * it decides nothing and is shown as such. Kept in memory only.
 */
export function createNftMetadata(ports: Pick<Ports, 'fetch' | 'now' | 'withheld'>, config: Config) {
  const gateway = createGatewayClient({ fetch: ports.fetch });
  const known = new Map<string, { readonly at: number; readonly answer: Promise<Answer> }>();
  /** Names by the path of their document, which all NFTs of a collection share. */
  const collections = new Map<string, Promise<string | null>>();

  /** The file of a directory, or the id itself when that is the file: both are in use. */
  async function document(base: string, cid: string): Promise<Uint8Array<ArrayBuffer>> {
    try {
      return await gateway.read(base, [cid, 'metadata.json'], METADATA_BYTES);
    } catch (error) {
      if (!(error instanceof GatewayError && error.code === 'refused')) throw error;
      return gateway.read(base, [cid], METADATA_BYTES);
    }
  }

  async function picture(base: string, uri: string): Promise<string | null> {
    const inside = embedded(uri);
    if (inside) return imageUrl(inside);
    // Only IPFS: a picture on another host would tell that host who looks at it.
    const path = ipfsPath(uri);
    if (!path) return null;
    try {
      return imageUrl(await gateway.read(base, path, IMAGE_BYTES));
    } catch (error) {
      if (error instanceof GatewayError) return null;
      throw error;
    }
  }

  async function readCollection(base: string, path: string[]): Promise<string | null> {
    try {
      const bytes = await gateway.read(base, path, METADATA_BYTES);
      return cut(named().parse(JSON.parse(new TextDecoder().decode(bytes))).name, NAME_LENGTH);
    } catch {
      // A collection without a name: the NFT is shown all the same, and its document is read again
      // next time.
      return null;
    }
  }

  /** Name of the collection in the metadata: anybody can write any name there. */
  async function collectionOf(base: string, found: z.infer<ReturnType<typeof metadata>>): Promise<string | null> {
    const { collection } = found;
    const own = cut(typeof collection === 'string' ? collection : collection.name, NAME_LENGTH);
    // Only IPFS, as for a picture.
    const path = own === null ? ipfsPath(found.collection_metadata) : null;
    if (path === null) return own;
    const key = `${base} ${path.join('/')}`;
    const name = collections.get(key) ?? readCollection(base, path);
    collections.set(key, name);
    if ((await name) === null) collections.delete(key);
    forgetOldest(collections);
    return name;
  }

  async function read(base: string, nftId: string): Promise<Answer> {
    let bytes: Uint8Array<ArrayBuffer>;
    try {
      bytes = await document(base, cidFromNftId(nftId));
    } catch (error) {
      if (error instanceof GatewayError) return unavailable;
      throw error;
    }
    let parsed: z.infer<ReturnType<typeof metadata>>;
    try {
      parsed = metadata().parse(JSON.parse(new TextDecoder().decode(bytes)));
    } catch {
      return unavailable;
    }
    const [image, collection] = await Promise.all([picture(base, parsed.image), collectionOf(base, parsed)]);
    return {
      status: 'ready',
      name: cut(parsed.name, NAME_LENGTH),
      description: cut(parsed.description, DESCRIPTION_LENGTH),
      collection,
      image,
    };
  }

  async function remembered(base: string, nftId: string): Promise<Answer> {
    const key = `${base} ${BigInt(nftId)}`;
    const found = known.get(key);
    if (found && ((await found.answer).image !== null || ageAt(ports.now(), found.at) < AGAIN_AFTER_MS))
      return found.answer;
    const answer = read(base, nftId);
    known.delete(key);
    known.set(key, { at: ports.now(), answer });
    answer.catch(() => known.delete(key));
    forgetOldest(known);
    return answer;
  }

  return {
    /** @param nftId - 0x and 1 to 64 hex digits. */
    async of(nftId: string): Promise<NftMetadataView> {
      const { ipfsGateway } = (await config.read()).settings;
      if (ipfsGateway === '') return { ...unavailable, status: 'off', host: null };
      // The settings store a gateway before the browser's prompt for it is answered.
      const host = hostPattern(ipfsGateway);
      if (host !== null && (await ports.withheld([host])).length > 0)
        return { ...unavailable, status: 'withheld', host: null };
      return { ...(await remembered(plainBase(ipfsGateway), nftId)), host: new URL(ipfsGateway).host };
    },
  };
}

export type NftMetadata = ReturnType<typeof createNftMetadata>;
