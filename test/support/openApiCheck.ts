/**
 * Checks JSON against an OpenAPI 3.1 document: every keyword that the document uses, and no
 * tolerance for one that it does not.
 */

type Json = Readonly<Record<string, unknown>>;

export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Json>> };
}
interface Operation {
  readonly responses: Readonly<Record<string, { readonly content: Content }>>;
  readonly requestBody?: { readonly content: Content };
}
type Content = Readonly<Record<string, { readonly schema: Json; readonly example?: unknown }>>;

const isOfType: Readonly<Record<string, (value: unknown) => boolean>> = {
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  array: Array.isArray,
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: Number.isInteger,
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
};
/** They say something about a value without bounding it. */
const ANNOTATIONS = new Set(['description', 'default', 'format', 'title', 'example', 'examples']);

/** @returns What is wrong with `value`, each with its place. */
export function schemaProblems(document: OpenApi, schema: unknown, value: unknown, place = ''): string[] {
  if (schema === true) return [];
  if (schema === false) return [`${place}: nothing is allowed here`];
  const problems: string[] = [];
  const fail = (what: string) => problems.push(`${place}: ${what}`);
  const check = (inner: unknown, part: unknown, at: string) => schemaProblems(document, inner, part, `${place}/${at}`);
  const object = isOfType.object?.(value) ? (value as Json) : undefined;
  const known = ((schema as Json).properties ?? {}) as Json;
  for (const [keyword, rule] of Object.entries(schema as Json))
    switch (keyword) {
      case '$ref': {
        const target = document.components.schemas[String(rule).replace('#/components/schemas/', '')];
        if (target === undefined) fail(`${rule} leads nowhere`);
        else problems.push(...schemaProblems(document, target, value, place));
        break;
      }
      case 'type':
        if (!isOfType[String(rule)]?.(value)) fail(`is no ${rule}`);
        break;
      case 'const':
        if (value !== rule) fail(`is not ${rule}`);
        break;
      case 'enum':
        if (!(rule as unknown[]).includes(value)) fail(`is none of ${rule}`);
        break;
      case 'anyOf':
        if ((rule as unknown[]).every((one) => schemaProblems(document, one, value).length > 0)) fail('fits no form');
        break;
      case 'allOf':
        for (const one of rule as unknown[]) problems.push(...schemaProblems(document, one, value, place));
        break;
      case 'properties':
        for (const [name, inner] of Object.entries(known))
          if (object && Object.hasOwn(object, name)) problems.push(...check(inner, object[name], name));
        break;
      case 'required':
        for (const name of rule as string[]) if (object && !Object.hasOwn(object, name)) fail(`${name} is missing`);
        break;
      case 'additionalProperties':
        for (const [name, part] of Object.entries(object ?? {}))
          if (!Object.hasOwn(known, name)) problems.push(...check(rule, part, name));
        break;
      case 'propertyNames':
        for (const name of Object.keys(object ?? {})) problems.push(...check(rule, name, name));
        break;
      case 'items':
        if (Array.isArray(value))
          for (const [index, part] of value.entries())
            if (index >= (((schema as Json).prefixItems as unknown[] | undefined)?.length ?? 0))
              problems.push(...check(rule, part, String(index)));
        break;
      case 'prefixItems':
        if (Array.isArray(value))
          for (const [index, inner] of (rule as unknown[]).entries())
            problems.push(...check(inner, value[index], String(index)));
        break;
      case 'pattern':
        if (typeof value === 'string' && !new RegExp(String(rule), 'u').test(value)) fail(`does not match ${rule}`);
        break;
      case 'minimum':
        if (typeof value === 'number' && value < Number(rule)) fail(`is below ${rule}`);
        break;
      case 'maximum':
        if (typeof value === 'number' && value > Number(rule)) fail(`is above ${rule}`);
        break;
      case 'exclusiveMinimum':
        if (typeof value === 'number' && value <= Number(rule)) fail(`is not above ${rule}`);
        break;
      case 'minLength':
        if (typeof value === 'string' && [...value].length < Number(rule)) fail(`is shorter than ${rule}`);
        break;
      case 'maxLength':
        if (typeof value === 'string' && [...value].length > Number(rule)) fail(`is longer than ${rule}`);
        break;
      case 'minItems':
        if (Array.isArray(value) && value.length < Number(rule)) fail(`has fewer than ${rule} parts`);
        break;
      case 'maxItems':
        if (Array.isArray(value) && value.length > Number(rule)) fail(`has more than ${rule} parts`);
        break;
      case 'x-columns':
        for (const row of value as unknown[][])
          if (row.length !== (rule as unknown[]).length) fail(`a row has ${row.length} columns, not ${rule}`);
        break;
      default:
        if (!ANNOTATIONS.has(keyword)) fail(`the document uses ${keyword}, which this check does not know`);
    }
  return problems;
}

/** What is wrong with an answer of an endpoint by the document. */
export function answerProblems(
  document: OpenApi,
  { path, method }: { readonly path: string; readonly method: string },
  status: number,
  body: unknown,
): string[] {
  const described = document.paths[path]?.[method.toLowerCase()]?.responses[status];
  if (!described) return [`the document has no status ${status} for ${method} ${path}`];
  return schemaProblems(document, described.content['application/json']?.schema, body);
}
