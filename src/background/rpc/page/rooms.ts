import type { Journal, SubmissionRecord } from '../../../journal/index.ts';
import type { Reads } from '../../../operations/reads.ts';
import type { Receipt } from '../../../receipts/receipt.ts';
import { pushAnswers } from '../../approvals/answerPages.ts';
import { closeQuestion } from '../../approvals/closeQuestions.ts';
import { refreshBadge } from '../../approvals/refreshBadge.ts';
import type { Approvals } from '../../approvals/store/approvals.ts';
import type { Requests } from '../../approvals/store/requests.ts';
import type { RpcError } from '../../errors/rpcError.ts';
import { readsFor } from '../../relayers/reads.ts';
import type { StoredAccount } from '../../settings/config.ts';
import type { Granted } from '../../sites/site.ts';
import { endLocked, endStandingApprovals } from '../../sites/standingApprovals.ts';
import type { CountedApproval, StandingApproval } from '../../sites/standingStore.ts';
import { receiptOf } from '../../submissions/receiptOf.ts';
import type { Wallet } from '../../wallet.ts';

/** What the methods of pages work with. None of it leads to an account that the router has not handed over. */
export interface PageRooms {
  isUnlocked(): Promise<boolean>;
  /** Reads of an account's relayer on behalf of a site. */
  reads(granted: Granted, origin: string): Reads;
  /** What sites have asked, and what became of it. */
  readonly history: {
    readonly approvals: Pick<Approvals, 'get' | 'list' | 'idOfKey'>;
    readonly requests: Pick<Requests, 'find'>;
    readonly journal: Pick<Journal, 'list'>;
    /** Ends a request of which nothing is signed. @returns Whether it was still to be ended. */
    withdraw(id: string, error: RpcError): Promise<boolean>;
    receipt(record: SubmissionRecord): Promise<Receipt>;
  };
  readonly standing: {
    active(origin: string): Promise<readonly CountedApproval[]>;
    get(id: string): Promise<StandingApproval | undefined>;
    end(id: string): Promise<void>;
  };
  /** Layer-1 signatures: whether the key of an account is in this wallet, and the exchanges that no text may be for. */
  readonly layer1: {
    holdsKeyOf(account: StoredAccount): Promise<boolean>;
    exchanges(): Promise<readonly string[]>;
  };
}

export function createPageRooms(wallet: Wallet): PageRooms {
  const { vault, approvals, requests, journal, standing, config, relayers, accountKeys, ports } = wallet;
  return {
    isUnlocked: () => vault.isUnlocked(),
    reads: ({ account, network }, origin) =>
      readsFor(account, network, { relayers, accountKeys, now: ports.now }, { priority: 'poll', origin }),
    history: {
      approvals,
      requests,
      journal,
      async withdraw(id, error) {
        const closed = await closeQuestion(wallet, id, () => error);
        if (!closed) return false;
        await pushAnswers(wallet, closed);
        await refreshBadge(wallet);
        return true;
      },
      receipt: (record) => receiptOf(wallet, record, 'site'),
    },
    standing: {
      async active(origin) {
        await endLocked(wallet);
        return standing.active({ origin });
      },
      get: standing.get,
      end: (id) => endStandingApprovals(wallet, { id }, 'site'),
    },
    layer1: {
      async holdsKeyOf({ signer, owner }) {
        const held = (await config.read()).signers.find(({ id }) => id === signer);
        return held?.kind === 'local' && held.address.toLowerCase() === owner.toLowerCase();
      },
      exchanges: async () => (await config.read()).networks.map((network) => network.exchangeAddress),
    },
  };
}
