import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { imageUrl } from '../../src/background/relayers/nftMetadata.ts';
import { rasterImage } from '../../src/background/relayers/rasterImage.ts';
import { cidFromNftId } from '../../src/protocol/index.ts';
import { createTestServer } from '../support/testServer.ts';
import { createWalletHarness } from '../support/wallet.ts';

const NFT_ID = `0x${'5c'.repeat(32)}`;
const CID = cidFromNftId(NFT_ID);
const PICTURE = cidFromNftId('0x1234');
const PNG = new Uint8Array(readFileSync(join(import.meta.dirname, '../../public/icons/16.png')));
const metadata = { name: 'Sunrise', description: 'One of ten', image: `ipfs://${PICTURE}/sunrise.png` };

let gateway: Awaited<ReturnType<typeof createTestServer>>;
beforeAll(async () => {
  gateway = await createTestServer();
});
beforeEach(() => {
  gateway.seen.length = 0;
});
afterAll(() => gateway.close());

/** What the gateway has, by path; everything else is 404. */
const serve = (files: Record<string, Uint8Array | object>) =>
  gateway.on(({ url }, response) => {
    const file = files[url];
    response.statusCode = file ? 200 : 404;
    response.end(file instanceof Uint8Array ? file : JSON.stringify(file ?? 'nothing'));
  });
const usual = { [`/ipfs/${CID}/metadata.json`]: metadata, [`/ipfs/${PICTURE}/sunrise.png`]: PNG };

async function stage(ipfsGateway = `${gateway.url}/`, changes: Parameters<typeof createWalletHarness>[0] = {}) {
  let ahead = 0;
  const wallet = createWalletHarness({ now: () => 1_800_000_000_000 + ahead, ...changes });
  await wallet.ui('setSettings', { ipfsGateway });
  return {
    wallet,
    look: () => wallet.ui('getNftMetadata', { nftId: NFT_ID }),
    later: (ms: number) => {
      ahead += ms;
    },
  };
}

test('without a gateway in the settings nobody is asked', async () => {
  serve(usual);
  const { look } = await stage('');
  expect(await look()).toEqual({
    status: 'off',
    name: null,
    description: null,
    collection: null,
    image: null,
    host: null,
  });
  expect(gateway.seen).toEqual([]);
});

test('a gateway that the browser does not allow is not asked', async () => {
  const asked: unknown[] = [];
  const fetch = async (input: unknown) => {
    asked.push(input);
    return new Response('{}');
  };
  let allowed = false;
  const withheld = async (patterns: readonly string[]) => (allowed ? [] : patterns);
  const { look } = await stage('https://ipfs.example/', { fetch, withheld });
  expect(await look()).toMatchObject({ status: 'withheld', host: null });
  expect(asked).toEqual([]);
  allowed = true;
  expect(await look()).toMatchObject({ status: 'ready', host: 'ipfs.example' });
});

test('reads the directory of the NFT and the picture that it names, once, without cookies and referrer', async () => {
  serve(usual);
  const { look } = await stage();
  const expected = {
    status: 'ready',
    name: 'Sunrise',
    description: 'One of ten',
    collection: null,
    image: `data:image/png;base64,${Buffer.from(PNG).toString('base64')}`,
    host: new URL(gateway.url).host,
  };
  expect(await Promise.all([look(), look()])).toEqual([expected, expected]);
  expect(await look()).toEqual(expected);
  expect(gateway.seen.map(({ url }) => url)).toEqual(Object.keys(usual));
  expect(gateway.seen.flatMap(({ headers }) => [headers.cookie, headers.referer])).toEqual(Array(4).fill(undefined));
});

test('reads an id that is the file itself', async () => {
  serve({ [`/ipfs/${CID}`]: { ...metadata, image: '' } });
  const { look } = await stage();
  expect(await look()).toMatchObject({ status: 'ready', name: 'Sunrise', image: null });
});

test('takes the address of the gateway with and without its path', async () => {
  serve(usual);
  const { look } = await stage(`${gateway.url}/ipfs/`);
  expect(await look()).toMatchObject({ status: 'ready', name: 'Sunrise' });
});

test.each([
  'http://a.example/',
  'ftp://a.example/',
  'https://me@a.example/',
  'https://a.example/?x=/',
  'https://a.example',
  'a.example',
  'https://[/',
])('refuses the gateway %s', async (ipfsGateway) => {
  const { wallet } = await stage('');
  expect(await wallet.uiAnswer('setSettings', { ipfsGateway })).toMatchObject({
    ok: false,
    error: { code: 'invalid-input', values: { field: 'ipfsGateway' } },
  });
});

test.each([
  ['another host', 'https://pictures.example/sunrise.png'],
  ['a step upwards', `ipfs://${PICTURE}/../../api`],
  ['an encoded step upwards', `ipfs://${PICTURE}/%2e%2E/.%2e/ipns/x`],
  ['an encoded step to the same place', `ipfs://${PICTURE}/%2e`],
  ['a name with an encoded slash', `ipfs://${PICTURE}/..%2f..%2Fapi`],
  ['a name with an encoded backslash', `ipfs://${PICTURE}/..%5c..%5Capi`],
  ['something that is no CID', 'ipfs://sunrise.png'],
  ['a vector document', 'data:image/svg+xml;base64,PHN2Zy8+'],
])('fetches no picture from %s', async (_what, image) => {
  serve({ [`/ipfs/${CID}/metadata.json`]: { ...metadata, image } });
  const { look } = await stage();
  expect(await look()).toMatchObject({ status: 'ready', name: 'Sunrise', image: null });
  expect(gateway.seen).toHaveLength(1);
});

test('decodes the names of a picture once', async () => {
  const image = `ipfs://${PICTURE}/sun%20rise/%252e%252e/a%252fb.png`;
  serve({ [`/ipfs/${CID}/metadata.json`]: { ...metadata, image } });
  await (await stage()).look();
  expect(gateway.seen.at(-1)?.url).toBe(`/ipfs/${PICTURE}/sun%20rise/%252e%252e/a%252fb.png`);
});

test.each([
  ['a document with scripts', Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${' '.repeat(100)}</svg>`)],
  ['more than a mebibyte', Buffer.concat([PNG, Buffer.alloc(1024 * 1024)])],
])('shows no picture that is %s', async (_what, picture) => {
  serve({ ...usual, [`/ipfs/${PICTURE}/sunrise.png`]: picture });
  expect(await (await stage()).look()).toMatchObject({ status: 'ready', name: 'Sunrise', image: null });
});

test('shows a picture that is part of the metadata', async () => {
  const image = `data:image/png;base64,${Buffer.from(PNG).toString('base64')}`;
  serve({ [`/ipfs/${CID}/metadata.json`]: { image } });
  expect(await (await stage()).look()).toMatchObject({ status: 'ready', name: null, image });
});

test('cuts long texts, and takes nothing that is no text', async () => {
  serve({ [`/ipfs/${CID}/metadata.json`]: { name: 'x'.repeat(500), description: { a: 1 }, image: 7 } });
  expect(await (await stage()).look()).toMatchObject({ name: 'x'.repeat(120), description: null, image: null });
});

const COLLECTION = cidFromNftId('0x5678');

test.each([
  ['a name', { collection: 'Mornings' }],
  ['an object with a name', { collection: { name: 'Mornings', family: 'Prints' } }],
  ['the URI of a document with a name', { collection_metadata: `ipfs://${COLLECTION}/collection.json` }],
  ['a name, whatever document there is', { collection: 'Mornings', collection_metadata: `ipfs://${PICTURE}` }],
])('reads the collection from %s', async (_what, fields) => {
  serve({
    [`/ipfs/${CID}/metadata.json`]: { name: 'Sunrise', ...fields },
    [`/ipfs/${COLLECTION}/collection.json`]: { name: 'Mornings' },
    [`/ipfs/${PICTURE}`]: { name: 'Another' },
  });
  expect(await (await stage()).look()).toMatchObject({ status: 'ready', name: 'Sunrise', collection: 'Mornings' });
});

test.each([
  ['no text', { collection: { name: { en: 'Mornings' } } }],
  ['a list', { collection: ['Mornings'] }],
  ['nothing but blanks', { collection: ' \t\n ' }],
  ['an object without a name', { collection: { family: 'Prints' } }],
])('names no collection that is %s', async (_what, fields) => {
  serve({ [`/ipfs/${CID}/metadata.json`]: { name: 'Sunrise', ...fields } });
  expect(await (await stage()).look()).toMatchObject({ status: 'ready', name: 'Sunrise', collection: null });
});

test.each([
  ['another host', 'https://collections.example/collection.json'],
  ['the gateway by its address', `GATEWAY/ipfs/${PICTURE}`],
  ['a step upwards', `ipfs://${COLLECTION}/../../api`],
  ['an encoded step upwards', `ipfs://${COLLECTION}/%2e%2E/.%2e/ipns/x`],
  ['a name with an encoded slash', `ipfs://${COLLECTION}/..%2f..%2Fapi`],
  ['a document inside the URI', 'data:application/json,{"name":"Mornings"}'],
])('fetches no collection from %s', async (_what, uri) => {
  serve({
    [`/ipfs/${CID}/metadata.json`]: { name: 'Sunrise', collection_metadata: uri.replace('GATEWAY', gateway.url) },
    [`/ipfs/${PICTURE}`]: { name: 'Mornings' },
  });
  expect(await (await stage()).look()).toMatchObject({ status: 'ready', name: 'Sunrise', collection: null });
  expect(gateway.seen).toHaveLength(1);
});

test.each([
  ['is longer than 64 KiB', { name: 'x'.repeat(70_000) }],
  ['is not there', undefined],
  ['is no JSON', new Uint8Array([1, 2, 3])],
])('a collection whose document %s is not named', async (_what, file) => {
  serve({
    [`/ipfs/${CID}/metadata.json`]: { name: 'Sunrise', collection_metadata: `ipfs://${COLLECTION}` },
    ...(file === undefined ? {} : { [`/ipfs/${COLLECTION}`]: file }),
  });
  expect(await (await stage()).look()).toMatchObject({ status: 'ready', name: 'Sunrise', collection: null });
});

test('cuts a long name of a collection, and asks for the document of several NFTs once', async () => {
  const other = `0x${'5d'.repeat(32)}`;
  const fields = { collection_metadata: `ipfs://${COLLECTION}` };
  serve({
    [`/ipfs/${CID}/metadata.json`]: { name: 'Sunrise', ...fields },
    [`/ipfs/${cidFromNftId(other)}/metadata.json`]: { name: 'Sunset', ...fields },
    [`/ipfs/${COLLECTION}`]: { name: 'x'.repeat(500) },
  });
  const { look, wallet } = await stage();
  expect(await look()).toMatchObject({ collection: 'x'.repeat(120) });
  expect(await wallet.ui('getNftMetadata', { nftId: other })).toMatchObject({ collection: 'x'.repeat(120) });
  expect(gateway.seen.filter(({ url }) => url === `/ipfs/${COLLECTION}`)).toHaveLength(1);
});

test.each([
  ['is longer than 64 KiB', { name: 'x'.repeat(70_000) }],
  ['is a list', ['Sunrise']],
])('metadata that %s is unavailable', async (_what, file) => {
  serve({ [`/ipfs/${CID}/metadata.json`]: file });
  expect(await (await stage()).look()).toMatchObject({ status: 'unavailable', name: null });
});

test('follows no redirect to another host', async () => {
  gateway.on((_request, response) => response.writeHead(302, { Location: `${gateway.url}/elsewhere` }).end());
  expect(await (await stage()).look()).toMatchObject({ status: 'unavailable' });
  expect(gateway.seen.map(({ url }) => url)).not.toContain('/elsewhere');
});

test('asks again a minute after there was nothing', async () => {
  serve({});
  const { look, later } = await stage();
  expect(await look()).toMatchObject({ status: 'unavailable' });
  serve(usual);
  expect(await look()).toMatchObject({ status: 'unavailable' });
  later(60_000);
  expect(await look()).toMatchObject({ status: 'ready' });
});

test('another gateway is asked anew, of the collection too', async () => {
  const fields = { collection_metadata: `ipfs://${COLLECTION}` };
  serve({ [`/ipfs/${CID}/metadata.json`]: { ...metadata, ...fields }, [`/ipfs/${COLLECTION}`]: { name: 'Mornings' } });
  const { look, wallet } = await stage();
  expect(await look()).toMatchObject({ name: 'Sunrise', collection: 'Mornings' });
  serve({
    [`/other/ipfs/${CID}/metadata.json`]: { ...metadata, ...fields, name: 'Sunset' },
    [`/other/ipfs/${COLLECTION}`]: { name: 'Evenings' },
  });
  await wallet.ui('setSettings', { ipfsGateway: `${gateway.url}/other/` });
  expect(await look()).toMatchObject({ name: 'Sunset', collection: 'Evenings' });
});

test('asks again for a collection whose document was not there', async () => {
  const files = { [`/ipfs/${CID}/metadata.json`]: { ...metadata, collection_metadata: `ipfs://${COLLECTION}` } };
  serve(files);
  const { look, later } = await stage();
  expect(await look()).toMatchObject({ status: 'ready', collection: null });
  serve({ ...files, [`/ipfs/${COLLECTION}`]: { name: 'Mornings' } });
  later(60_000);
  expect(await look()).toMatchObject({ collection: 'Mornings' });
});

test('remembers 64 NFTs and 64 collections', async () => {
  const ids = Array.from({ length: 65 }, (_, index) => `0x${(index + 1).toString(16)}`);
  const collectionOf = (nftId: string) => cidFromNftId(`${nftId}00`);
  serve(
    Object.fromEntries(
      ids.flatMap((nftId) => [
        [
          `/ipfs/${cidFromNftId(nftId)}/metadata.json`,
          {
            ...{ image: `data:image/png;base64,${Buffer.from(PNG).toString('base64')}` },
            collection_metadata: `ipfs://${collectionOf(nftId)}`,
          },
        ],
        [`/ipfs/${collectionOf(nftId)}`, { name: nftId }],
      ]),
    ),
  );
  const { wallet } = await stage();
  const askedFor = async (nftId = '') => {
    gateway.seen.length = 0;
    expect(await wallet.ui('getNftMetadata', { nftId })).toMatchObject({ collection: nftId });
    return gateway.seen.length;
  };
  for (const nftId of ids.slice(0, 64)) expect(await askedFor(nftId)).toBe(2);
  expect(await askedFor(ids[0])).toBe(0);
  expect(await askedFor(ids[64])).toBe(2);
  expect(await askedFor(ids[1])).toBe(0);
  expect(await askedFor(ids[0])).toBe(2);
});

test('asks again when the clock was set back since', async () => {
  serve({});
  const { look, later } = await stage();
  expect(await look()).toMatchObject({ status: 'unavailable' });
  serve(usual);
  later(-1);
  expect(await look()).toMatchObject({ status: 'ready' });
});

describe('raster pictures', () => {
  const bytes = (...parts: (string | number[])[]) => {
    const content = Buffer.concat(
      parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))),
    );
    return new Uint8Array(Buffer.concat([content, Buffer.alloc(64)]));
  };

  const words = (...values: number[]) => values.flatMap((value) => [value & 0xff, value >> 8]);
  /** One frame of a GIF; of a colour table as many bytes as the flags name. */
  const frame = (width: number, height: number, left = 0, top = 0, flags = 0) => [
    ',',
    words(left, top, width, height),
    [flags, ...Array(flags === 0 ? 0 : 6).fill(0x2c), 2, 3, 0x2c, 0x2c, 0x2c, 0],
  ];
  const gif = (screen: [number, number], ...blocks: (string | number[])[]) =>
    bytes('GIF89a', words(...screen), [0, 0, 0], ...blocks, ';');

  test.each([
    ['a PNG', PNG, { type: 'image/png', width: 16, height: 16 }],
    ['a GIF', gif([320, 240], ...frame(320, 240)), { type: 'image/gif', width: 320, height: 240 }],
    [
      'a GIF with colours, texts and frames that lie within its screen',
      bytes(
        ...['GIF89a', [0x40, 0x01, 0xf0, 0, 0x81, 0, 0], Array(12).fill(0x2c)],
        ...['!\xff\x0bNETSCAPE2.0', [3, 1, 0, 0, 0], '!\xff\x0bXMP DataXMP', [1, 0x2c, 2, 0x2c, 0x2c, 0]],
        ...['!\xf9', [4, 0, 0, 0, 0, 0], ...frame(320, 240, 0, 0, 0x80), [0x21, 0xfe, 0], ...frame(300, 200, 20, 40)],
        [0x3b, 0x2c],
      ),
      { type: 'image/gif', width: 320, height: 240 },
    ],
    [
      'a GIF that is cut off',
      bytes('GIF89a', [0x40, 0x01, 0xf0, 0, 0, 0, 0], ...frame(320, 240), ',').slice(0, 33),
      { type: 'image/gif', width: 320, height: 240 },
    ],
    [
      'a JPEG with a thumbnail before its frame',
      bytes([0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xc4, 0, 3, 9, 0xff, 0xc2, 0, 17, 8, 0, 240, 1, 64]),
      { type: 'image/jpeg', width: 320, height: 240 },
    ],
    [
      'an extended WebP',
      bytes('RIFF\0\0\0\0WEBPVP8X\0\0\0\0\0\0\0\0', [0x3f, 0x01, 0, 0xef, 0, 0]),
      { type: 'image/webp', width: 320, height: 240 },
    ],
    [
      'a lossy WebP',
      bytes('RIFF\0\0\0\0WEBPVP8 \0\0\0\0\0\0\0', [0x9d, 0x01, 0x2a, 0x40, 0x01, 0xf0, 0x00]),
      { type: 'image/webp', width: 320, height: 240 },
    ],
    [
      'a lossless WebP',
      bytes('RIFF\0\0\0\0WEBPVP8L\0\0\0\0', [0x2f, 0x3f, 0xc1, 0x3b, 0x00]),
      { type: 'image/webp', width: 320, height: 240 },
    ],
  ])('knows %s and its size', (_what, file, image) => {
    expect(rasterImage(file)).toEqual(image);
  });

  test('knows nothing in what is cut off, has no frame, or is something else', () => {
    for (const file of [
      PNG.slice(0, 20),
      bytes([0xff, 0xd8, 0xff, 0xda, 0, 2]),
      bytes('\x89PNG\r\n\x1a\n', [0, 0, 0, 4], 'CgBI', [0, 0, 0, 9, 0, 0, 0, 9]),
      bytes('%PDF-1.7'),
      bytes('RIFF0000WAVE'),
    ])
      expect(rasterImage(file)).toBeNull();
  });

  test('a small file that unpacks to more than 4096 pixels a side is not shown', () => {
    expect(imageUrl(gif([4096, 4096]))).not.toBeNull();
    expect(imageUrl(gif([4097, 4096]))).toBeNull();
    expect(imageUrl(gif([0, 4096]))).toBeNull();
  });

  const large = frame(20_000, 20_000);

  test.each([
    ['its first frame', large],
    ['a later frame', [...frame(9, 9), ...large]],
    ['the place of a frame', frame(9, 9, 1, 0)],
    ['the place of a frame below', frame(9, 9, 0, 1)],
    // Firefox reads four bytes here, and three of each block there; what others skip ends with the
    // file.
    ['a frame behind a short control block', ['!\xf9', [3, 0, 0, 0, 18, 0, 0], ...large, [0]]],
    ['a frame behind a short loop block', ['!\xff\x0bNETSCAPE2.0', [1, 1, 18, 0, 0], ...large, [0]]],
    ['a frame behind another short loop block', ['!\xff\x0bANIMEXTS1.0', [3, 1, 0, 0, 2, 2, 18, 0, 0], ...large, [0]]],
    ['a frame behind what is no block', ['x', ...large]],
  ])('a GIF is not shown when %s leaves its screen', (_what, blocks) => {
    expect(imageUrl(gif([9, 9], ...frame(9, 9)))).not.toBeNull();
    expect(imageUrl(gif([9, 9], ...blocks))).toBeNull();
  });

  test.each([0x00, 0x01, 0xd0, 0xd7, 0xd8, 0xd9, 0xff])(
    'a JPEG is not measured by a comment behind a marker without a length: %i',
    (marker) => {
      const sizes = (side: number) => [0xff, 0xc0, 0, 17, 8, side >> 8, side & 0xff, side >> 8, side & 0xff];
      const head = [0xff, 0xd8, 0xff, marker, ...(marker === 0xff ? [] : [0xff]), 0xe0, 0xff, 0xff];
      const file = new Uint8Array(head.length - 2 + 0xffff + 64);
      file.set(head);
      file.set(sizes(9), 4 + new DataView(file.buffer).getUint16(4));
      file.set(sizes(20_000), head.length - 2 + 0xffff);
      expect(imageUrl(file)).toBeNull();
    },
  );
});
