import { isFinal, type SubmissionRecord } from '../../journal/index.ts';
import { hostPattern } from '../../messaging/hostPattern.ts';
import type { AttentionAction, AttentionItem, AttentionKind } from '../../messaging/views.ts';
import type { Text } from '../../operations/review.ts';
import type { RelayerErrorName } from '../../protocol/index.ts';
import { once } from '../../protocol/once.ts';
import { z } from '../../protocol/zod.ts';
import { reportedAs } from '../../report/report.ts';
import { registeredKey } from '../keys/deriveKey.ts';
import { hexPoint, isSameKey } from '../keys/stagedKeys.ts';
import { keyUpdates, openRotation } from '../keyUpdate/keyUpdates.ts';
import type { StoredAccount } from '../settings/storedConfig.ts';
import { isOver, refusalNameOf } from '../submissions/submissionRecord.ts';
import type { AttentionFound, Wallet } from '../wallet.ts';

/** A refusal is worth a repair this long; after that somebody has asked again. */
const REFUSAL_AGE_MS = 3_600_000;
/** Invalid or used order id, storage id. */
const ID_TAKEN: readonly (RelayerErrorName | undefined)[] = ['ORDER_ID_INVALID', 'ORDER_EXISTS', 'STORAGE_ID_INVALID'];
const KEEP_DISMISSED = 200;
const DISMISSED = 'attention-dismissed';
const keyCheckOf = (account: string) => `key-check:${account}`;

/** The relayer's last answer about an account's key. */
const keyCheck = once(() =>
  z.object({
    at: z.number(),
    /** `null`: the relayer did not answer; `none`: it has no key. */
    registered: z.union([z.null(), z.literal('none'), z.object({ x: z.string(), y: z.string() })]),
    /** How far the clock of the relayer is behind that of this machine, milliseconds; `null`: it did not answer. */
    lagMs: z._default(z.nullable(z.number()), null),
  }),
);

async function dismissed({ ports }: Pick<Wallet, 'ports'>): Promise<readonly string[]> {
  return z.catch(z.array(z.string()), []).parse(await ports.local.get(DISMISSED));
}

export async function dismiss(wallet: Pick<Wallet, 'ports'>, id: string): Promise<void> {
  await wallet.ports.lock('attention', async () => {
    const all = [id, ...(await dismissed(wallet)).filter((other) => other !== id)].slice(0, KEEP_DISMISSED);
    await wallet.ports.local.set({ [DISMISSED]: all });
  });
}

/** Asks the relayers which keys they have; public facts, so the wallet may be locked. */
export async function checkKeys({
  config,
  relayers,
  ports,
}: Pick<Wallet, 'config' | 'relayers' | 'ports'>): Promise<void> {
  const { accounts, networks } = await config.read();
  await Promise.all(
    accounts.map(async ({ id, networkId, accountId }) => {
      const network = networks.find((candidate) => candidate.id === networkId);
      if (!network) return;
      const client = relayers.client(network);
      const registered = await client
        .getAccount({ query: { accountId }, priority: 'poll' })
        .then((found) => {
          const key = registeredKey(found);
          return key ? hexPoint(key) : ('none' as const);
        })
        .catch(reportedAs('attention: ask the relayer', null));
      const lagMs = await client
        .getTimestamp({ priority: 'poll' })
        .then(({ timestamp }) => Math.max(0, ports.now() - timestamp))
        .catch(reportedAs('attention: ask the relayer', null));
      await ports.local.set({ [keyCheckOf(id)]: { at: ports.now(), registered, lagMs } });
    }),
  );
}

/** A site's or the user's request as the subject of an item; the pages know its sentence. */
const requestSubject = ({ operation }: SubmissionRecord): Text => ({ key: `operation_${operation}` });

/** @param over - Its end has passed by both clocks, or its relayer is away; put aside, it is still looked up like any other. */
function submissionItem(record: SubmissionRecord, over: boolean): Omit<AttentionItem, 'submission'> {
  const item = (kind: AttentionKind, ...actions: AttentionAction[]) => ({
    id: `submission:${record.id}`,
    kind,
    account: `${record.networkId}:${record.accountId}`,
    subject: requestSubject(record),
    actions,
  });
  if (record.state === 'reserved') return item('stuck', 'close');
  const aside = over ? (['dismiss'] as const) : [];
  if (record.state === 'signed') return item('unknown', 'check', 'abandon', ...aside);
  if (record.state === 'sent') return item('unknown', 'check', ...aside);
  if (record.state === 'acknowledged') return item('overdue', 'check', ...aside);
  return item('slot-taken', 'resync', 'dismiss');
}

/** Newer submissions of the same cursor that were taken: somebody asked again, and it worked. */
const isOvercome = (record: SubmissionRecord, all: readonly SubmissionRecord[]) =>
  all.some(
    (other) =>
      other.seq > record.seq &&
      other.networkId === record.networkId &&
      other.accountId === record.accountId &&
      other.slot?.tokenId === record.slot?.tokenId &&
      other.slot?.parity === record.slot?.parity &&
      ['acknowledged', 'processed', 'cancelled', 'expired'].includes(other.state),
  );

export async function accountItems(
  wallet: Pick<Wallet, 'approvals' | 'config' | 'journal' | 'ports' | 'stagedKeys'>,
  account: StoredAccount,
): Promise<Omit<AttentionItem, 'submission'>[]> {
  const { ports, config } = wallet;
  const items: Omit<AttentionItem, 'submission'>[] = [];
  const about = { account: account.id, subject: { key: 'attention_account', values: labelOf(account) } };
  const request = await openRotation(wallet, account.id);
  if (request?.stage === 'choosing' && (request.problem ?? request.again))
    items.push({ id: `key-choice:${request.id}`, kind: 'key-choice', ...about, actions: ['rotate'] });
  const { registered } = (await lastCheck(wallet, account.id)) ?? {};
  const network = registered === null ? await config.network(account.networkId) : undefined;
  if (network) {
    const { host } = new URL(network.baseUrl);
    const subject = { key: 'attention_host', values: { host: { kind: 'text', text: host } as const } };
    const pattern = hostPattern(network.baseUrl);
    const origins = pattern === null ? [] : await ports.withheld([pattern]);
    const id = `unreachable:${account.networkId}`;
    items.push(
      origins.length > 0
        ? { id, kind: 'not-allowed', account: null, subject, actions: ['allow'], origins }
        : { id, kind: 'unreachable', account: null, subject, actions: ['check'] },
    );
  }
  // While a key update has no end, either key may be the registered one.
  const underWay = (await keyUpdates(wallet, account)).some(({ state }) => !isFinal(state));
  const staged = await wallet.stagedKeys.list(account.id);
  const explained =
    registered === null ||
    registered === undefined ||
    underWay ||
    (registered !== 'none' &&
      (isSameKey(registered, account.publicKey) || staged.some(({ x }) => BigInt(x) === BigInt(registered.x))));
  if (!explained)
    items.push({
      id: `key-mismatch:${account.id}`,
      kind: 'key-mismatch',
      ...about,
      actions: ['rotate', 'add-key', 'check'],
    });
  return items;
}

const labelOf = ({ label, accountId }: StoredAccount) =>
  ({ label: { kind: 'text', text: label }, id: { kind: 'integer', value: accountId } }) as const;

const lastCheck = async ({ ports }: Pick<Wallet, 'ports'>, account: string) =>
  keyCheck().safeParse(await ports.local.get(keyCheckOf(account))).data;

/** A user must be able to put aside what has no end, also when its relayer is gone for good; before a first check nothing is known. */
async function isAside(wallet: Pick<Wallet, 'ports'>, record: SubmissionRecord): Promise<boolean> {
  const check = await lastCheck(wallet, `${record.networkId}:${record.accountId}`);
  return check !== undefined && isOver(record, wallet.ports.now() - (check.lagMs ?? 0));
}

/** Lists approvals of which nothing is signed yet, for example because the wallet was locked meanwhile. */
export async function approvedItems(
  wallet: Pick<Wallet, 'approvals' | 'executing' | 'hasEffect'>,
): Promise<AttentionFound[]> {
  const items: AttentionFound[] = [];
  for (const approval of await wallet.approvals.listed()) {
    const { id, stage, account = null, kind, operation, review } = approval;
    if (stage !== 'approved' || wallet.executing.has(id) || (await wallet.hasEffect(approval))) continue;
    const subject = review?.sentence ?? { key: kind === 'connect' ? 'queueConnect' : `operation_${operation}` };
    items.push({ id: `approved:${id}`, kind: 'approved', account, subject, actions: ['take-back'] });
  }
  return items;
}

/** Exchanges with tokens that their relayers describe otherwise than before. */
export async function tokenItems({ config, relayers }: Pick<Wallet, 'config' | 'relayers'>): Promise<AttentionFound[]> {
  const items: AttentionFound[] = [];
  for (const { id, baseUrl } of (await config.read()).networks) {
    if ((await relayers.knownChanges(id)).length === 0) continue;
    const subject = { key: 'attention_host', values: { host: { kind: 'text', text: new URL(baseUrl).host } as const } };
    items.push({
      id: `token-changed:${id}`,
      kind: 'token-changed',
      account: null,
      subject,
      actions: ['compare'],
      network: id,
    });
  }
  return items;
}

/** Accounts whose relayer gave proofs that do not hold. One that is hidden comes back with the next such proof. */
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
            account: account.id,
            subject: { key: 'attention_account', values: labelOf(account) },
            actions: ['proofs', 'dismiss'] as const,
          },
        ]
      : [];
  });
  return (await Promise.all(found)).flat();
}

/** Reads again the tokens of the networks; the list follows what is stored of them. */
export async function checkTokens(wallet: Pick<Wallet, 'config' | 'relayers'>): Promise<void> {
  await Promise.all((await wallet.config.read()).networks.map((network) => wallet.relayers.tokenChanges(network)));
}

/** Everything that needs a user, the newest submissions first. */
export async function attention(
  wallet: Pick<Wallet, 'attentionOf' | 'config' | 'journal' | 'ports'>,
): Promise<AttentionFound[]> {
  const { attentionOf, journal, config, ports } = wallet;
  const { accounts: inUse, claimed } = await config.read();
  const accounts = [...inUse, ...claimed];
  const isKnown = ({ networkId, accountId }: SubmissionRecord) =>
    accounts.some((account) => account.networkId === networkId && account.accountId === accountId);
  const { records: stored, damaged } = await journal.everything();
  const all = stored.reverse();
  const waiting = new Set((await journal.needsAttention()).map(({ id }) => id));
  const records = all.filter((record) => {
    if (!isKnown(record)) return false;
    if (waiting.has(record.id)) return true;
    const age = ports.now() - (record.history.at(-1)?.at ?? 0);
    const taken = record.state === 'refused' && ID_TAKEN.includes(refusalNameOf(record)) && record.slot;
    return Boolean(taken) && age < REFUSAL_AGE_MS && !isOvercome(record, all);
  });
  const items: AttentionFound[] = [
    ...(await attentionOf.approvals()),
    ...(await Promise.all(
      records.map(async (record) => ({
        ...submissionItem(record, await isAside(wallet, record)),
        record,
      })),
    )),
    ...(await Promise.all(accounts.map(attentionOf.account))).flat(),
    ...(await attentionOf.tokens()),
    ...(await attentionOf.proofs()),
    ...damaged.map((id) => ({
      id: `damaged:${id}`,
      kind: 'damaged' as const,
      account: null,
      subject: { key: 'attention_entry', values: { id: { kind: 'text', text: id.slice(0, 8) } as const } },
      actions: ['export', 'dismiss'] as const,
    })),
  ];
  const pages = await ports.withheldPages();
  if (pages.length > 0)
    items.push({
      id: 'hidden',
      kind: 'hidden',
      account: null,
      subject: { key: 'attention_pages' },
      actions: ['allow', 'dismiss'],
      origins: pages,
    });
  const gone = new Set(await dismissed(wallet));
  return [...new Map(items.filter(({ id }) => !gone.has(id)).map((item) => [item.id, item])).values()];
}
