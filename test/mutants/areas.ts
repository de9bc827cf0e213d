/** What `npm run mutants` mutates, and the tests that have to notice. */
export const areas: Readonly<Record<string, readonly string[]>> = {
  // A file that a few tests reach takes minutes instead of hours.
  'src/client/readAnswer.ts': ['test/client/readAnswer.test.ts', 'test/client/createRelayerClient.test.ts'],
  'src/journal/rule.ts': ['test/journal/reserve.test.ts'],
  'src/journal/reserveSlot.ts': ['test/journal/reserve.test.ts', 'test/journal/exchange.test.ts'],
  'src/journal/transitions.ts': ['test/journal/transitions.test.ts'],
  'src/journal/exchange.ts': ['test/journal/exchange.test.ts'],
  'src/journal/createJournal.ts': [
    'test/journal/transitions.test.ts',
    'test/journal/restart.test.ts',
    'test/journal/createJournal.test.ts',
    'test/journal/exchange.test.ts',
    'test/journal/earlierForms.test.ts',
    'test/journal/reserve.test.ts',
  ],
  'src/journal/lifecycle.ts': ['test/journal/transitions.test.ts'],
  'src/background/submissions/submissions.ts': [
    'test/background/outcomes.test.ts',
    'test/background/settleBudget.test.ts',
  ],
  'src/background/submissions/bothClocks.ts': ['test/background/submissionRecord.test.ts'],
  'src/background/submissions/planWake.ts': [
    'test/background/submissionRecord.test.ts',
    'test/background/wakeAgain.test.ts',
  ],
  'src/background/submissions/refusalText.ts': ['test/background/submissionRecord.test.ts'],
  'src/background/submissions/submissionRecord.ts': ['test/background/submissionRecord.test.ts'],
  'src/background/sites/sender.ts': ['test/background/sender.test.ts'],
  'src/background/approvals/store/requestRate.ts': ['test/background/requestRate.test.ts'],
  'src/background/approvals/openBounds.ts': ['test/background/openBounds.test.ts'],
  'src/background/approvals/decisionAge.ts': ['test/background/mayAsk.test.ts'],
  'src/background/sites/grants.ts': ['test/background/grants.test.ts'],
  'src/background/sites/mayAsk.ts': ['test/background/mayAsk.test.ts'],
  'src/background/sites/standingStore.ts': ['test/background/standingStore.test.ts'],
  'src/background/sites/standingApprovals.ts': ['test/background/standingApprovals.test.ts'],
  'src/operations/standing.ts': ['test/operations/standing.test.ts'],
  'src/operations/reviewChanges.ts': ['test/operations/reviewChanges.test.ts'],
  'src/operations/fees.ts': ['test/operations/fees.test.ts'],
  'src/operations/intentFields.ts': ['test/operations/intentFields.test.ts'],
  'src/operations/warningRules.ts': ['test/operations/warnings.test.ts'],
  'src/operations/warnings.ts': ['test/operations/warnings.test.ts'],
  'src/operations/canonicalJson.ts': ['test/operations/canonicalJson.test.ts'],
  'src/vault/seal.ts': ['test/vault/seal.test.ts'],
  'src/vault/backup.ts': ['test/vault/parts.test.ts'],
  'src/vault/encoding.ts': ['test/vault/parts.test.ts'],
  'src/vault/imagePlaces.ts': ['test/vault/parts.test.ts'],
  'src/vault/keyFile.ts': ['test/vault/keyFile.test.ts'],
  'src/vault/session.ts': ['test/vault/session.test.ts'],
  'src/vault/unlockedState.ts': ['test/vault/session.test.ts'],
  'src/vault/kdf.ts': ['test/vault/parts.test.ts'],
  'src/vault/passkey.ts': ['test/vault/parts.test.ts'],
  'src/journal': ['test/journal'],
  'src/vault': ['test/vault'],
  'src/client': ['test/client'],
  'src/operations': ['test/operations'],
  'src/background/approvals': ['test/background'],
  'src/background/submissions': ['test/background'],
  'src/background/keyUpdate/rotation.ts': [
    'test/background/tidyStagedKeys.test.ts',
    'test/background/rotation.test.ts',
    'test/background/refusedKeyUpdate.test.ts',
  ],
  'src/background/keyUpdate': [
    'test/background/rotation.test.ts',
    'test/background/refusedKeyUpdate.test.ts',
    'test/background/stagedKeys.test.ts',
    'test/background/claimAccount.test.ts',
  ],
  'src/background/sites': ['test/background'],
};

/**
 * Files that make nothing once, so that each of their tests is known by what it reaches: of many or slow tests only those run that
 * reach the change.
 */
export const reachedOnly: readonly string[] = ['src/journal/createJournal.ts', 'src/background/keyUpdate/rotation.ts'];
