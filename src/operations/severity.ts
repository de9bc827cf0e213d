/**
 * How much a warning asks for attention, from the mildest on. `note`: a plain fact, drawn among the
 * details; `notice`: to be checked; `danger`: names what can be lost; `stop`: most or all of it can
 * be lost, so the approval needs the password again.
 */
export const severities = ['note', 'notice', 'danger', 'stop'] as const;

export type Severity = (typeof severities)[number];

/** Whether a severity is at least as grave as another. */
export const isAtLeast = (severity: Severity, least: Severity): boolean =>
  severities.indexOf(severity) >= severities.indexOf(least);

/**
 * Whether the user could lose something by it; no request of this severity is signed without
 * asking.
 */
export const isGrave = ({ severity }: { readonly severity: Severity }): boolean => isAtLeast(severity, 'danger');
