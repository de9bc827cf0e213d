type Stored = Readonly<Record<string, unknown>>;

/** How a stored form came to its newest version: at `n` the step from version `n` to `n + 1`. */
export type Steps = Readonly<Record<number, (value: Stored) => Stored>>;

/**
 * Brings a stored value to the newest version of its form, step by step.
 * @returns `value` as it is when no way leads there from its version; the schema of the form
 *   refuses that.
 */
export function lifted(value: unknown, newest: number, steps: Steps): unknown {
  if (typeof value !== 'object' || value === null || !('version' in value)) return value;
  let current: Stored & { readonly version: unknown } = value;
  while (current.version !== newest) {
    const version = current.version as number;
    const step = Object.hasOwn(steps, version) ? steps[version] : undefined;
    if (!step) return value;
    current = { ...step(current), version: version + 1 };
  }
  return current;
}
