/** What `npm run mutants` mutates, and the tests that have to notice. */
export const areas: Readonly<Record<string, readonly string[]>> = {
  'src/journal': ['test/journal'],
  'src/vault': ['test/vault'],
  'src/client': ['test/client'],
  'src/operations': ['test/operations'],
  'src/background/approvals': ['test/background'],
  'src/background/submissions': ['test/background'],
  'src/background/keyUpdate': [
    'test/background/rotation.test.ts',
    'test/background/refusedKeyUpdate.test.ts',
    'test/background/stagedKeys.test.ts',
    'test/background/claimAccount.test.ts',
  ],
  'src/background/sites': ['test/background'],
};
