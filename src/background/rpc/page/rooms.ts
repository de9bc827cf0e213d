import type { SubmissionRecord } from '../../../journal/index.ts';
import type { NetworkView } from '../../../messaging/views.ts';
import type { Reads } from '../../../operations/reads.ts';
import type { PushTopic } from '../../../protocol/index.ts';
import type { Receipt } from '../../../receipts/receipt.ts';
import type { StoredRequest } from '../../approvals/store/requests.ts';
import type { StoredApproval } from '../../approvals/store/storedApproval.ts';
import type { RpcError } from '../../errors/rpcError.ts';
import type { StoredAccount } from '../../settings/storedConfig.ts';
import type { PageDocument } from '../../sites/sender.ts';
import type { Granted } from '../../sites/site.ts';
import type { CountedApproval } from '../../sites/standingStore.ts';

/**
 * Dependencies of the methods of pages, made for one site: nothing of them leads to the requests or
 * rights of another one.
 */
export interface PageRooms {
  /** Reads of relayers on behalf of the site. */
  readonly reads: {
    of(granted: Granted): Pick<Reads, 'read'>;
    /** Reads that everybody may make. */
    public(network: NetworkView): Pick<Reads, 'read'>;
  };
  /** Requests of the site and their outcomes. */
  readonly history: {
    approval(id: string): Promise<StoredApproval | undefined>;
    /** The newest of the last day, and of older ones that can still be carried out. */
    approvals(most: number): Promise<readonly StoredApproval[]>;
    /** Id of the approval request that has the site's own key. */
    approvalOfKey(key: string): Promise<string | undefined>;
    /** The request of a page, by the id that the page gave it. */
    request(id: string): Promise<StoredRequest | undefined>;
    /** Newest first. */
    records(): Promise<readonly SubmissionRecord[]>;
    /** Of one request, by its number; oldest first. */
    submissions(id: string): Promise<readonly SubmissionRecord[]>;
    /**
     * Ends a request of which nothing is signed.
     * @returns Whether the site had it, and it was still to be ended.
     */
    withdraw(id: string, error: RpcError): Promise<boolean>;
    receipt(record: SubmissionRecord): Promise<Receipt>;
  };
  /** The exchanges that are set up, and the one that the site would like to be. */
  readonly exchanges: {
    has(baseUrl: string, chainId: number): Promise<boolean>;
    propose(baseUrl: string): Promise<void>;
    /** No text may be signed that is for one of these. */
    addresses(): Promise<readonly string[]>;
  };
  /** Subscriptions of documents to topics of relayers. */
  readonly subscriptions: {
    /**
     * Begins it, or keeps what the same request began.
     * @param id - Of the request.
     * @throws {RpcError} `limitExceeded`; `unauthorized` while the wallet is locked
     */
    hold(
      page: PageDocument,
      id: string,
      subject: Partial<Granted> & Pick<Granted, 'network'>,
      topic: PushTopic,
    ): Promise<void>;
    /** @returns Whether the site had it. */
    leave(id: string): boolean;
  };
  readonly standing: {
    active(): Promise<readonly CountedApproval[]>;
    /** @returns Whether the site had it. */
    end(id: string): Promise<boolean>;
  };
  /**
   * Keys of the wallet: whether they can be used now, and whether the layer-1 key of an account is
   * among them.
   */
  readonly keys: {
    isUnlocked(): Promise<boolean>;
    holdsLayer1Of(account: StoredAccount): Promise<boolean>;
  };
}

export type RoomsOf = (origin: string) => PageRooms;
