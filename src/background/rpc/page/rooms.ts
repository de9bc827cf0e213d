import type { Journal, SubmissionRecord } from '../../../journal/index.ts';
import type { NetworkView } from '../../../messaging/views.ts';
import type { Reads } from '../../../operations/reads.ts';
import type { PushTopic } from '../../../protocol/index.ts';
import type { Receipt } from '../../../receipts/receipt.ts';
import type { Approvals } from '../../approvals/store/approvals.ts';
import type { Requests } from '../../approvals/store/requests.ts';
import type { RpcError } from '../../errors/rpcError.ts';
import type { StoredAccount } from '../../settings/storedConfig.ts';
import type { PageDocument } from '../../sites/sender.ts';
import type { Granted } from '../../sites/site.ts';
import type { CountedApproval, StandingApproval } from '../../sites/standingStore.ts';

/** Dependencies of the methods of pages. None of it leads to an account that the router has not handed over. */
export interface PageRooms {
  isUnlocked(): Promise<boolean>;
  /** Reads of an account's relayer on behalf of a site. */
  reads(granted: Granted, origin: string): Pick<Reads, 'read'>;
  /** Reads of a relayer that everybody may make, on behalf of a site. */
  publicReads(network: NetworkView, origin: string): Pick<Reads, 'read'>;
  /** Requests of sites and their outcomes. */
  readonly history: {
    readonly approvals: Pick<Approvals, 'get' | 'list' | 'idOfKey'>;
    readonly requests: Pick<Requests, 'find'>;
    readonly journal: Pick<Journal, 'list'>;
    /** Ends a request of which nothing is signed. @returns Whether it was still to be ended. */
    withdraw(id: string, error: RpcError): Promise<boolean>;
    receipt(record: SubmissionRecord): Promise<Receipt>;
  };
  /** The exchanges that are set up, and the one that a site would like to be. */
  readonly exchanges: {
    has(baseUrl: string): Promise<boolean>;
    propose(origin: string, baseUrl: string): Promise<void>;
  };
  /** Subscriptions of documents to topics of relayers. */
  readonly subscriptions: {
    /** Begins it, or keeps what the same request began. @param id - Of the request. @throws {RpcError} `limitExceeded`; `unauthorized` while the wallet is locked */
    hold(
      page: PageDocument,
      id: string,
      subject: Partial<Granted> & Pick<Granted, 'network'>,
      topic: PushTopic,
    ): Promise<void>;
    /** @returns Whether the site had it. */
    leave(origin: string, id: string): boolean;
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
