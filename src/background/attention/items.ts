import { hostPattern } from '../../messaging/hostPattern.ts';
import type { Text } from '../../operations/review.ts';
import { isSameKey } from '../keys/stagedKeys.ts';
import { openKeyUpdate } from '../keyUpdate/keyUpdates.ts';
import type { StoredAccount } from '../settings/storedConfig.ts';
import type { AttentionFound, Wallet } from '../wallet.ts';
import { lastCheck } from './checks.ts';

const aboutHost = (baseUrl: string): Text => ({
  key: 'attention_host',
  values: { host: { kind: 'text', text: new URL(baseUrl).host } },
});

const aboutAccount = ({ id, label, accountId }: StoredAccount) => ({
  account: id,
  subject: {
    key: 'attention_account',
    values: { label: { kind: 'text', text: label }, id: { kind: 'integer', value: accountId } },
  } satisfies Text,
});

/**
 * @param mayDiffer - The registered key may be another one: a key update has no end, or none of its
 *   keys is here yet.
 */
export async function accountItems(
  wallet: Pick<Wallet, 'approvals' | 'config' | 'ports' | 'stagedKeys'>,
  account: StoredAccount,
  mayDiffer: boolean,
): Promise<AttentionFound[]> {
  const { ports, config } = wallet;
  const items: AttentionFound[] = [];
  const about = aboutAccount(account);
  const request = await openKeyUpdate(wallet, account.id);
  const reason = request?.again?.why ?? request?.problem;
  if (request?.stage === 'choosing' && reason)
    items.push({ id: `key-choice:${request.id}`, kind: 'key-choice', ...about, reason, actions: ['replace-key'] });
  const { held, registered } = (await lastCheck(wallet, account.id)) ?? {};
  const network = registered === null ? await config.network(account.networkId) : undefined;
  if (network) {
    const subject = aboutHost(network.baseUrl);
    const pattern = hostPattern(network.baseUrl);
    const origins = pattern === null ? [] : await ports.withheld([pattern]);
    const id = `unreachable:${account.networkId}`;
    items.push(
      origins.length > 0
        ? { id, kind: 'not-allowed', account: null, subject, actions: ['allow'], origins }
        : { id, kind: 'unreachable', account: null, subject, actions: ['check'] },
    );
  }
  if (registered === 'unknown') {
    const isClaimed = (await config.read()).claimed.some(({ id }) => id === account.id);
    const actions = isClaimed ? (['check'] as const) : (['proofs', 'check'] as const);
    items.push({ id: `account-gone:${account.id}`, kind: 'account-gone', ...about, actions });
  }
  const staged = await wallet.stagedKeys.list(account.id);
  const explained =
    registered === null ||
    registered === undefined ||
    registered === 'unknown' ||
    mayDiffer ||
    // Asked before the wallet took another key over, such as one that the user registered.
    (held !== undefined && held !== account.publicKey.x) ||
    (registered !== 'none' &&
      (isSameKey(registered, account.publicKey) || staged.some(({ x }) => BigInt(x) === BigInt(registered.x))));
  if (!explained)
    items.push({
      id: `key-mismatch:${account.id}`,
      kind: 'key-mismatch',
      ...about,
      actions: ['replace-key', 'add-key', 'check'],
    });
  return items;
}

/**
 * Lists approvals of which nothing is signed yet, for example because the wallet was locked
 * meanwhile.
 */
export async function approvedItems(
  wallet: Pick<Wallet, 'approvals' | 'executing' | 'hasEffect'>,
): Promise<AttentionFound[]> {
  const items: AttentionFound[] = [];
  for (const approval of await wallet.approvals.listed()) {
    const { id, stage, account = null, kind, operation, review } = approval;
    if (stage !== 'approved' || wallet.executing.has(id) || (await wallet.hasEffect(approval))) continue;
    const subject = review?.sentence ?? { key: kind === 'connect' ? 'approvalConnect' : `operation_${operation}` };
    items.push({ id: `approved:${id}`, kind: 'approved', account, subject, actions: ['take-back'] });
  }
  return items;
}

/** Exchanges with tokens that their relayers describe otherwise than before. */
export async function tokenItems({ config, relayers }: Pick<Wallet, 'config' | 'relayers'>): Promise<AttentionFound[]> {
  const items: AttentionFound[] = [];
  for (const { id, baseUrl } of (await config.read()).networks) {
    if ((await relayers.knownChanges(id)).length === 0) continue;
    items.push({
      id: `token-changed:${id}`,
      kind: 'token-changed',
      account: null,
      subject: aboutHost(baseUrl),
      actions: ['compare'],
      network: id,
    });
  }
  return items;
}

/**
 * Accounts whose relayer gave proofs that do not hold. One that is hidden comes back with the next
 * such proof.
 */
export async function proofItems({
  balanceProofs,
  config,
}: Pick<Wallet, 'balanceProofs' | 'config'>): Promise<AttentionFound[]> {
  const found = (await config.read()).accounts.map(async (account) => {
    const newest = (await balanceProofs.failures(account.id)).at(-1);
    return newest
      ? [
          {
            id: `proof:${account.id}:${newest.at}`,
            kind: 'proof' as const,
            ...aboutAccount(account),
            actions: ['proofs', 'dismiss'] as const,
          },
        ]
      : [];
  });
  return (await Promise.all(found)).flat();
}
