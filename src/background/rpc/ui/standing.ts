import { OWN_ORIGIN } from '../../../messaging/ownOrigin.ts';
import type { StandingView } from '../../../messaging/views.ts';
import { IntentError } from '../../../operations/operation.ts';
import { allowsOrders } from '../../../operations/standing.ts';
import { standingApproval, standingLimits } from '../../../operations/standingApproval.ts';
import { asksPassword } from '../../../operations/warnings.ts';
import { tighten } from '../../approvals/tighten.ts';
import { fieldOf } from '../../errors/fieldOf.ts';
import { invalidInput, UiFailure } from '../../errors/uiFailure.ts';
import { endOver, endStandingApprovals, soldOf } from '../../sites/standingApprovals.ts';
import type { Wallet } from '../../wallet.ts';
import { placeNamed } from './named.ts';
import type { UiHandlers } from './uiHandler.ts';

/** Prepares what the user allows a site ahead, as if the site asked for it. */
async function prepared(wallet: Pick<Wallet, 'config' | 'factsOf'>, id: string, terms: unknown) {
  const { account, network } = await placeNamed(wallet, id);
  const parsed = standingApproval.intent().safeParse(terms);
  if (!parsed.success) throw invalidInput(fieldOf(parsed.error));
  const facts = wallet.factsOf(account, network, OWN_ORIGIN);
  try {
    return { draft: await standingApproval.prepare(parsed.data, facts), now: facts.now };
  } catch (error) {
    throw error instanceof IntentError ? invalidInput(error.field) : error;
  }
}

/** The standing approvals in force; what has expired or was bound to the lock ends first. */
async function standingViews(
  wallet: Pick<Wallet, 'journal' | 'ports' | 'standing' | 'vault'>,
): Promise<StandingView[]> {
  await endOver(wallet);
  return (await wallet.standing.active()).map(({ approval, state }) => {
    const { id, origin, account, endsWithLock, terms, shown } = approval;
    const { orderVolume, totalVolume, rate, validUntil, minPrice = null, maxPrice = null } = terms;
    return {
      ...{ id, origin, account, endsWithLock, ...shown },
      ...{ orders: allowsOrders(terms), orderVolume, totalVolume, rate, validUntil, minPrice, maxPrice },
      soldVolume: soldOf(state).toString(),
      recent: state.recent,
      count: state.count,
    };
  });
}

const inForce = {
  listStanding: standingViews,

  async stopStanding(wallet, { id }) {
    await endStandingApprovals(wallet, id === null ? {} : { id }, 'user');
    return standingViews(wallet);
  },

  async setStanding(wallet, { id, endsWithLock }) {
    await endOver(wallet);
    await wallet.standing.setEndsWithLock(id, endsWithLock);
    wallet.ports.toUi();
    return standingViews(wallet);
  },

  async previewStanding(wallet, { account, terms }) {
    const { draft, now } = await prepared(wallet, account, terms);
    return standingApproval.review(draft, now);
  },
} satisfies UiHandlers<'config' | 'factsOf' | 'journal' | 'ports' | 'standing' | 'vault'>;

const added = {
  async addStanding(wallet, { id, origin, account, terms, password }) {
    const grants = (await wallet.grants.of(origin))?.grants ?? [];
    if (!grants.some((grant) => grant.account === account && grant.kinds.includes(standingApproval.permission)))
      throw invalidInput('origin');
    const { draft, now } = await prepared(wallet, account, terms);
    if (asksPassword(standingApproval.review(draft, now))) {
      if (password === undefined) throw new UiFailure('password-needed', 'error_passwordNeeded');
      await wallet.vault.checkPassword(password);
    }
    const { body, shown } = draft;
    await wallet.standing.open({ id, origin, account, terms: body, shown, endsWithLock: true });
    // The site may have been disconnected meanwhile.
    await wallet.rights.changed(origin);
    return null;
  },
} satisfies UiHandlers<'config' | 'factsOf' | 'grants' | 'rights' | 'standing' | 'vault'>;

const asked = {
  async tightenStanding(wallet, { id, digest, limits }) {
    const parsed = standingLimits().safeParse(limits);
    if (!parsed.success) throw invalidInput(fieldOf(parsed.error));
    await tighten(wallet, id, digest, parsed.data);
    return wallet.viewOf(id);
  },
} satisfies UiHandlers<'approvals' | 'config' | 'ports' | 'vault' | 'viewOf'>;

export const standingHandlers = { ...inForce, ...added, ...asked };
