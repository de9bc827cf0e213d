/** The extension's build defines it as true. */
declare const __WITHOUT_DOCS__: boolean;

/**
 * Marks what only the relayer reads, such as a text of its reference page: `doc?.('Account nonce')`
 * is the value itself, or undefined in the extension, whose build leaves out call and value.
 */
export const doc = typeof __WITHOUT_DOCS__ === 'undefined' ? <Fact>(fact: Fact): Fact => fact : undefined;
