import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';

const OUT = join(import.meta.dirname, '../../../out/bench');

/** Our crypto as the product ships it: one minified module. Returns its path. */
export async function bundleCrypto(): Promise<string> {
  await build({
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    ssr: { noExternal: true },
    build: {
      ssr: join(import.meta.dirname, '../../../src/crypto/index.ts'),
      outDir: join(OUT, 'crypto'),
      emptyOutDir: true,
      minify: true,
      target: 'es2023',
      rollupOptions: { output: { entryFileNames: 'crypto.mjs' } },
    },
  });
  return join(OUT, 'crypto/crypto.mjs');
}

/**
 * A fresh Node process that loads a library and makes one order signature.
 * @param source - Module text that does both.
 * @returns Milliseconds from the module's first line to the signature, without Node's own start: by
 *   the clock, and of processor time.
 */
export function firstSignatureMs(name: string, source: string): { clock: number; processor: number } {
  mkdirSync(OUT, { recursive: true });
  const script = join(OUT, `first-${name}.mjs`);
  writeFileSync(
    script,
    `const started = performance.now();
const before = process.cpuUsage();
${source}
const { user, system } = process.cpuUsage(before);
process.stdout.write(\`\\n\${JSON.stringify({ clock: performance.now() - started, processor: (user + system) / 1000 })}\`);
process.exit(0);
`,
  );
  const { status, stdout, stderr } = spawnSync(process.execPath, [script], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`first signature of ${name} failed: ${stderr.slice(-500)}`);
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
}
