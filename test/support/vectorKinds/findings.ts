/** One field of one vector that does not hold. */
export interface Finding {
  readonly field: string;
  readonly problem: string;
}

/** Collects what does not hold while one vector is checked. */
export class Findings {
  readonly list: Finding[] = [];

  /**
   * Both values must be present and equal; objects are compared by their JSON text, bigints as
   * decimals.
   */
  equal(field: string, actual: unknown, expected: unknown): void {
    if (expected === undefined) this.list.push({ field, problem: 'is missing in the vector' });
    else if (textOf(actual) !== textOf(expected))
      this.list.push({ field, problem: `expected ${textOf(expected)}, got ${textOf(actual)}` });
  }

  /** The call must throw an error with this `code`. */
  refuses(field: string, code: string, call: () => unknown): void {
    try {
      call();
    } catch (error) {
      this.equal(field, (error as { code?: unknown }).code, code);
      return;
    }
    this.list.push({ field, problem: `expected a refusal with code ${code}` });
  }

  /** A statement that must be true. */
  holds(field: string, statement: boolean, problem: string): void {
    if (!statement) this.list.push({ field, problem });
  }
}

function textOf(value: unknown): string {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'string') return value;
  return JSON.stringify(value, (_key, inner) => (typeof inner === 'bigint' ? inner.toString() : inner)) ?? 'undefined';
}

/** Checks one vector of one kind. May throw: the caller turns that into a finding. */
export type VectorCheck<V> = (vector: V, findings: Findings) => void | Promise<void>;
