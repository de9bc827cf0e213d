import type { StoredApproval } from '../../src/background/approvals/store/storedApproval.ts';
import type { PermissionKind } from '../../src/messaging/views.ts';
import type { OperationName } from '../../src/operations/index.ts';
import type { Browser } from './browser.ts';
import type { Step } from './people.ts';
import type { Stage } from './stage.ts';

export interface Ask {
  /** Index of the browser; the first when absent. */
  readonly browser?: number;
  /** Tab of the site; 1 when absent. */
  readonly tab?: number;
  readonly method: string;
  readonly params?: unknown;
}

/** `waiting`: it did not work, and time has to pass. */
export type Progress = 'acted' | 'waiting' | 'done';

/** One thing that people do with the wallet while something breaks. */
export interface Scenario {
  readonly name: string;
  /** What the pages ask for. */
  readonly operation: OperationName | 'connect' | 'standingApproval';
  /** Another operation that a page asks for at the same time. */
  readonly besides?: OperationName;
  readonly kinds: readonly PermissionKind[];
  readonly browsers: number;
  /** The account has no key yet and is not in the wallet. */
  readonly unregistered?: true;
  /** One question stands for several requests in one slot, of which one can happen. */
  readonly alternatives?: true;
  /** Made in peace, before anything fails. */
  before?(stage: Stage): Promise<void>;
  ask(stage: Stage): readonly Ask[];
  steps(approval: StoredApproval): readonly Step[];
  /** What a person does in the wallet's own pages, a step at a time. */
  readonly person?: (stage: Stage, browser: Browser) => Promise<Progress>;
  /**
   * For what changes the wallet alone: whether it holds, to be compared with the answer of the
   * page. `question` is absent for a page that was answered without one.
   */
  readonly carriedOut?: (browser: Browser, question: StoredApproval | undefined) => Promise<boolean>;
  /**
   * Hashes of what the relayer has done of this operation for the account; of signatures that go to
   * pages, of those.
   */
  atRelayer(stage: Stage): Promise<readonly string[]>;
  /** Operations whose submissions stay open for good, such as an order that rests. */
  readonly mayStayOpen: boolean;
  /** Amounts at the relayer that must fit what happened. @returns What is wrong. */
  audit?(stage: Stage, happened: number): Promise<readonly string[]>;
}
