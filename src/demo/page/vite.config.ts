import { resolve } from 'node:path';
import { defineConfig } from 'vite';

/**
 * The demo dApp: one static page, as any dApp would be built. `npm start` and the end-to-end tests
 * serve `dist/demo`.
 */
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  build: {
    outDir: resolve(import.meta.dirname, '../../../dist/demo'),
    emptyOutDir: true,
    modulePreload: false,
    target: 'es2023',
  },
});
