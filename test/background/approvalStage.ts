import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { createApprovals } from '../../src/background/approvals/store/approvals.ts';
import { createRequests, type StoredRequest } from '../../src/background/approvals/store/requests.ts';
import type { ApprovedRequest, StoredApproval } from '../../src/background/approvals/store/storedApproval.ts';
import type { StoredAccount } from '../../src/background/settings/storedConfig.ts';
import { createGrants } from '../../src/background/sites/grants.ts';
import { createJournal, type SubmissionDraft } from '../../src/journal/index.ts';
import type { NetworkView } from '../../src/messaging/views.ts';
import type { Review } from '../../src/operations/review.ts';
import { createStores } from '../../src/storage/stores.ts';
import { ACCOUNT_ID, now as NOW, OWNER, pointOf } from '../operations/facts.ts';
import { createFaultyArea } from '../support/faultyArea.ts';
import { createPromiseLock } from '../support/promiseLock.ts';

globalThis.IDBKeyRange ??= IDBKeyRange;

export const SITE = 'https://site.example';
export const OTHER = 'https://other.example';
export const NOW_MS = NOW * 1000;

export const network: NetworkView = {
  ...{ id: 'net', name: 'Net', baseUrl: 'https://relayer.example', chainId: 31337 },
  exchangeAddress: '0x0BABA1Ad5bE3a5C0a66E7ac838a129Bf948f1eA4',
};
export const account: StoredAccount = {
  ...{ id: 'net:10005', networkId: network.id, accountId: ACCOUNT_ID, owner: OWNER, label: 'Main' },
  ...{ signer: 'one', keySeed: '', publicKey: pointOf(3) },
};

export const review: Review = { sentence: { key: 'review_transfer' }, rows: [], warnings: [], bound: [], unbound: [] };

const asked = {
  ...{ version: 1, id: 'q', kind: 'operation', origin: SITE, requestIds: ['page'], createdAt: NOW_MS },
  ...{ askedDigest: '0xa5', operation: 'transfer', account: account.id, intent: { asked: 1 } },
};
const prepared = { draft: { body: { a: 1 }, shown: { b: 2 } }, review, reviewedAt: NOW, digest: '0xd1' };

/** A request to be signed, as it stands before anything is prepared; `changes` move it on. */
export const pendingRequest = (changes: object = {}) => ({ ...asked, stage: 'waiting', ...changes }) as StoredApproval;
export const readyRequest = (changes: object = {}) => pendingRequest({ ...prepared, stage: 'ready', ...changes });
export const approvedRequest = (changes: object = {}) =>
  pendingRequest({ ...prepared, stage: 'approved', decidedAt: NOW_MS, ...changes }) as ApprovedRequest;
const { operation: _, account: __, intent: ___, ...anything } = asked;
export const connection = (changes: object = {}) =>
  ({ ...anything, kind: 'connect', kinds: ['read', 'orders'], stage: 'waiting', ...changes }) as StoredApproval;
export const unlock = (changes: object = {}) =>
  ({ ...anything, kind: 'unlock', stage: 'waiting', ...changes }) as StoredApproval;

/** The exchange of `network` under another URL. */
export const TWIN = 'twin';

/** The stores of approvals, with the steps around them as the test gives them. */
export function createApprovalStage() {
  const clock = { ms: NOW_MS };
  const stores = createStores('requests', 'entries', new IDBFactory());
  const settled: StoredApproval[] = [];
  const approvals = createApprovals(stores.strict, stores.relaxed, async (approval) => void settled.push(approval));
  const requests = createRequests(stores.strict);
  const local = createFaultyArea();
  const grants = createGrants(local.area, createPromiseLock());
  let numbers = 0;
  const journal = createJournal({
    store: createStores('journal', 'entries', new IDBFactory()).strict,
    exchangeOf: async (id) =>
      [network.id, TWIN].includes(id) ? { id: network.id, networkIds: [network.id, TWIN] } : { id, networkIds: [id] },
    now: () => clock.ms,
    uuid: () => `submission-${String(++numbers).padStart(4, '0')}`,
  });
  /** What was called of the steps that belong to other files. */
  const calls: unknown[][] = [];
  const step =
    <Result = undefined>(name: string, result?: Result) =>
    async (...given: unknown[]): Promise<Result> => {
      calls.push([name, ...given]);
      return result as Result;
    };
  return {
    ...{ clock, stores, settled, approvals, requests, local, grants, journal, calls, step },
    /** Names of the steps that were called. */
    called: () => calls.map(([name]) => name),
    /** Stores an approval together with the request of a page that waits for it. */
    async enter(approval: StoredApproval, changes: Partial<StoredRequest> = {}): Promise<StoredApproval> {
      const { origin, createdAt } = approval;
      for (const [index, id] of approval.requestIds.entries())
        await approvals.ask(
          { ...approval, requestIds: [] },
          { id, origin, tabId: index + 1, documentId: `document ${index + 1}`, createdAt, ...changes },
        );
      if (approval.requestIds.length === 0) await approvals.put(approval);
      return approval;
    },
    answerOf: async (id = 'page', origin = SITE) => (await requests.find(origin, id))?.answer,
    /** A submission of the account, signed for the request of an approval. */
    async sign(changes: Partial<SubmissionDraft> = {}, options: Parameters<typeof journal.reserve>[1] = {}) {
      const { id } = await journal.reserve(
        {
          ...{ networkId: network.id, accountId: ACCOUNT_ID, origin: SITE, requestId: 'q', operation: 'transfer' },
          ...{ draft: { a: 1 }, reviewDigest: '0xd1', validUntil: NOW + 600, ...changes },
        },
        options,
      );
      return journal.markSigned(id, { wire: { endpoint: 'submitTransfer', bodyText: '{"a":1}' }, hash: '0xab' });
    },
    refuse: (id: string, code = 102_011) => journal.markRefused(id, { code, message: 'no', outcome: 'refused' }),
  };
}

export type ApprovalStage = ReturnType<typeof createApprovalStage>;
