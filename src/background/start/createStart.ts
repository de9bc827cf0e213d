import { keyOf as vaultKeys } from '../../vault/imagePlaces.ts';
import type { Background, createBackground } from '../createBackground.ts';
import type { Ports } from '../ports.ts';
import { callerOf, type Sender } from '../sender.ts';
import { CONFIG_KEY, SITES_KEY, WIPING } from '../storedKeys.ts';
import { answerAtStart } from './answerAtStart.ts';
import { createStoredFacts, type StoredFacts } from './storedFacts.ts';

/** Between the first questions, which come in a row, and what a start has to mend. Milliseconds. */
const AFTER_FIRST_MS = 400;

/** What nearly everything begins with is read while the first message is on its way. Who needs it meets the failures. */
function readAhead({ local }: Ports, { vault, approvals }: StoredFacts): void {
  for (const key of [WIPING, CONFIG_KEY, SITES_KEY, ...Object.values(vaultKeys)]) local.get(key).catch(() => {});
  for (const read of [vault.isUnlocked, approvals.open]) read().catch(() => {});
}

/**
 * The part of the background that every cold start runs. It answers what is asked first and loads the whole background for
 * everything else; also after a first answer, because each start goes on with what the last one left.
 * @param load - Gives the whole background's constructor. A load that failed is tried again by the next message.
 */
export function createStart(
  ports: Ports,
  self: { id: string; baseUrl: string },
  load: () => Promise<{ readonly createBackground: typeof createBackground }>,
) {
  let whole: Promise<Background> | undefined;
  function background(): Promise<Background> {
    if (whole) return whole;
    ports.journalStore('readonly', async () => {}).catch(() => {});
    const loading = load().then(({ createBackground }) => createBackground(ports, self));
    whole = loading;
    loading.catch(() => {
      whole = undefined;
    });
    return loading;
  }
  const mend = () => void background().catch(() => {});
  const facts = createStoredFacts(ports);
  readAhead(ports, facts);

  return {
    /** One message of `runtime.onMessage`; `undefined` for messages that are not for the background. */
    async onMessage(message: unknown, sender: Sender): Promise<unknown> {
      const caller = callerOf(sender, self);
      const first = whole ? undefined : answerAtStart(facts, caller, message);
      if (first) {
        const answer = await first.catch(() => undefined);
        if (answer !== undefined) {
          setTimeout(mend, AFTER_FIRST_MS);
          return answer;
        }
      }
      return (await background()).onMessage(message, sender);
    },
    onAway: async (): Promise<void> => (await background()).onAway(),
    onIdle: async (): Promise<void> => (await background()).onIdle(),
    onWake: async (): Promise<void> => (await background()).onWake(),
    onApprovalWindowClosed: async (): Promise<void> => (await background()).onApprovalWindowClosed(),
  };
}
