import { z } from 'zod/mini';

/** Types of an input in words; any other type has its own name. */
const types: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

const units: Readonly<Record<string, string>> = { string: ' characters', array: ' entries' };

const quoted = (values: readonly unknown[]): string => values.map((value) => JSON.stringify(value)).join(', ');

/** What is wrong with a value, to stand behind the name of its field. */
function fault(issue: Parameters<z.core.$ZodErrorMap>[0]): string {
  const { input } = issue;
  switch (issue.code) {
    case 'invalid_type':
      return input === undefined ? 'is missing' : `is not ${types[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `is not ${issue.values.length === 1 ? '' : 'one of '}${quoted(issue.values)}`;
    case 'too_small':
      return units[issue.origin]
        ? `has fewer than ${issue.minimum}${units[issue.origin]}`
        : `is ${issue.inclusive ? 'less' : 'not more'} than ${issue.minimum}`;
    case 'too_big':
      return units[issue.origin]
        ? `has more than ${issue.maximum}${units[issue.origin]}`
        : `is ${issue.inclusive ? 'more' : 'not less'} than ${issue.maximum}`;
    case 'not_multiple_of':
      return `is not a multiple of ${issue.divisor}`;
    case 'unrecognized_keys':
      return `unknown field ${quoted(issue.keys)}`;
    default:
      return 'has no valid form';
  }
}

// `zod/mini` brings no texts of its own: without these, every issue says `Invalid input`. Zod's
// English ones are three times as long, for checks that are not used here.
z.config({ localeError: fault });

export { z };
