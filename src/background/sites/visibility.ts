import { z } from 'zod';
import { deferred } from '../../protocol/deferred.ts';
import { closeQuestionsOf, takenAway } from '../approvals/closeQuestions.ts';
import { refreshBadge } from '../approvals/refreshBadge.ts';
import { rpcCodes } from '../errors/rpcError.ts';
import type { Wallet } from '../wallet.ts';
import { mayAsk } from './mayAsk.ts';
import { endStandingApprovals } from './standingApprovals.ts';
import { chainOf, hexChain, ownersSeen } from './visibleAccounts.ts';

/** What the pages of an origin were told last: owner addresses, and the chain as hex, `0x0` before there is a network. */
const told = deferred(() => z.object({ accounts: z.array(z.string()), chainId: z.string() }));
type Told = z.infer<typeof told>;

const KEY = 'told';

async function now(wallet: Wallet, origin: string): Promise<Told> {
  return { accounts: await ownersSeen(wallet, origin), chainId: await chainOf(wallet, origin) };
}

/** What a page takes for granted that was never told anything: no account, and the chain of the first network. */
async function untold({ config }: Wallet): Promise<Told> {
  const [first] = (await config.read()).networks;
  return { accounts: [], chainId: hexChain(first?.chainId) };
}

const readTold = async ({ ports }: Wallet): Promise<Record<string, Told>> =>
  z
    .record(z.string(), told)
    .catch({})
    .parse(await ports.local.get(KEY));

/**
 * Tells the pages of an origin what they can see now, in EIP-1193's events and only when it differs from what they were
 * told last. A site is connected while it sees an account: before that there is no chain that it could use.
 */
async function tell(wallet: Wallet, origin: string): Promise<void> {
  const { ports } = wallet;
  await ports.lock('told', async () => {
    const all = await readTold(wallet);
    const [before, after] = [all[origin] ?? (await untold(wallet)), await now(wallet, origin)];
    const send = (event: 'accountsChanged' | 'chainChanged' | 'connect' | 'disconnect', data: unknown) =>
      ports.toAllPages(origin, { event, data });
    if (before.accounts.length === 0 && after.accounts.length > 0) await send('connect', { chainId: after.chainId });
    if (before.chainId !== after.chainId) await send('chainChanged', after.chainId);
    if (before.accounts.join() !== after.accounts.join()) await send('accountsChanged', after.accounts);
    if (before.accounts.length > 0 && after.accounts.length === 0)
      await send('disconnect', { code: rpcCodes.disconnected, message: 'This site sees no account any more.' });
    const { [origin]: known, ...others } = all;
    const kept = after.accounts.length > 0 ? after : undefined;
    // Each start looks after every connected site, and mostly finds nothing new.
    if (JSON.stringify(known) === JSON.stringify(kept)) return;
    // Told last: a worker that stops before tells again at its next start.
    await ports.local.set({ [KEY]: kept ? { ...others, [origin]: kept } : others });
  });
}

/**
 * After each change of what an origin may see or do: open questions that it could not ask any more are closed, standing
 * approvals without their permission end, and its pages are told.
 */
export async function grantsChanged(wallet: Wallet, origin: string): Promise<void> {
  const grants = (await wallet.grants.of(origin))?.grants ?? [];
  await closeQuestionsOf(wallet, origin, takenAway(), (approval) => !mayAsk(grants, approval));
  for (const { rule } of await wallet.standing.active({ origin }))
    if (!grants.some(({ account, kinds }) => account === rule.account && kinds.includes('orders')))
      await endStandingApprovals(wallet, { id: rule.id }, 'permission');
  await refreshBadge(wallet);
  await tell(wallet, origin);
}

/** At the start of the worker: what changed and was not told any more before the last one stopped. */
export async function tellMissed(wallet: Wallet): Promise<void> {
  const origins = new Set([
    ...Object.keys(await readTold(wallet)),
    ...(await wallet.grants.list()).map(({ origin }) => origin),
  ]);
  for (const origin of origins) await tell(wallet, origin);
}
