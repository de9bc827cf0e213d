import type { DemoBrowser } from './openBrowser.ts';
import { setUpWallet } from './tour/setUpWallet.ts';

/** A new wallet opens its first page by itself, a moment after its start. */
const WAIT_MS = 5_000;

/**
 * Sets a new wallet up with the demo account. What does not come to an end is left to the user,
 * with a sentence that says how.
 */
export async function setUpNewWallet({
  context,
  extensionId,
  relayerUrl,
  gatewayUrl,
  privateKey,
  say,
}: DemoBrowser & {
  readonly relayerUrl: string;
  readonly gatewayUrl: string;
  /** L1 key of the demo account. */
  readonly privateKey: string;
  readonly say: (line: string) => void;
}): Promise<void> {
  const address = `chrome-extension://${extensionId}/src/ui/onboarding.html`;
  const page =
    context.pages().find((open) => open.url() === address) ??
    (await context
      .waitForEvent('page', {
        predicate: (opened) => opened.waitForURL(address, { waitUntil: 'commit' }).then(() => true),
        timeout: WAIT_MS,
      })
      .catch(() => null));
  if (!page) return;
  say('Setting the wallet up with the demo account …');
  await setUpWallet({ page, relayerUrl, gatewayUrl, privateKey }).catch(() =>
    say(`The setup came to no end. Go on in its tab: ${relayerUrl} is the relayer, ${privateKey} the key.`),
  );
}
