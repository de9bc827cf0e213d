import './harden.ts';
import browser from 'webextension-polyfill';
import { z } from 'zod';
import { preferFastCore } from '../crypto/fast.ts';
import { createBrowserPorts, onApprovalWindowClosed } from './browserPorts.ts';
import { type Background, createBackground } from './createBackground.ts';

// zod would otherwise probe `new Function`, which the content security policy reports.
z.config({ jitless: true });

// Loaded at the first hash or signature; a wake-up that computes nothing pays nothing.
preferFastCore();

// The unlocked state is for the wallet's own contexts; this is the browser's default, said again because keys depend on it.
(browser.storage.session as unknown as chrome.storage.StorageArea).setAccessLevel?.({
  accessLevel: 'TRUSTED_CONTEXTS',
});

const background: Background = createBackground(
  createBrowserPorts(() => background.onWake()),
  { id: browser.runtime.id, baseUrl: browser.runtime.getURL('') },
);

browser.runtime.onMessage.addListener((message: unknown, sender: browser.Runtime.MessageSender) => {
  // Messages to our own pages come by here too; returning nothing leaves them to their listeners.
  const type = (message as { type?: unknown } | null)?.type;
  return type === 'ui' || type === 'page' ? background.onMessage(message, sender) : undefined;
});

browser.idle.onStateChanged.addListener((state) => {
  if (state === 'locked') background.onAway();
  if (state === 'idle') background.onIdle();
});
// The unlocked state is gone with the browser; said again because keys depend on it.
browser.runtime.onStartup.addListener(() => background.onAway());

onApprovalWindowClosed(() => background.onApprovalWindowClosed());

browser.runtime.onInstalled.addListener(({ reason }) => {
  if (reason === 'install') browser.tabs.create({ url: browser.runtime.getURL('src/ui/onboarding.html') });
});
