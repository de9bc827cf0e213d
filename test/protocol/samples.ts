/**
 * One well-formed request and answer of each endpoint: the examples of the interface description.
 */
export * from '../../src/protocol/examples.ts';
