import type { AccountView } from '../../messaging/views.ts';
import type { StoredAccount } from './storedConfig.ts';

/** Without what only the background needs. */
export function accountView({ signer: _, keySeed: __, key: ___, smart, ...view }: StoredAccount): AccountView {
  return smart ? { ...view, smart: smart.kind } : view;
}
