/** What `npm run mutants` mutates, and the tests that have to notice. */
export const areas: Readonly<Record<string, readonly string[]>> = {
  // A file that a few tests reach takes minutes instead of hours.
  'src/client/readAnswer.ts': ['test/client/readAnswer.test.ts', 'test/client/createRelayerClient.test.ts'],
  'src/journal/rule.ts': ['test/journal/reserve.test.ts'],
  'src/journal/reserveSlot.ts': ['test/journal/reserve.test.ts', 'test/journal/exchange.test.ts'],
  'src/journal/transitions.ts': ['test/journal/transitions.test.ts'],
  'src/journal/exchange.ts': ['test/journal/exchange.test.ts'],
  'src/journal/lifecycle.ts': ['test/journal/transitions.test.ts'],
  'src/background/sites/sender.ts': ['test/background/sender.test.ts'],
  'src/background/approvals/store/requestRate.ts': ['test/background/requestRate.test.ts'],
  'src/vault/seal.ts': ['test/vault/seal.test.ts'],
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
