import { Refusal } from '../errors.ts';

/** Tab and line ends are text; the others are not, and the database holds no NUL. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

/** Half of a surrogate pair: no Unicode text, and the database keeps none in JSON. */
const LONE_SURROGATE = /\p{Cs}/u;

/**
 * Refuses control characters and lone surrogates in any text of a query or body, names of members
 * included.
 * @throws {Refusal} INVALID_ARGUMENT naming the field.
 */
export function refuseControlCharacters(value: unknown, path: readonly string[] = []): void {
  if (typeof value === 'string') {
    refuseText(value, path);
  } else if (value !== null && typeof value === 'object') {
    for (const [name, member] of Object.entries(value)) {
      refuseText(name, [...path, 'a member name']);
      refuseControlCharacters(member, [...path, name]);
    }
  }
}

function refuseText(text: string, path: readonly string[]): void {
  const fault = CONTROL.test(text) ? 'control character' : LONE_SURROGATE.test(text) ? 'lone surrogate' : undefined;
  if (fault !== undefined) throw new Refusal('INVALID_ARGUMENT', `${path.join('.')} has a ${fault}`);
}
