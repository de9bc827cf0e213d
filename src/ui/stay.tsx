import { render } from 'preact';
import { t } from './i18n.ts';
import { giveUpSentBy, send } from './messages.ts';
import { platform } from './platform.ts';
import { Banner } from './shared/Banner.tsx';
import { Button } from './shared/Button.tsx';

/** Well below the time after which the background takes the page for closed. */
const STAY_MS = 20_000;
/** Longer than a background that is there needs for this answer on a busy machine. */
const SILENCE_MS = 10_000;
/** Between two calls of a background that is silent. */
const AGAIN_MS = 2_000;

/** Each `stay` without an answer, by when it was sent (`performance.now`), with its time limit. */
const unanswered = new Map<number, ReturnType<typeof setTimeout>>();
let notice: HTMLElement | undefined;
let next: ReturnType<typeof setTimeout> | undefined;

function callAgainIn(ms: number): void {
  clearTimeout(next);
  next = setTimeout(stay, ms);
}

/**
 * Lets the background hear what relayers tell while this page is there, and says when no answer
 * comes.
 *
 * Chromium can start the worker of an extension that is being reloaded or updated and then know
 * nothing of it: the worker runs, hears no message, and its calls of the browser fail ("No SW").
 * Once the browser has ended it, the next call starts a worker that hears. What was sent before is
 * never answered, which shows in that an earlier `stay` has no answer when a later one has: such
 * calls are given up. Restarting the extension ends such a worker at once.
 */
export async function stay(): Promise<void> {
  const sent = performance.now();
  unanswered.set(sent, setTimeout(showNotice, SILENCE_MS));
  callAgainIn(AGAIN_MS);
  const answer = await send('stay', {});
  clearTimeout(unanswered.get(sent));
  unanswered.delete(sent);
  if (answer !== undefined) hideNotice();
  callAgainIn(notice === undefined ? STAY_MS : AGAIN_MS);
  if (answer === undefined) return;
  const earlier = [...unanswered.keys()].filter((other) => other < sent);
  for (const other of earlier) clearTimeout(unanswered.get(other));
  // An answer that is only slow may come a little after a later one.
  setTimeout(() => giveUpSentBy(Math.max(...earlier.filter((other) => unanswered.has(other)))), AGAIN_MS);
}

function showNotice(): void {
  if (notice !== undefined) return;
  notice = document.createElement('div');
  notice.className = 'silence';
  document.body.append(notice);
  const restart = (
    <Button small icon="refresh" onClick={() => platform().runtime.reload()}>
      {t('silenceRestart')}
    </Button>
  );
  render(
    <Banner tone="notice" role="alert" title={t('silenceTitle')} action={restart}>
      {t('silenceMeaning')}
    </Banner>,
    notice,
  );
}

function hideNotice(): void {
  if (notice === undefined) return;
  render(null, notice);
  notice.remove();
  notice = undefined;
}
