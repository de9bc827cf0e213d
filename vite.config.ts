import { resolve } from 'node:path';
import { crx } from '@crxjs/vite-plugin';
import { defineConfig } from 'vitest/config';
import manifest from './manifest.json' with { type: 'json' };

const contentScripts = ['src/inpage/index.ts', 'src/content/index.ts'];

export default defineConfig({
  plugins: process.env.VITEST
    ? []
    : [
        crx({
          manifest: manifest as never,
          browser: 'chrome',
          contentScripts: { standaloneFiles: contentScripts },
        } as never),
      ],
  build: {
    outDir: 'dist/chromium',
    emptyOutDir: true,
    modulePreload: false,
    target: 'es2023',
    rollupOptions: {
      input: {
        approval: resolve(import.meta.dirname, 'src/ui/approval.html'),
        onboarding: resolve(import.meta.dirname, 'src/ui/onboarding.html'),
      },
    },
  },
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: ['test/e2e/**', 'test/foreign/**'],
          environment: 'node',
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          environment: 'node',
          fileParallelism: false,
          testTimeout: 60_000,
          hookTimeout: 120_000,
          globalSetup: ['test/e2e/globalSetup.ts'],
        },
      },
    ],
  },
});
