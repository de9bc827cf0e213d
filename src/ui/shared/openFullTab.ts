import { platform } from '../platform.ts';

/** Opens the place that is shown in a tab of its own and closes the popup. */
export async function openFullTab(): Promise<void> {
  const { runtime, tabs } = platform();
  await tabs.create({ url: runtime.getURL(`src/ui/popup.html?view=tab${location.hash}`) });
  window.close();
}

/**
 * True in the toolbar's popup and in the side panel, which can close, or get no answer, when the
 * browser asks for a passkey.
 */
export const passkeyNeedsTab = (): boolean => (document.documentElement.dataset.view ?? 'tab') !== 'tab';
