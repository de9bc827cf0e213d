import { basename } from 'node:path';
import { type BuildOptions, build, type Plugin } from 'vite';

/**
 * A service worker may not call `import()`. A classic one may call `importScripts()` at any time
 * for scripts that it also imported while it was installed, which the browser keeps with the
 * worker. So Chromium's worker is built as CommonJS chunks, each wrapped in a function: the first
 * runs at each start, the others run at the first `import()` of the source. In Firefox's event page
 * the same source is built as modules, and `import()` is the browser's.
 *
 * @see https://w3c.github.io/ServiceWorker/#importscripts
 */
const FILE = 'countersign-worker.js';
const LATER = 'countersign-worker-parts.js';
/** Characters below which a chunk stands in the first file. */
const SMALLEST = 1_000;

/**
 * The programs in hex, as a chunk of their own behind the others: 70 kB that push the code before
 * them out of reach of the code after them, 1 kB in a zip.
 */
const wasm = { name: 'wasm', test: /[\\/](?:coreModule\.ts|hash-wasm[\\/].*)$/ };

interface Script {
  readonly fileName: string;
  readonly source: string;
  /** Source map of the file, where the build makes them. */
  readonly map?: object;
}

/** A chunk as the bundler made it. */
interface Chunk {
  readonly fileName: string;
  readonly code: string;
  readonly map: object | null;
}

/**
 * One letter beyond Latin-1 would make the engine keep a script in two bytes a letter. Code has
 * such letters in texts alone.
 */
function asAscii(code: string): string {
  // Behind a backslash the letter's escape would be read as its letters.
  const [escaped] = /\\[^\0-\x7f]/.exec(code) ?? [];
  if (escaped) throw new Error(`the worker cannot be written in ASCII: ${escaped}`);
  return code.replaceAll(/[^\0-\x7f]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/**
 * Stands before a chunk, which then only registers itself. The parentheses make the engine compile
 * the function at once, not twice.
 */
const partHead = (fileName: string): string =>
  `definePart(${JSON.stringify(basename(fileName))},(function(require,module,exports){`;

/**
 * A file of chunks one after the other, with an index map (ECMA-426, `sections`) when the chunks
 * have maps.
 */
function joinChunks(fileName: string, head: string, chunks: readonly Chunk[], tail = ''): Script {
  let source = head;
  const sections = [];
  for (const chunk of chunks) {
    source += partHead(chunk.fileName);
    const lines = source.split('\n');
    sections.push({ offset: { line: lines.length - 1, column: lines.at(-1)?.length ?? 0 }, map: chunk.map });
    source += `${asAscii(chunk.code)}\n}));\n`;
  }
  source += tail;
  if (!chunks.some(({ map }) => map)) return { fileName, source };
  return {
    fileName,
    source: `${source}//# sourceMappingURL=${fileName}.map\n`,
    map: { version: 3, file: fileName, sections },
  };
}

/**
 * What stands before the first part. At the installation the later parts are imported, unexecuted,
 * for the browser to keep; later when the first of them is required. A part that throws while it
 * runs is forgotten, so that the next `import()` runs it again.
 */
const loader = `'use strict';
{
  const codes = new Map();
  const modules = new Map();
  const load = () => importScripts('/${LATER}');
  const require = (path) => {
    const name = path.slice(path.lastIndexOf('/') + 1);
    const known = modules.get(name);
    if (known) return known.exports;
    codes.has(name) || load();
    const module = { exports: {} };
    modules.set(name, module);
    try {
      codes.get(name)(require, module, module.exports);
    } catch (error) {
      modules.delete(name);
      throw error;
    }
    return module.exports;
  };
  Object.defineProperty(self, 'definePart', { value: (name, code) => void codes.set(name, code) });
  Object.defineProperty(self, 'startPart', { value: require });
  addEventListener('install', load);
}
`;

/**
 * Builds the worker apart from the pages and puts it into the extension.
 * @param entry - Module of the worker.
 * @param plugins - For the worker's own build.
 * @param define - Constants for it.
 */
export function workerScripts(
  entry: string,
  plugins: readonly Plugin[],
  define: Readonly<Record<string, string>>,
): Plugin {
  let scripts: readonly Script[] = [];
  let root: string;
  let outDir: string;
  let options: Pick<BuildOptions, 'sourcemap' | 'minify'>;
  return {
    name: 'worker-scripts',
    // Behind crx, which would make a loader for a module of the background.
    enforce: 'post',
    configResolved(config) {
      root = config.root;
      outDir = config.build.outDir;
      // The line that names a map would stand in the middle of the file.
      options = { sourcemap: config.build.sourcemap ? 'hidden' : false, minify: config.build.minify };
    },
    async buildStart() {
      const built = await build({
        configFile: false,
        root,
        logLevel: 'warn',
        define: { ...define, 'process.env.NODE_ENV': '"production"' },
        plugins: [...plugins],
        build: {
          ...options,
          write: false,
          outDir,
          copyPublicDir: false,
          target: 'es2023',
          lib: { entry, formats: ['cjs'], fileName: () => FILE },
          rollupOptions: {
            // What other chunks share with the entry stands in it, in the order of its imports.
            preserveEntrySignatures: 'allow-extension',
            output: { chunkFileNames: '[name]-[hash].js', codeSplitting: { groups: [wasm] } },
          },
        },
      });
      const chunks = [built]
        .flat()
        .flatMap((result) => ('output' in result ? result.output : []))
        .filter((output) => output.type === 'chunk');
      // What the entry imports at once stands in its file: a cold start reads one. So does what is
      // too small to matter.
      const small = chunks.filter(({ code }) => code.length < SMALLEST).map(({ fileName }) => fileName);
      const atOnce = new Set([FILE, ...small]);
      for (const name of atOnce)
        for (const next of chunks.find(({ fileName }) => fileName === name)?.imports ?? []) atOnce.add(next);
      const first = chunks.filter(({ fileName }) => atOnce.has(fileName));
      const later = chunks.filter(({ fileName }) => !atOnce.has(fileName));
      // Each file that was installed costs every start of the worker, needed or not: all later
      // parts are one.
      scripts = [joinChunks(FILE, loader, first, `startPart('${FILE}');\n`), joinChunks(LATER, '', later)];
      for (const { moduleIds } of chunks) for (const id of moduleIds) if (id.startsWith('/')) this.addWatchFile(id);
    },
    renderCrxManifest(manifest: Record<string, unknown>) {
      const emit = (file: object) => (this as unknown as { emitFile(file: object): void }).emitFile(file);
      for (const { fileName, source, map } of scripts) {
        emit({ type: 'asset', fileName, source });
        if (map) emit({ type: 'asset', fileName: `${fileName}.map`, source: JSON.stringify(map) });
      }
      return { ...manifest, background: { service_worker: FILE } };
    },
  } as Plugin;
}
