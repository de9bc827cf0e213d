import './worker/harden.ts';
// Before anything else of the wallet runs, at its installation and at every start.
import './worker/start/closeStorage.ts';
// Next, so that its read is on its way while the rest of the start runs.
import './worker/start/readFirst.ts';
import browser from 'webextension-polyfill';
import { report } from '../report/report.ts';
import {
  createBrowserPorts,
  onApprovalWindowClosed,
  onNotificationClicked,
  onStorageChanged,
  onWakeAlarm,
  pageSpoke,
} from './worker/browserPorts.ts';
import { createStart } from './worker/start/createStart.ts';
import { readAhead } from './worker/start/readAhead.ts';
import { startupSnapshot } from './worker/start/readFirst.ts';

const own = { id: browser.runtime.id, baseUrl: browser.runtime.getURL('') };

// Every listener is registered before the first wait, or a worker that an event has woken would not
// hear it.
const start: ReturnType<typeof createStart> = createStart(startupSnapshot, own, pageSpoke, async () => {
  const ports = createBrowserPorts(() => void start.onWake());
  readAhead(ports);
  const { createBackground } = await import('./createBackground.ts');
  const background = createBackground(ports, own);
  onStorageChanged(background.storageChanged);
  return background;
});

browser.runtime.onMessage.addListener((message: unknown, sender: browser.Runtime.MessageSender) => {
  // Messages to our own pages pass here too; returning nothing leaves them to their listeners.
  const type = (message as { type?: unknown } | null)?.type;
  return type === 'ui' || type === 'page' || type === 'gone' ? start.onMessage(message, sender) : undefined;
});

// Rejections that nobody caught.
self.addEventListener('unhandledrejection', ({ reason }) => report('worker: not caught', reason));

browser.idle.onStateChanged.addListener((state) => {
  if (state === 'locked') void start.onAway();
  if (state === 'idle') void start.onIdle();
});
// The unlocked state is gone with the browser; said again because keys depend on it.
browser.runtime.onStartup.addListener(() => void start.onAway());

onWakeAlarm(() => void start.onWake());
onNotificationClicked();
onApprovalWindowClosed(() => void start.onApprovalWindowClosed());

browser.runtime.onInstalled.addListener(({ reason }) => {
  if (reason === 'install') void browser.tabs.create({ url: browser.runtime.getURL('src/ui/onboarding.html') });
});
