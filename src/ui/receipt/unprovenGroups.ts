/**
 * Fields of a receipt by what they are about, each with a sentence of the catalogs
 * (`receiptUnproven_…`).
 */
const groups = {
  all: /^(draft|request|hash|storageId|account\.publicKey)$/,
  draft: /^draft\./,
  owner: /^account\.owner$/,
  network: /^network\./,
  shown: /^(operation|shown|review|digest)$/,
  relayer: /^(status|answer|error)$/,
  block: /^inclusion$/,
  site: /^(origin|rule|id|requestId|account\.id|request\.signature)$/,
  time: /^(exportedAt|reviewedAt|history)$/,
} as const;

export type UnprovenGroup = keyof typeof groups;

/** The groups that unproven paths belong to, weightiest first. */
export const unprovenGroups = (paths: readonly string[]): UnprovenGroup[] =>
  (Object.keys(groups) as UnprovenGroup[]).filter((group) => paths.some((path) => groups[group].test(path)));
