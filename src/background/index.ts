import browser from 'webextension-polyfill';
import { z } from 'zod';
import { createBrowserPorts } from './browserPorts.ts';
import { type Background, createBackground } from './createBackground.ts';

// zod would otherwise probe `new Function`, which the content security policy reports.
z.config({ jitless: true });

const background: Background = createBackground(
  createBrowserPorts(() => background.onWake()),
  { id: browser.runtime.id, baseUrl: browser.runtime.getURL('') },
);

browser.runtime.onMessage.addListener((message, sender) => background.onMessage(message, sender));

browser.runtime.onInstalled.addListener(({ reason }) => {
  if (reason === 'install') browser.tabs.create({ url: browser.runtime.getURL('src/ui/onboarding.html') });
});
