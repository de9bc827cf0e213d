import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { oneModule } from './oneModule.ts';

/**
 * The unit tests of one area of the source, as `npm run mutants` runs them against each mutant of
 * it.
 */
const alias = { 'hash-wasm': resolve(import.meta.dirname, '../support/rememberedPasswords.ts') };

export default defineConfig({
  plugins: [oneModule(alias)],
  test: {
    include: JSON.parse(process.env.MUTANT_TESTS ?? '[]'),
    environment: 'node',
    alias,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    setupFiles: ['test/mutants/activeFromTheStart.ts'],
    globalSetup: ['test/support/pgliteTemplate.ts'],
  },
});
