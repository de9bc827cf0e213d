import type { UseStore } from 'idb-keyval';
import type { PushOptions } from '../client/index.ts';
import type { PageMessage } from '../inpage/protocol.ts';
import type { KeyValueArea } from '../storage/area.ts';
import type { KdfCost } from '../vault/index.ts';

/** Before the id of a request: id of the notification that it waits. */
export const WAITS = 'waits:';

/** Our end of a port to another extension. */
interface WalletPort {
  post(message: unknown): void;
  /** Both are called once, before anything is posted. */
  onMessage(listener: (message: unknown) => void): void;
  onDisconnect(listener: () => void): void;
  close(): void;
}

/** Only `src/client/` uses it, for the relayer that the user added. */
type OpenSocket = NonNullable<PushOptions['openSocket']>;

export type ConnectWallet = (extensionId: string) => WalletPort;

/**
 * Everything the background takes from its surroundings. `index.ts` fills it from the browser;
 * tests fill it with a clock, a random source and fake windows, and real stores, relayer and code.
 */
export interface Ports {
  /** Unix milliseconds. */
  now(): number;
  /** Milliseconds of a clock that never goes back, and waits by it. */
  readonly timer: { now(): number; sleep(ms: number): Promise<void> };
  uuid(): string;
  randomBytes(length: number): Uint8Array<ArrayBuffer>;
  readonly fetch: typeof fetch;
  /** Opens a WebSocket; throws where there is none. */
  readonly openSocket: OpenSocket;
  /**
   * Configuration, grants, limits, pins and public facts: a database of the extension's own origin,
   * which no content script reaches in any browser. Survives everything but a removal of the
   * extension.
   */
  readonly local: KeyValueArea;
  /** Second copies of the vault and of the configuration, in another store than the first ones. */
  readonly copy: KeyValueArea;
  /** `copy` is another store than `earlier`. */
  readonly isCopyApart: boolean;
  /** `storage.local`, where earlier versions kept what is in `local` and `copy` now. */
  readonly earlier: KeyValueArea;
  /** Trusted contexts only; gone with the browser. */
  readonly session: KeyValueArea;
  readonly journalStore: UseStore;
  readonly vaultStore: UseStore;
  /** Cost of new passwords; the vault's own choice when absent. */
  readonly kdfCost?: KdfCost;
  readonly requestStore: UseStore;
  /**
   * The same store, whose writes do not wait for the disk: of an undecided approval request, which
   * a power cut ends with its page.
   */
  readonly relaxedRequestStore: UseStore;
  /** Runs `work` alone among all holders of `name`, across worker restarts. */
  lock<T>(name: string, work: () => Promise<T>): Promise<T>;
  /** A port to a wallet in another extension. */
  readonly connectWallet: ConnectWallet;
  /** Opens the approval window, or brings it to front when one is open. */
  showApproval(id: string): Promise<void>;
  /**
   * To the last document of a site that spoke in a tab; rejects when it is gone. Resolves once the
   * page has taken it, which a tab that hangs never does.
   */
  toPage(tabId: number, origin: string, message: PageMessage): Promise<void>;
  /**
   * Whether a document is still the one that its tab shows. A page that is busy for `withinMs`
   * milliseconds counts as present; one in a tab that is discarded, frozen or closed does not.
   */
  isPresent(tabId: number, documentId: string, withinMs: number): Promise<boolean>;
  /** Sends to the documents from which the site has spoken; waits for none of them. */
  toAllPages(origin: string, message: PageMessage): Promise<void>;
  /** Tells our own pages that something changed. */
  toUi(): void;
  /**
   * Asks to be told once the machine had no input for so many milliseconds. A browser may forget it
   * with the worker.
   */
  watchIdle(ms: number): void;
  /** Whether the machine is locked, or had no input for so many milliseconds. */
  idleFor(ms: number): Promise<boolean>;
  /** Empties all areas and stores. The mark of a wipe goes last, and only when all others did. */
  clearStorage(): Promise<void>;
  /** Filters the host patterns that the browser does not allow. */
  withheld(patterns: readonly string[]): Promise<readonly string[]>;
  /**
   * Host patterns of the pages that the browser has taken from the wallet, so that sites there do
   * not find it.
   */
  withheldPages(): Promise<readonly string[]>;
  setBadge(count: number): Promise<void>;
  /**
   * A notification; `title` and `message` are keys of the catalogs. Dropped when the user has not
   * allowed notifications.
   * @param language - The setting: `system`, or a folder of the catalogs.
   */
  notify(id: string, title: string, message: string, language: string): Promise<void>;
  /** Takes a notification back; nothing happens when it is not there. */
  clearNotification(id: string): void;
  /** Wakes the worker at that time, Unix milliseconds; one alarm, the last call counts. */
  wakeAt(time: number): void;
}
