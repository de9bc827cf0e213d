import { reported, reportedAs } from '../../../report/report.ts';
import type { ReadStartup } from '../../lifecycle/startupSnapshot.ts';
import { callerOf, type PageCaller, type Sender } from '../../sites/sender.ts';
import { answerAtStart } from './answerAtStart.ts';

/** The full background, as far as its start hands on what the browser says. */
interface Background {
  onMessage(message: unknown, sender: Sender): Promise<unknown>;
  onAway(): Promise<void>;
  onIdle(): Promise<void>;
  onWake(): Promise<void>;
  onApprovalWindowClosed(): Promise<void>;
}

/** From the first messages, which come in a row, to what a start has to repair, milliseconds. */
const AFTER_FIRST_MS = 400;

/**
 * The part of the background that every cold start runs. It answers what is asked first and loads
 * the full background for everything else; also after a first answer, because each start goes on
 * with what the last one left.
 * @param startup - Snapshot that the last worker left for the first answers.
 * @param spoke - Hears of each message of a page that is not being left.
 * @param load - Gives the full background. A load that failed is tried again by the next message.
 */
export function createStart(
  startup: ReadStartup,
  self: { id: string; baseUrl: string },
  spoke: (caller: PageCaller) => void,
  load: () => Promise<Background>,
) {
  let full: Promise<Background> | undefined;
  function background(): Promise<Background> {
    if (full) return full;
    const loading = load();
    full = loading;
    loading.catch(() => {
      full = undefined;
    });
    return loading;
  }
  const repair = () => void background().catch(reported('worker: load'));

  return {
    /**
     * One message of `runtime.onMessage`; `undefined` for messages that are not for the background.
     */
    async onMessage(message: unknown, sender: Sender): Promise<unknown> {
      const caller = callerOf(sender, self);
      // What a document sends as it is left may come after the first message of the next one.
      const isLeft =
        (sender.documentLifecycle ?? 'active') !== 'active' || (message as { type?: unknown } | null)?.type === 'gone';
      if (caller.kind === 'page' && !isLeft) spoke(caller);
      const first = full ? undefined : answerAtStart(startup, caller, message);
      if (first) {
        const answer = await first.catch(reportedAs('worker: first answer', undefined));
        if (answer !== undefined) {
          setTimeout(repair, AFTER_FIRST_MS);
          return answer;
        }
      }
      // The polyfill would tell the page of a failure in a form that only its own copy can read.
      return background()
        .then((full) => full.onMessage(message, sender))
        .catch(reportedAs('worker: message', undefined));
    },
    onAway: async (): Promise<void> => (await background()).onAway(),
    onIdle: async (): Promise<void> => (await background()).onIdle(),
    onWake: async (): Promise<void> => (await background()).onWake(),
    onApprovalWindowClosed: async (): Promise<void> => (await background()).onApprovalWindowClosed(),
  };
}
