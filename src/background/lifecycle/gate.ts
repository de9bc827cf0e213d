import type { UseStore } from 'idb-keyval';
import { metElsewhere } from '../../report/report.ts';
import type { KeyValueArea } from '../../storage/area.ts';
import { VaultError } from '../../vault/index.ts';
import type { Ports } from '../ports.ts';

/** @throws {VaultError} `missing`: everything was removed meanwhile. */
function refuse(): never {
  throw new VaultError('missing');
}

/**
 * The ports of one life of the wallet: from the start of the worker, or from a wipe, to the next
 * wipe. Once closed, nothing that this life still has on the way is stored or sent, so that a wipe
 * is not undone by what began before it.
 * @param opening - Writes wait for it, such as for the rest of a wipe; when it fails, they fail.
 */
export function createGate(ports: Ports, opening: Promise<unknown>) {
  const { fetch: ask } = ports;
  let closed = false;
  const inProgress = new Set<Promise<unknown>>();
  opening.catch(metElsewhere);

  async function pass<T>(write: () => Promise<T>): Promise<T> {
    await opening;
    if (closed) refuse();
    const running = write();
    const settled = running.then(
      () => {},
      () => {},
    );
    inProgress.add(settled);
    try {
      return await running;
    } finally {
      inProgress.delete(settled);
    }
  }

  const area = ({ get, set, remove }: KeyValueArea): KeyValueArea => ({
    get,
    set: (entries) => pass(() => set(entries)),
    remove: (keys) => pass(() => remove(keys)),
  });
  const store =
    (of: UseStore): UseStore =>
    (mode, work) =>
      mode === 'readonly' ? of(mode, work) : pass(async () => of(mode, work));

  const gated: Ports = {
    ...ports,
    local: area(ports.local),
    copy: area(ports.copy),
    session: area(ports.session),
    journalStore: store(ports.journalStore),
    vaultStore: store(ports.vaultStore),
    requestStore: store(ports.requestStore),
    relaxedRequestStore: store(ports.relaxedRequestStore),
    // Its window is kept in `session`.
    showApproval: (id) => pass(() => ports.showApproval(id)),
    setBadge: (count) => pass(() => ports.setBadge(count)),
    fetch: async (input, init) => (closed ? refuse() : ask(input, init)),
    openSocket: (url) => (closed ? refuse() : ports.openSocket(url)),
  };

  return {
    ports: gated,

    /** Lets nothing more through. Resolves when everything that was let through has ended. */
    async close(): Promise<void> {
      closed = true;
      await Promise.all(inProgress);
    },
  };
}
