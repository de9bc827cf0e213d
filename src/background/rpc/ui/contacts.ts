import { lookalikeOf } from '../../../operations/recipient.ts';
import { knownAddresses, recentRecipients } from '../../settings/knownAddresses.ts';
import { networkNamed } from './named.ts';
import type { UiHandlers } from './uiHandler.ts';

export const contactHandlers = {
  async listContacts(wallet, { networkId }) {
    return wallet.contacts.list((await networkNamed(wallet, networkId)).id);
  },

  async addContact(wallet, { networkId, address, name }) {
    const { id } = await networkNamed(wallet, networkId);
    const added = await wallet.contacts.add(id, { address, name }, wallet.ports.now());
    wallet.ports.toUi();
    return added;
  },

  async renameContact(wallet, { networkId, address, name }) {
    await wallet.contacts.rename(networkId, address, name);
    wallet.ports.toUi();
    return null;
  },

  async removeContact(wallet, { networkId, address }) {
    await wallet.contacts.remove(networkId, address);
    wallet.ports.toUi();
    return null;
  },

  async getLookalike(wallet, { networkId, address }) {
    return lookalikeOf(address, await knownAddresses(wallet, networkId)) ?? null;
  },

  async listRecentRecipients(wallet, { networkId, forTransfer }) {
    return recentRecipients(wallet, (await networkNamed(wallet, networkId)).id, forTransfer);
  },
} satisfies UiHandlers<'config' | 'contacts' | 'journal' | 'ports'>;
