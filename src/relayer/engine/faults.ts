/** Steps that a test or a developer can make fail some times, to meet the codes of such trouble. */
export const faultSteps = ['freeze', 'record', 'cancel', 'settle', 'read', 'payout'] as const;
export type FaultStep = (typeof faultSteps)[number];

/** Thrown inside the transaction of the failing step, exactly where a database error would be. */
export class InjectedFault extends Error {
  override readonly name = 'InjectedFault';
}

export interface Faults {
  /** The next `times` passes through `step` fail. */
  arm(step: FaultStep, times: number): void;
  /** Called by the step itself. */
  pass(step: FaultStep): void;
}

export function createFaults(): Faults {
  const armed = new Map<FaultStep, number>();
  return {
    arm: (step, times) => armed.set(step, times),
    pass: (step) => {
      const left = armed.get(step) ?? 0;
      if (left === 0) return;
      armed.set(step, left - 1);
      throw new InjectedFault(`fault in ${step}, asked for by /dev/failNext`);
    },
  };
}
