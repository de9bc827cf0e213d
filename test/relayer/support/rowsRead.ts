export interface Plan {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows'?: number;
  readonly 'Actual Loops'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly Plans?: readonly Plan[];
}

/** Rows that a plan has read from tables, whether it kept them or not. */
export function rowsRead(plan: Plan): number {
  const loops = plan['Actual Loops'] ?? 0;
  const here = plan['Relation Name']
    ? (plan['Actual Rows'] ?? 0) + (plan['Rows Removed by Filter'] ?? 0) + (plan['Rows Removed by Index Recheck'] ?? 0)
    : 0;
  return Math.round(here * loops) + (plan.Plans ?? []).reduce((sum, below) => sum + rowsRead(below), 0);
}
