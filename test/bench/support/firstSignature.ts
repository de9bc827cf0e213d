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
 * @returns Milliseconds from the module's first line to the signature, without Node's own start.
 */
export function firstSignatureMs(name: string, source: string): number {
  mkdirSync(OUT, { recursive: true });
  const script = join(OUT, `first-${name}.mjs`);
  writeFileSync(
    script,
    `const started = performance.now();\n${source}\nprocess.stdout.write(String(performance.now() - started));\nprocess.exit(0);\n`,
  );
  const { status, stdout, stderr } = spawnSync(process.execPath, [script], { encoding: 'utf8' });
  const ms = Number.parseFloat(stdout.trim().split('\n').at(-1) ?? '');
  if (status !== 0 || !(ms > 0)) throw new Error(`first signature of ${name} failed: ${stderr.slice(-500)}`);
  return ms;
}
