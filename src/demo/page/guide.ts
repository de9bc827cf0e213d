import { byId } from './elements.ts';

/**
 * Facts that `npm start` gives the page so that a first visit is easy; other servers of this page
 * answer 204.
 */
interface GuideFacts {
  readonly relayer: string;
  /** IPFS gateway with the picture of what the page mints; its address ends with a slash. */
  readonly gateway: string;
  /** Throw-away L1 key of the demo account. */
  readonly privateKey: string;
  /** Of the wallet that the launcher has set up; `null` when the user does that. */
  readonly password: string | null;
}

async function readFacts(): Promise<GuideFacts | null> {
  const response = await fetch('./demo.json').catch(() => null);
  return response?.status === 200 ? ((await response.json()) as GuideFacts) : null;
}

/** `null` on other servers of this page. */
export const demoFacts = readFacts();

/**
 * Shows the first steps, when the launcher serves them: to connect and order, or the setup with the
 * demo account's key before.
 */
export async function showGuide(): Promise<void> {
  const facts = await demoFacts;
  if (!facts) return;
  byId('guide-relayer').textContent = facts.relayer;
  byId('guide-password').textContent = facts.password ?? '';
  byId('guide-ready').hidden = facts.password === null;
  byId('guide-by-hand').hidden = facts.password !== null;
  byId('guide-key').textContent = facts.privateKey;
  byId('guide-copy').addEventListener('click', async () => {
    await navigator.clipboard.writeText(facts.privateKey);
    byId('guide-copy').textContent = 'Copied';
  });
  served = true;
  hideGuide(connected);
}

let served = false;
let connected = false;

/** The guide has done its work once an account is connected. */
export function hideGuide(isConnected: boolean): void {
  connected = isConnected;
  byId('guide').hidden = isConnected || !served;
}
