/** The extension's build defines it as true. */
declare const __WITHOUT_DOCS__: boolean;

/**
 * Marks a text that only the relayer's reference page reads, `doc?.('Account nonce')`: the text
 * itself, or undefined in the extension, whose build leaves out the call and with it the text.
 */
export const doc = typeof __WITHOUT_DOCS__ === 'undefined' ? <Fact>(fact: Fact): Fact => fact : undefined;
