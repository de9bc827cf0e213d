import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';

/** The unit tests of one area of the source, as `npm run mutants` runs them against each mutant of it. */
export default defineConfig({
  test: {
    include: JSON.parse(process.env.MUTANT_TESTS ?? '[]'),
    environment: 'node',
    alias: { 'hash-wasm': resolve(import.meta.dirname, '../support/rememberedPasswords.ts') },
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    globalSetup: ['test/support/pgliteTemplate.ts'],
  },
});
