import { platform } from '../platform.ts';

/** Opens the wizard that registers a new key for an account, in a tab of its own. */
export async function openKeyWizard(account: string): Promise<void> {
  const { runtime, tabs } = platform();
  await tabs.create({ url: runtime.getURL(`src/ui/keyUpdate.html?account=${encodeURIComponent(account)}`) });
}
