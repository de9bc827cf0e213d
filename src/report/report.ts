/**
 * Stored facts of a failure: where it was met, its class, code and place in the code. No message
 * and no value of it.
 */
export interface Trace {
  readonly where: string;
  /** Class of the error. */
  readonly name: string;
  readonly code: string | null;
  /** `function file:line:column`, the innermost first. */
  readonly stack: readonly string[];
}

/** Failures kept until somebody listens, such as those of a start that could not load. */
const MOST_UNHEARD = 20;
const MOST_FRAMES = 8;
/** Errors that say how the wallet is. A field of a request can be `missing` too, a failure. */
const STATES = ['VaultError locked', 'VaultError missing', 'UiFailure locked'];
/** Words of code. None of them can hold a key, an amount or an address. */
const NAME = /^[A-Za-z]{1,40}$/;
const CODE = /^[A-Za-z]+(?:[-_][A-Za-z]+){0,4}$/;
const LONGEST_CODE = 40;
const LARGEST_CODE = 999_999;
/**
 * `at run (chrome-extension://id/assets/x.js:1:2)` and `run@moz-extension://id/assets/x.js:1:2`.
 */
const FRAME =
  /^\s*(?:at )?(?:async )?([A-Za-z_$][\w$.]{0,60})?[^\w$].*?([\w-][\w.-]{0,60}\.[cm]?[jt]sx?):(\d{1,7}):(\d{1,7})\)?$/;

function codeOf(error: object): string | null {
  const { code } = error as { readonly code?: unknown };
  if (typeof code === 'string' && code.length <= LONGEST_CODE && CODE.test(code)) return code;
  return Number.isInteger(code) && Math.abs(code as number) <= LARGEST_CODE ? String(code) : null;
}

/**
 * The message stands in front of the frames in Chromium, and may have lines that look like frames.
 */
function framesOf({ stack, message }: Error): string[] {
  if (typeof stack !== 'string') return [];
  const isFramed = message === '' || stack.includes(message) || !stack.includes('\n    at ');
  // A message that was changed after the stack was made cannot be told from the frames.
  if (!isFramed) return [];
  const frames = message === '' ? stack : stack.split(message).at(-1);
  return (frames ?? '')
    .split('\n')
    .flatMap((line) => {
      const [, run = '', file, row, column] = FRAME.exec(line) ?? [];
      return file === undefined ? [] : `${run} ${file}:${row}:${column}`.trim();
    })
    .slice(0, MOST_FRAMES);
}

function traceOf(where: string, error: unknown): Trace {
  if (!(error instanceof Error)) return { where, name: typeof error, code: null, stack: [] };
  const name = NAME.test(error.name) ? error.name : 'Error';
  return { where, name, code: codeOf(error), stack: framesOf(error) };
}

let unheard: Trace[] = [];
let listener: ((trace: Trace) => void) | undefined;

/** Sends every failure there, those from before first. One listener a process, the last one. */
export function listenForReports(listen: (trace: Trace) => void): void {
  listener = listen;
  for (const trace of unheard.splice(0)) listen(trace);
}

/** A store says in its own words that it failed, and why as the cause. */
const saysState = (error: unknown): boolean =>
  error instanceof Error && (STATES.includes(`${error.name} ${codeOf(error)}`) || saysState(error.cause));

/**
 * Leaves a trace of a failure that ends here. A wallet that is locked or was removed is a state and
 * no failure, also where it made something else fail.
 * @param where - A fixed text in the code that names what failed.
 */
export function report(where: string, error: unknown): void {
  if (saysState(error)) return;
  const trace = traceOf(where, error);
  if (listener) listener(trace);
  else unheard = [...unheard, trace].slice(-MOST_UNHEARD);
}

/** For `catch`: reports a failure and goes on. */
export const reported =
  (where: string) =>
  (error: unknown): void =>
    report(where, error);

/** For `catch`: reports a failure and goes on with another value. */
export const reportedAs =
  <T>(where: string, value: T) =>
  (error: unknown): T => {
    report(where, error);
    return value;
  };

/**
 * For `catch` of a promise whose failure is met elsewhere as well; here it only must not count as
 * unhandled.
 */
export const metElsewhere = (): undefined => undefined;

/** For `catch` of what fails in ordinary use, such as a message that nobody is there to hear. */
export const expected = (): undefined => undefined;
