import type { CounterFactualInfo } from '../../protocol/index.ts';
import type { StoredAccount } from './storedConfig.ts';

/** How the layer-1 owner of an account approves: absent for an ordinary address. */
export type SmartWallet = NonNullable<StoredAccount['smart']>;

/** L1 address whose key signs for an account; a contract's own address, which has none. */
export const approverOf = ({ owner, smart }: Pick<StoredAccount, 'owner' | 'smart'>): string =>
  smart?.kind === 'counterfactual' ? smart.walletOwner : owner;

type Derivation = Pick<CounterFactualInfo, 'walletFactory' | 'walletOwner' | 'walletSalt'>;

/** Body member of requests of a wallet that is not deployed yet: how its address is derived. */
export function infoOf(smart: SmartWallet): { counterFactualInfo?: Derivation } {
  if (smart.kind === 'contract') return {};
  const { kind: _, ...info } = smart;
  return { counterFactualInfo: info as Derivation };
}
