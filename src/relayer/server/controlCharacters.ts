import { Refusal } from '../errors.ts';

/** Tab and line ends are text; the others are not, and the database holds no NUL. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

/**
 * Refuses control characters in any text of a query or body, names of members included.
 * @throws {Refusal} INVALID_ARGUMENT naming the field.
 */
export function refuseControlCharacters(value: unknown, path: readonly string[] = []): void {
  if (typeof value === 'string') {
    if (CONTROL.test(value)) throw new Refusal('INVALID_ARGUMENT', `${path.join('.')} has a control character`);
  } else if (value !== null && typeof value === 'object') {
    for (const [name, member] of Object.entries(value)) {
      if (CONTROL.test(name))
        throw new Refusal('INVALID_ARGUMENT', `${[...path, 'a member name'].join('.')} has a control character`);
      refuseControlCharacters(member, [...path, name]);
    }
  }
}
