import { execFile } from 'node:child_process';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import project from '../../package.json' with { type: 'json' };
import { root } from '../../scripts/prepare.mjs';
import { buildOnce } from './buildOnce.ts';

const names = ['replay', 'verify-proofs', 'verify-receipt'] as const;
type ScriptName = (typeof names)[number];

/** Where `package.json` says that a script of tsx begins. */
function entryOf(name: ScriptName): string {
  const [runner, path = '', ...more] = project.scripts[name].split(' ');
  if (runner !== 'tsx' || more.length > 0) throw new Error(`npm run ${name} is more than a script of tsx`);
  return path;
}

let built: Promise<string> | undefined;

/**
 * Builds these scripts as modules that Node runs by itself: through tsx each run takes four times
 * the processor time. `readFlags.test.ts` starts each through tsx.
 */
async function build(outDir: string): Promise<void> {
  const { build } = await import('vite');
  await build({
    configFile: false,
    root,
    logLevel: 'warn',
    ssr: { noExternal: true, target: 'node' },
    plugins: [
      {
        // It knows the project's folder by its own place.
        name: 'prepare-stays',
        enforce: 'pre',
        resolveId: (id) =>
          basename(id) === 'prepare.mjs'
            ? { id: pathToFileURL(join(root, 'scripts/prepare.mjs')).href, external: true }
            : null,
      },
    ],
    build: {
      ssr: true,
      outDir,
      target: 'node20',
      minify: false,
      copyPublicDir: false,
      rollupOptions: {
        input: Object.fromEntries(names.map((name) => [name, join(root, entryOf(name))])),
        output: { format: 'es', entryFileNames: '[name].mjs' },
      },
    },
  });
}

/**
 * What `npm run NAME -- ARGS` does, in one process.
 * @returns its exit code, the lines of its output, and what it wrote to stderr.
 */
export async function runScript(
  name: ScriptName,
  ...args: readonly string[]
): Promise<{ code: number; lines: string[]; errors: string }> {
  built ??= buildOnce('scripts', ['src', 'scripts'], build);
  const script = join(await built, `${name}.mjs`);
  return new Promise((resolve) =>
    execFile(process.execPath, [script, ...args], { cwd: root }, (error, output, errors) =>
      resolve({ code: Number(error?.code ?? 0), lines: output.trimEnd().split('\n'), errors }),
    ),
  );
}
