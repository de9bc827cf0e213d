import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import type { Plugin } from 'vite';
import type { ChromiumManifest } from './firefoxManifest.ts';

/**
 * The build that tests of dApps drive (`vite build --mode automation`): it cannot be taken for the
 * wallet, and reaches nothing but this machine.
 */
const NAME = 'Countersign TEST';
const LOCAL = ['http://localhost/*', 'http://127.0.0.1/*'];
const STYLES = 'automation.css';

interface Extension extends ChromiumManifest {
  readonly icons: Readonly<Record<string, string>>;
  readonly action: Readonly<Record<string, unknown>>;
  readonly content_scripts: readonly Readonly<Record<string, unknown>>[];
  readonly content_security_policy: { readonly extension_pages: string };
}

/**
 * Another name, another id, and no host beyond this machine: the browser itself refuses what the
 * manifest does not name, whatever the wallet is told.
 */
export function automationManifest(source: ChromiumManifest): Record<string, unknown> {
  // The key gives unpacked builds of the wallet their id.
  const { key: _, optional_host_permissions: __, ...manifest } = source as Extension;
  return {
    ...manifest,
    name: `${NAME}, not for real money`,
    action: { ...manifest.action, default_title: `${NAME}, not for real money` },
    host_permissions: LOCAL,
    content_scripts: manifest.content_scripts.map((script) => ({ ...script, matches: LOCAL })),
    content_security_policy: {
      extension_pages: manifest.content_security_policy.extension_pages.replace(' https: wss:', ''),
    },
  };
}

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}

/** A square of black and yellow stripes. @see https://www.w3.org/TR/png-3/ */
export function stripes(size: number): Buffer {
  const row = (y: number) => [
    0,
    ...Array.from({ length: size }, (_, x) => (((x + y) * 8) / size) % 4 < 2).flatMap((isDark) =>
      isDark ? [0x20, 0x20, 0x20] : [0xff, 0xc4, 0x00],
    ),
  ];
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const pixels = deflateSync(Uint8Array.from(Array.from({ length: size }, (_, y) => row(y)).flat()));
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', pixels),
    chunk('IEND', new Uint8Array()),
  ]);
}

const styles = `body { padding-top: 22px; }
body::before {
  content: "TEST BUILD: not for real money";
  position: fixed; inset: 0 0 auto; z-index: 2147483647; pointer-events: none;
  font: 700 13px/22px sans-serif; text-align: center; color: #202020; background: #ffc400;
}
`;

/**
 * Stripes for icons, the banner in every page of the wallet, and the name by which pages find it.
 */
export function automationBuild(): Plugin {
  let outDir: string;
  return {
    name: 'automation-build',
    enforce: 'post',
    configResolved({ build, root }) {
      outDir = resolve(root, build.outDir);
    },
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: STYLES, source: styles });
      for (const size of [16, 32, 48, 128])
        this.emitFile({ type: 'asset', fileName: `icons/${size}.png`, source: stripes(size) });
    },
    transformIndexHtml: {
      order: 'post',
      handler: () => [{ tag: 'link', attrs: { rel: 'stylesheet', href: `/${STYLES}` }, injectTo: 'head' }],
    },
    // The page script is built apart from the rest.
    closeBundle: {
      order: 'post',
      sequential: true,
      handler() {
        const path = join(outDir, 'src/inpage/index.js');
        const code = readFileSync(path, 'utf8');
        const named = /name:(['"`])Countersign\1/;
        if (!named.test(code)) throw new Error('the page script names itself in another way');
        writeFileSync(path, code.replace(named, `name:'${NAME}'`));
      },
    },
  };
}
