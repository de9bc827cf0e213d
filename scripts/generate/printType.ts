/** The part of JSON Schema that zod writes for the interface. */
export interface JsonSchema {
  readonly type?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly propertyNames?: JsonSchema;
  readonly items?: JsonSchema;
  readonly prefixItems?: readonly JsonSchema[];
  readonly anyOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly not?: JsonSchema;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  /** What a transformed field looks like on the wire; see `protocol/fields.ts`. */
  readonly wire?: JsonSchema;
  /** A text of items joined by commas; pages pass a list. */
  readonly 'x-list'?: boolean;
  /** The only items of such a text. */
  readonly 'x-words'?: readonly string[];
  /** Names of the texts in each row of a list; see `protocol/rowDoc.ts`. */
  readonly 'x-columns'?: readonly string[];
  /** Any word beside the known ones; see `protocol/statuses.ts`. */
  readonly 'x-open'?: boolean;
  readonly $ref?: string;
}

/** `parameters`: what a page passes, generous. `answer`: what it gets, exact. */
export type Direction = 'parameters' | 'answer';

/** Names of objects by their printed form, which is the same only with the same comments. */
type TypeNames = ReadonlyMap<string, string>;

/**
 * `amountText` of the protocol: base units in decimal. A page may pass a bigint, which becomes that
 * text.
 */
const AMOUNT = '^(0|[1-9][0-9]*)$';
const HEX = '^0x';

/** An object without fields. */
export const NOTHING = 'Readonly<Record<string, never>>';

const literal = (value: unknown) => (typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : String(value));
const key = (name: string) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name));
const union = (parts: readonly string[]) => [...new Set(parts)].join(' | ');
const nested = (type: string) => (/ \| |^readonly /.test(type) && !type.startsWith('{') ? `(${type})` : type);

function text(
  { pattern, 'x-list': isList, 'x-words': words, 'x-open': isOpen }: JsonSchema,
  direction: Direction,
): string {
  // Not `string` alone, which would swallow the known words of the union.
  if (isOpen) return '(string & Record<never, never>)';
  if (direction === 'parameters' && isList && words) return `OneOrMore<${union(words.map(literal))}>`;
  if (direction === 'parameters' && isList) return 'string | readonly (string | number)[]';
  if (direction === 'parameters' && pattern === AMOUNT) return 'Amount';
  return pattern?.startsWith(HEX) ? 'Hex' : 'string';
}

function object(schema: JsonSchema, direction: Direction, names: TypeNames): string {
  const { properties = {}, required = [], additionalProperties, propertyNames } = schema;
  const fields = Object.keys(properties);
  if (fields.length === 0 && typeof additionalProperties === 'object') {
    const value = printType(additionalProperties, direction, names);
    const keys = propertyNames?.enum ? printType(propertyNames, direction, names) : 'string';
    return keys === 'string' ? `{ readonly [key: string]: ${value} }` : `{ readonly [key in ${keys}]?: ${value} }`;
  }
  if (fields.length === 0) return NOTHING;
  const lines = Object.entries(properties).map(([name, property]) => {
    const optional = !required.includes(name);
    const type = printType(property, direction, names).replaceAll('\n', '\n  ');
    const comment = property.description ? `  /** ${property.description} */\n` : '';
    const absent = optional && type !== 'unknown' ? ' | undefined' : '';
    return `${comment}  readonly ${key(name)}${optional ? '?' : ''}: ${type}${absent};\n`;
  });
  const printed = `{\n${lines.join('')}}`;
  return names.get(printed) ?? printed;
}

/**
 * Prints a JSON schema as a TypeScript type. Objects lose the note that they may carry further
 * fields, since a type that says so would accept every misspelling.
 * @throws {Error} The schema uses something that this printer does not know; guessing would make a
 *   wrong type.
 */
export function printType(schema: JsonSchema, direction: Direction, names: TypeNames = new Map()): string {
  if (schema.wire) return printType(schema.wire, direction, names);
  if (schema.$ref !== undefined) throw new Error(`no type for ${JSON.stringify(schema)}`);
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum) return union(schema.enum.map(literal));
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives) return union(alternatives.map((one) => printType(one, direction, names)));
  if (schema.allOf) return schema.allOf.map((one) => nested(printType(one, direction, names))).join(' & ');
  switch (schema.type) {
    case 'string':
      return text(schema, direction);
    case 'number':
    case 'integer':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'null':
      return 'null';
    case 'array': {
      const columns = schema['x-columns'];
      if (columns) return `readonly (readonly [${columns.map((name) => `${name}: string`).join(', ')}])[]`;
      if (schema.prefixItems)
        return `readonly [${schema.prefixItems.map((item) => printType(item, direction, names)).join(', ')}]`;
      return `readonly ${nested(printType(schema.items ?? {}, direction, names))}[]`;
    }
    case 'object':
      return object(schema, direction, names);
    case undefined:
      if (Object.keys(schema).every((name) => name === 'description' || name === '$schema' || name === 'not'))
        return schema.not ? 'undefined' : 'unknown';
  }
  throw new Error(`no type for ${JSON.stringify(schema)}`);
}
