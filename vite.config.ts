import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { crx } from '@crxjs/vite-plugin';
import type { Plugin } from 'vite';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import manifest from './manifest.json' with { type: 'json' };
import { automationBuild, automationManifest } from './scripts/build/automationBuild.ts';
import { compactCatalogs } from './scripts/build/compactCatalogs.ts';
import { compactWasm } from './scripts/build/compactWasm.ts';
import { compactWords } from './scripts/build/compactWords.ts';
import { type ChromiumManifest, firefoxManifest } from './scripts/build/firefoxManifest.ts';
import { licences } from './scripts/build/licences.ts';
import { polyfillAsModule } from './scripts/build/polyfillAsModule.ts';
import { withoutDescriptions } from './scripts/build/withoutDescriptions.ts';
import { workerScripts } from './scripts/build/workerScripts.ts';
import { noUnitTests } from './test/reachedTests.mjs';
import { builtThreads } from './test/support/builtThreads.ts';
import { ownModules } from './test/support/ownModules.ts';

const contentScripts = ['src/inpage/index.ts', 'src/content/index.ts'];

/** The mark as wallets announce it; small, because every page loads it. */
const icon = `data:image/svg+xml,${encodeURI(
  "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0,0,32,32'><path fill='#154' d='M0,0h32v32H0'/><path d='M23,15a8,8,0,1,1-4-6m-8,6,5,5L27,8' fill='none' stroke='#fff' stroke-width='3'/></svg>",
).replaceAll('#', '%23')}`;

/** Every page loads these two, so the build says what they weigh. */
const contentScriptSizes = (): Plugin => {
  let outDir: string;
  return {
    name: 'content-script-sizes',
    enforce: 'post',
    configResolved({ build }) {
      outDir = build.outDir;
    },
    closeBundle: {
      order: 'post',
      sequential: true,
      handler() {
        for (const script of contentScripts) {
          const path = `${outDir}/${script.replace(/\.ts$/, '.js')}`;
          const bytes = readFileSync(resolve(import.meta.dirname, path));
          console.info(`${path}: ${bytes.length} bytes, ${gzipSync(bytes, { level: 9 }).length} gzip`);
        }
      },
    },
  };
};

/** Puts the script of `src/ui/first.ts` into each page, as one that runs as soon as it is there. */
const firstScript = (): Plugin => ({
  name: 'first-script',
  transformIndexHtml: {
    order: 'post',
    handler(_html, { bundle = {} }) {
      const first = Object.values(bundle).find(
        (output) =>
          output.type === 'chunk' && output.facadeModuleId === resolve(import.meta.dirname, 'src/ui/first.ts'),
      );
      if (first === undefined) throw new Error('src/ui/first.ts is no chunk of its own');
      const attrs = { type: 'module', async: true, crossorigin: true, src: `/${first.fileName}` };
      return [{ tag: 'script', attrs, injectTo: 'head-prepend' }];
    },
  },
});

/**
 * Beside the build: what is inside the background worker, package by package. The bundle test holds
 * it to a list.
 */
const workerContents = (): Plugin => ({
  name: 'worker-contents',
  generateBundle(options, bundle) {
    const chunks = Object.values(bundle).filter((output) => output.type === 'chunk');
    const worker = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith('/src/background/index.ts')));
    const reached = new Set<string>();
    const reach = (fileName: string): void => {
      const chunk = chunks.find((candidate) => candidate.fileName === fileName);
      if (!chunk || reached.has(fileName)) return;
      reached.add(fileName);
      for (const next of [...chunk.imports, ...chunk.dynamicImports]) reach(next);
    };
    if (worker) reach(worker.fileName);
    const ids = chunks.filter(({ fileName }) => reached.has(fileName)).flatMap(({ moduleIds }) => moduleIds);
    const packages = ids
      .map((id) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1])
      .filter((name) => name !== undefined);
    const contents = { chunks: [...reached].sort(), packages: [...new Set(packages)].sort() };
    mkdirSync(dirname(`${options.dir}`), { recursive: true });
    writeFileSync(`${options.dir}.worker.json`, `${JSON.stringify(contents, null, 2)}\n`);
  },
});

/**
 * Loads a chunk where it is asked for and nothing ahead of it: all files of an extension are on the
 * disk, and every page has its styles from the beginning. What the bundler would add weighs 800
 * bytes in each page.
 */
const withoutPreloading = (): Plugin => ({
  name: 'without-preloading',
  enforce: 'pre',
  transform(_code, id) {
    return id === '\0vite/preload-helper.js'
      ? { code: 'export const __vitePreload = (load) => load();', map: null }
      : null;
  },
});

/**
 * What endpoints and fields mean is read by the relayer's reference page alone: see
 * `src/protocol/described.ts`. 25 kB, and one more schema for each field.
 */
const withoutDocs = { __WITHOUT_DOCS__: 'true' };

/** What is changed for the extension; Chromium's worker is built apart, with the same. */
const ownVersions = (): Plugin[] => [polyfillAsModule(), compactWasm(), compactWords(), withoutDescriptions()];

const licenceTexts = licences();

/**
 * Bundles packages of many small files before the tests, each into one: a process loads viem in
 * 0.08 s of processor time in place of 0.5.
 */
const bundledPackages = {
  optimizer: { ssr: { enabled: true, include: ['viem', 'viem/accounts', 'viem/utils', 'zod', 'zod/mini'] } },
};

/**
 * V8 optimizes the functions of the embedded database soon after its start, which takes longer than
 * the queries of most tests: 300 queries need 2.1 s of processor time with this limit and 3.7
 * without it, 20,000 need 15.2 and 15.8.
 */
const execArgv = ['--wasm-tiering-budget=2000000000'];

const notUnit = noUnitTests.map((folder) => `${folder}/**`);

/**
 * How long something takes on a busy machine is no fact of a test: these limits only end what
 * hangs. The whole suite has to pass with fifteen processes for two cores.
 */
const patience = { testTimeout: 300_000, hookTimeout: 420_000, expect: { poll: { timeout: 240_000 } } };

const unitTests = (files: TestProjectInlineConfiguration['test']): TestProjectInlineConfiguration => ({
  plugins: [builtThreads()],
  test: {
    ...files,
    environment: 'node',
    // A browser saves what a link of a download names; happy-dom would leave the page for it.
    environmentOptions: {
      happyDOM: { settings: { navigation: { disableMainFrameNavigation: true, disableFallbackToSetURL: true } } },
    },
    deps: bundledPackages,
    alias: { 'hash-wasm': resolve(import.meta.dirname, 'test/support/rememberedPasswords.ts') },
    ...patience,
    execArgv,
    globalSetup: ['test/support/pgliteTemplate.ts'],
    setupFiles: ['test/support/leaveNothing.ts'],
  },
});

/**
 * `vite build` makes Chromium's extension, `--mode firefox` Firefox's, `--mode automation` the one
 * for tests of dApps, from the same source and manifest.
 */
export default defineConfig(({ mode }) => {
  const firefox = mode === 'firefox';
  // Chromium's worker is no module and is built apart.
  const { background, ...pages } = manifest;
  const automation = mode === 'automation';
  const constants = { ...withoutDocs, __AUTOMATION__: String(automation) };
  const chromium = automation ? automationManifest(pages as unknown as ChromiumManifest) : pages;
  return {
    define: { __ICON__: JSON.stringify(icon), ...constants },
    plugins: process.env.VITEST
      ? []
      : [
          crx({
            manifest: (firefox ? firefoxManifest(manifest as unknown as ChromiumManifest) : chromium) as never,
            browser: firefox ? 'firefox' : 'chrome',
            contentScripts: { standaloneFiles: contentScripts },
          } as never),
          contentScriptSizes(),
          compactCatalogs(),
          firstScript(),
          withoutPreloading(),
          ...ownVersions(),
          firefox
            ? workerContents()
            : workerScripts(background.service_worker, [...ownVersions(), workerContents(), licenceTexts], constants),
          licenceTexts,
          ...(automation ? [automationBuild()] : []),
        ],
    build: {
      outDir: `dist/${firefox || automation ? mode : 'chromium'}`,
      emptyOutDir: true,
      modulePreload: {
        polyfill: false,
        resolveDependencies: (_, files, { hostType }) => (hostType === 'html' ? files : []),
      },
      target: 'es2023',
      rollupOptions: {
        input: {
          approval: resolve(import.meta.dirname, 'src/ui/approval.html'),
          onboarding: resolve(import.meta.dirname, 'src/ui/onboarding.html'),
          keyUpdate: resolve(import.meta.dirname, 'src/ui/keyUpdate.html'),
          receipt: resolve(import.meta.dirname, 'src/ui/receipt.html'),
          first: resolve(import.meta.dirname, 'src/ui/first.ts'),
        },
        output: {
          // All files of a version are installed together, so that no name has to tell it.
          entryFileNames: 'assets/[name].js',
          chunkFileNames: 'assets/[name].js',
          assetFileNames: 'assets/[name][extname]',
          // What the approval window shares with other pages is one file: each costs a page that
          // opens about five milliseconds.
          codeSplitting: {
            groups: [
              { name: 'first', test: /[\\/]ui[\\/](?:first|early|platform|theme)\.ts$/, priority: 1 },
              {
                name: 'shared',
                test: /^(?!.*[\\/]ui[\\/](?:popup|onboarding|keyUpdate|receipt)[\\/]).+\.(?:[mt]?[jt]sx?|css)$/,
                minShareCount: 2,
              },
            ],
          },
        },
      },
    },
    test: {
      projects: [
        unitTests({
          name: 'unit',
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: [...notUnit, ...ownModules()],
          isolate: false,
        }),
        unitTests({ name: 'unit-isolated', include: ownModules(), exclude: notUnit }),
        {
          test: {
            name: 'e2e',
            include: ['test/e2e/**/*.test.ts'],
            environment: 'node',
            isolate: false,
            // A browser waits for windows and their still time; more than two would wait for each
            // other.
            maxWorkers: 2,
            ...patience,
            execArgv,
            globalSetup: ['test/support/pgliteTemplate.ts', 'test/e2e/globalSetup.ts'],
          },
        },
      ],
    },
  };
});
