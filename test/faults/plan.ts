/** The relayer takes the request and says no. */
export const falseRefusals = {
  'says-invalid': { status: 400, code: 102004 },
  'says-exists': { status: 400, code: 102007 },
  'says-poor': { status: 400, code: 102011 },
  'says-used': { status: 400, code: 102021 },
  'says-forbidden': { status: 403, code: null },
  'says-broken': { status: 500, code: null },
} as const;
type FalseRefusal = keyof typeof falseRefusals;

/** Rounds of people's patience while things fail. */
export const HEAL_AFTER_ROUNDS = 8;

/** How an answer of the relayer, or the way to it, breaks. */
export const networkFaults = [
  'lost',
  'answer-lost',
  'late',
  'stale',
  'doubled',
  'cut',
  'garbled',
  'bad-gateway',
  'server-error',
  'too-many',
  // A list that has not heard of what was sent last.
  'behind',
  ...(Object.keys(falseRefusals) as FalseRefusal[]),
] as const;
export type NetworkFault = (typeof networkFaults)[number];

export const clockJumps = {
  'clock-back-1h': -3_600_000,
  // Longer than a click counts, shorter than the wallet stays unlocked.
  'clock-on-3m': 180_000,
  'clock-on-8h': 8 * 3_600_000,
  'clock-on-31d': 31 * 86_400_000,
} as const;
export type ClockJump = keyof typeof clockJumps;

/**
 * One fault at one point. `kill` ends the worker, `browser` ends it and forgets `storage.session`,
 * `full` makes a write fail with a full quota, `shut` makes a store fail to open, `lose` empties a
 * store that has a second copy before the worker starts. A `*` behind a kind lets the fault go on
 * at every later point of the same label until it is healed.
 */
export interface Fault {
  readonly kind: 'kill' | 'browser' | 'full' | 'shut' | 'lose' | NetworkFault | ClockJump;
  readonly lasting: boolean;
  readonly label: string;
  readonly number: number;
}

/** The worker ends; nothing is broken. */
export const isEnd = (kind: Fault['kind']) => kind === 'kill' || kind === 'browser';

const pattern = /^([a-z0-9-]+)(\*?)@(.+)#(\d+)$/;

export function parseFault(text: string): Fault {
  const found = pattern.exec(text);
  if (!found) throw new Error(`${text} is no fault: kind@point#number`);
  const [, kind, star, label, number] = found;
  return { kind: kind as Fault['kind'], lasting: star === '*', label: label as string, number: Number(number) };
}

export const formatFault = ({ kind, lasting, label, number }: Fault) =>
  `${kind}${lasting ? '*' : ''}@${label}#${number}`;

const throwers = new WeakMap<object, Plan>();
/**
 * The plan whose fault threw an error, or what it was caused by; `undefined` for what fails by
 * itself.
 */
export function throwerOf(error: unknown): Plan | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  return throwers.get(error) ?? throwerOf((error as { readonly cause?: unknown }).cause);
}

/** The faults of one schedule, asked at each point. */
export class Plan {
  private readonly counts = new Map<string, number>();
  private healed = false;
  private active = false;
  /** Every point that was reached while the plan was active, in order. */
  readonly trace: string[] = [];
  readonly happened: string[] = [];

  constructor(private readonly faults: readonly Fault[]) {}

  start(): void {
    this.active = true;
  }

  /** From now on nothing fails any more. */
  heal(): void {
    this.healed = true;
  }

  /** @returns The error, known as one of this plan. */
  fail<E extends object>(error: E): E {
    throwers.set(error, this);
    return error;
  }

  /** Counts the point. @returns The faults that happen at it. */
  at(label: string): readonly Fault[] {
    if (!this.active) return [];
    const number = (this.counts.get(label) ?? 0) + 1;
    this.counts.set(label, number);
    this.trace.push(`${label}#${number}`);
    if (this.healed) return [];
    const hit = this.faults.filter(
      (fault) => fault.label === label && (fault.number === number || (fault.lasting && number >= fault.number)),
    );
    for (const fault of hit) this.happened.push(`${formatFault(fault)} at #${number}`);
    return hit;
  }
}
