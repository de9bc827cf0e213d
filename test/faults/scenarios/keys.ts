import { hexToBytes } from '@noble/hashes/utils.js';
import { privateKeyToAccount } from 'viem/accounts';
import {
  accountUpdateIdentifier,
  formatHash,
  keySeedText,
  secretKeyFromSignature,
} from '../../../src/protocol/index.ts';
import type { Browser } from '../browser.ts';
import { inPeace } from '../inPeace.ts';
import { PASSWORD, type Step, setClock } from '../people.ts';
import { HEAL_AFTER_ROUNDS } from '../plan.ts';
import type { Progress, Scenario } from '../scenario.ts';
import { type Secret, secretBytes } from '../secrets.ts';
import { SITE, type Stage } from '../stage.ts';
import { submit } from './orders.ts';

type KeyUpdateBody = Parameters<typeof accountUpdateIdentifier>[0];

const keyUpdatesThatLeft = ({ browsers }: Stage): KeyUpdateBody[] =>
  browsers
    .flatMap(({ network }) => network.left)
    .filter(({ method, path }) => method === 'POST' && path === '/api/v3/account')
    .map(({ body }) => JSON.parse(body) as KeyUpdateBody);

/** Each key update that counts raises the account's nonce, which is 1 after the first key. */
async function keyUpdatesAtRelayer(stage: Stage): Promise<string[]> {
  const { nonce, publicKey } = await stage.client.getAccount({ query: { accountId: stage.account.accountId } });
  const last = keyUpdatesThatLeft(stage).find((body) => BigInt(body.publicKey.x) === BigInt(publicKey.x));
  return [
    ...(nonce > 1 && last ? [formatHash(accountUpdateIdentifier(last))] : []),
    ...Array.from({ length: nonce - 2 }, (_, index) => `0x${index + 1}`),
  ];
}

/**
 * Whatever happened, the wallet holds the key that the relayer has registered, no other, and the
 * next order is taken.
 */
async function auditKeys(stage: Stage, happened: number): Promise<string[]> {
  const [browser] = stage.browsers;
  const { publicKey } = await stage.client.getAccount({ query: { accountId: stage.account.accountId } });
  const problems: string[] = [];
  const made = (await inPeace(stage, submit({ clientOrderId: 'after' }))) as { status?: string };
  if (made.status !== 'acknowledged') problems.push(`an order after it is ${made.status}`);
  const held = JSON.parse(browser?.local.get('config') ?? '{}') as { accounts: { publicKey: typeof publicKey }[] };
  if (BigInt(held.accounts[0]?.publicKey.x ?? 0) !== BigInt(publicKey.x))
    problems.push(`the wallet has ${held.accounts[0]?.publicKey.x}, the relayer ${publicKey.x}`);
  if (!browser) return problems;
  const { life, background } = browser.worker();
  const kinds = await life.run(() => background.wallet.vault.listSecrets());
  const left = kinds.filter(({ kind }) => kind === 'pending-eddsa-key').length;
  if (left > (happened > 0 ? 0 : 1)) problems.push(`${left} pending keys are left after ${happened} key updates`);
  return problems;
}

/**
 * The first key of an account: claimed, asked for, approved; each step again until the next is due.
 */
async function setUp(stage: Stage, browser: Browser): Promise<Progress> {
  const went = ({ ok }: { readonly ok: boolean }): Progress => (ok ? 'acted' : 'waiting');
  const state = await browser.uiAnswer('getState', {});
  if (!state.ok) return 'waiting';
  if (state.result.vault === 'locked') return went(await browser.uiAnswer('unlock', { password: PASSWORD }));
  const [added] = state.result.accounts;
  if (added) {
    // Asked for again by a user who did not see yet that it was there.
    const open = await browser.uiAnswer('getKeyUpdate', { account: added.id, approval: null });
    const id = open.ok ? open.result.approval?.id : undefined;
    return id === undefined ? 'done' : went(await browser.uiAnswer('reject', { id, block: false }));
  }
  const { networkId = '', signer = '' } = stage.memory;
  const claimed = await browser.uiAnswer('claimAccount', { networkId, signer, label: 'Main' });
  if (!claimed.ok) return 'waiting';
  const { id: account } = claimed.result;
  const view = await browser.uiAnswer('getKeyUpdate', { account, approval: null });
  if (!view.ok) return 'waiting';
  const { approval } = view.result;
  if (approval?.stage === 'ready') {
    const { id, digest } = approval;
    return went(await browser.uiAnswer('approve', { id, digest: digest ?? '', account, password: PASSWORD }));
  }
  if (approval?.stage === 'unavailable') {
    setClock(browser, approval);
    return went(await browser.uiAnswer('retryApproval', { id: approval.id }));
  }
  if (approval !== null && approval.stage !== 'choosing') return 'waiting';
  const asked = { account, approval: approval?.id ?? null, kind: 'derived', feeTokenId: null } as const;
  return went(await browser.uiAnswer('startKeyUpdate', asked));
}

/**
 * What the relayer took, past the interface: an account's key does not tell which request
 * registered it.
 */
async function firstKeyAtRelayer({ relayer, account }: Stage): Promise<string[]> {
  const text = "SELECT hash FROM requests WHERE account_id = $1 AND kind = 'accountUpdate'";
  return (await relayer.db.query<{ hash: string }>(text, [account.accountId])).map(({ hash }) => hash);
}

async function auditFirstKey(stage: Stage, happened: number): Promise<readonly string[]> {
  const [browser] = stage.browsers;
  const state = await browser?.ui('getState', {});
  const [account] = state?.accounts ?? [];
  if (!browser || !account) return ['the account was not added'];
  const { life, background } = browser.worker();
  await life.run(() => background.wallet.grants.grant(SITE, [account.id], ['read', 'orders']));
  return auditKeys(stage, happened);
}

export const keyScenarios: readonly Scenario[] = [
  {
    name: 'key-update',
    operation: 'updateAccountKey',
    kinds: ['read', 'orders', 'key'],
    browsers: 1,
    mayStayOpen: false,
    async before(stage) {
      const { account, secrets } = stage;
      const seed = keySeedText(account.exchange, 1);
      const signature = hexToBytes(
        (await privateKeyToAccount(account.privateKey).signMessage({ message: seed })).slice(2),
      );
      (secrets as Secret[]).push(secretBytes('new EdDSA key', secretKeyFromSignature(signature)));
    },
    ask: () => [{ method: 'relayer_updateAccountKey' }],
    // What failed before its signature is asked again, in each round until nothing fails any more.
    steps: () => Array<Step>(HEAL_AFTER_ROUNDS + 1).fill('approve'),
    atRelayer: keyUpdatesAtRelayer,
    audit: auditKeys,
  },
  {
    name: 'first-key',
    operation: 'updateAccountKey',
    kinds: [],
    browsers: 1,
    unregistered: true,
    mayStayOpen: false,
    ask: () => [],
    steps: () => [],
    person: setUp,
    atRelayer: firstKeyAtRelayer,
    audit: auditFirstKey,
  },
];
