import { randomUUID } from 'node:crypto';

/** UUIDs, hexadecimal numbers, trace contexts: nothing that a log could misread. */
const FORM = /^[\w.-]{1,64}$/;

/**
 * The id under which the log has a request: the one that a proxy or client gave it, so that their
 * logs and this one can be joined, or a new one. It proves nothing and need not be unique.
 */
export const requestIdOf = (given: string | undefined): string =>
  given !== undefined && FORM.test(given) ? given : randomUUID();
