import { platform } from '../platform.ts';
import { openKeyWizard } from '../shared/openKeyWizard.ts';

/** False where the browser has no panel beside its pages. */
export const hasSidePanel = (): boolean => platform().sidePanel !== undefined || platform().sidebarAction !== undefined;

/**
 * Opens the wallet beside the pages of this window and closes the popup. Browsers allow it only
 * while the user is acting.
 */
export async function openSidePanel(): Promise<void> {
  const { sidePanel, sidebarAction, windows } = platform();
  if (sidebarAction !== undefined) await sidebarAction.open();
  else if (sidePanel !== undefined) {
    const { id } = await windows.getCurrent();
    if (id !== undefined) await sidePanel.open({ windowId: id });
  }
  window.close();
}

/** Opens the wizard that replaces an account's key and closes the popup. */
export async function openKeyUpdate(account: string): Promise<void> {
  await openKeyWizard(account);
  window.close();
}

/** Opens the setup in a tab of its own and closes the popup. */
export async function openOnboarding(): Promise<void> {
  const { runtime, tabs } = platform();
  await tabs.create({ url: runtime.getURL('src/ui/onboarding.html') });
  window.close();
}
