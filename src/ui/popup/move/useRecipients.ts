import type { WalletState } from '../../../messaging/views.ts';
import { useQuery } from '../../shared/useQuery.ts';

export interface NamedAddress {
  /** Checksummed. */
  readonly address: string;
  /** The user's own word for it. */
  readonly name: string | null;
  readonly source: 'own' | 'book' | 'recent';
}

/**
 * Everybody that something could be sent to without typing: address book, other own accounts,
 * earlier receivers.
 * @param forTransfer - Without those that something was only withdrawn to.
 */
export function useRecipients(wallet: WalletState, networkId: string, forTransfer: boolean): readonly NamedAddress[] {
  const contacts = useQuery('listContacts', { networkId });
  const recent = useQuery('listRecentRecipients', { networkId, forTransfer });
  return [
    ...(contacts.data ?? []).map(({ address, name }) => ({ address, name, source: 'book' }) as const),
    ...wallet.accounts
      .filter((account) => account.networkId === networkId)
      .map(({ owner, label }) => ({ address: owner, name: label, source: 'own' }) as const),
    ...(recent.data ?? []).map(({ address }) => ({ address, name: null, source: 'recent' }) as const),
  ];
}
