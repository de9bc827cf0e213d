import { checksummed } from '../../ethereum/address.ts';
import type { ContactView } from '../../messaging/views.ts';
import { ZERO_ADDRESS } from '../../protocol/index.ts';
import { once } from '../../protocol/once.ts';
import { z } from '../../protocol/zod.ts';
import type { KeyValueArea } from '../../storage/area.ts';
import { readableOf } from '../../storage/lenient.ts';
import { invalidInput, UiFailure } from '../errors/uiFailure.ts';

const contact = once(() =>
  z.object({
    networkId: z.string(),
    /** Checksummed. */
    address: z.string(),
    name: z.string(),
    /** Unix milliseconds. */
    createdAt: z.number(),
  }),
);
export const contactsSchema = once(() => z.array(contact()));

export type StoredContact = z.infer<ReturnType<typeof contact>>;

const KEY = 'contacts';
/** Longest name in characters; it stands in one line of a review. */
const LONGEST_NAME = 40;
const MOST = 500;

/**
 * A receiver's address, checksummed.
 * @throws {UiFailure} `invalid-input`: wrong form, a mixed-case checksum that does not fit (a
 *   typing error), or the zero address.
 */
function checkedAddress(text: string): string {
  const address = checksummed(text);
  const plain = /^0x([0-9a-f]{40}|[0-9A-F]{40})$/.test(text);
  if (!plain && !(/^0x[0-9a-fA-F]{40}$/.test(text) && text === address)) throw invalidInput('address');
  if (address === ZERO_ADDRESS) throw invalidInput('address');
  return address;
}

/**
 * A name as it is kept: one line, without characters that cannot be seen or that turn the reading
 * direction.
 */
function checkedName(text: string): string {
  const name = text.normalize('NFC').trim();
  if (name === '' || [...name].length > LONGEST_NAME || /[\p{C}\p{Zl}\p{Zp}]/u.test(name)) throw invalidInput('name');
  return name;
}

/**
 * Normal form in which names are compared: two that look alike to the eye by letters, whatever
 * their case, form and spacing, are equal.
 */
const folded = (name: string) => name.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ');

/**
 * The user's address book, apart for each network: the same address can be somebody else on another
 * exchange. Persisted in `local`; pages of sites never see it.
 */
export function createContacts(local: KeyValueArea, lock: <T>(name: string, work: () => Promise<T>) => Promise<T>) {
  const read = async (): Promise<StoredContact[]> => readableOf(contact(), await local.get(KEY));
  const change = (edit: (all: readonly StoredContact[]) => readonly StoredContact[]) =>
    lock('contacts', async () => {
      await local.set({ [KEY]: edit(await read()) });
    });
  const is = (networkId: string, address: string) => (entry: StoredContact) =>
    entry.networkId === networkId && entry.address === address;

  function refuseDouble(all: readonly StoredContact[], networkId: string, name: string, but?: string): void {
    const same = all.find(
      (entry) => entry.networkId === networkId && entry.address !== but && folded(entry.name) === folded(name),
    );
    if (same) throw new UiFailure('contact-exists', 'error_contactExists', { name: same.name });
  }

  return {
    /** All of them, as they are kept. */
    read,

    /** Takes what `read` gave in another browser. */
    replace: (all: readonly StoredContact[]) => change(() => all),

    /** Contacts of a network by name. */
    async list(networkId: string): Promise<ContactView[]> {
      return (await read())
        .filter((entry) => entry.networkId === networkId)
        .map(({ address, name, createdAt }) => ({ address, name, createdAt }))
        .sort((a, b) => a.name.localeCompare(b.name));
    },

    /** @throws {UiFailure} `invalid-input`, `contact-exists` (address or name), `contacts-full` */
    async add(networkId: string, given: { address: string; name: string }, createdAt: number): Promise<ContactView> {
      const added: StoredContact = {
        networkId,
        address: checkedAddress(given.address),
        name: checkedName(given.name),
        createdAt,
      };
      await change((all) => {
        const same = all.find(is(networkId, added.address));
        if (same) throw new UiFailure('contact-exists', 'error_contactExists', { name: same.name });
        refuseDouble(all, networkId, added.name);
        if (all.filter((entry) => entry.networkId === networkId).length >= MOST)
          throw new UiFailure('contacts-full', 'error_contactsFull', { count: String(MOST) });
        return [...all, added];
      });
      const { networkId: _, ...view } = added;
      return view;
    },

    /** @throws {UiFailure} `invalid-input`, `contact-exists`, `not-found` */
    async rename(networkId: string, address: string, given: string): Promise<void> {
      const [own, name] = [is(networkId, checkedAddress(address)), checkedName(given)];
      await change((all) => {
        const current = all.find(own);
        if (!current) throw new UiFailure('not-found', 'error_notFound');
        refuseDouble(all, networkId, name, current.address);
        return all.map((entry) => (own(entry) ? { ...entry, name } : entry));
      });
    },

    /** Removing what is not there is no error. */
    remove: (networkId: string, address: string) => {
      const own = is(networkId, checkedAddress(address));
      return change((all) => all.filter((entry) => !own(entry)));
    },

    /**
     * With their network: an exchange that is added again has another id, under which nobody would
     * find them.
     */
    removeAll: (networkId: string) => change((all) => all.filter((entry) => entry.networkId !== networkId)),
  };
}

export type Contacts = ReturnType<typeof createContacts>;
