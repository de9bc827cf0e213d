import type { CounterFactualInfo } from '../../protocol/index.ts';
import type { StoredAccount } from './storedConfig.ts';

/** How the layer-1 owner of an account approves: absent for an ordinary address. */
export type SmartWallet = NonNullable<StoredAccount['smart']>;

/** L1 address whose key signs for an account; a contract's own address, which has none. */
export const approverOf = ({ owner, smart }: Pick<StoredAccount, 'owner' | 'smart'>): string =>
  smart?.kind === 'counterfactual' ? smart.walletOwner : owner;

type Derivation = Pick<CounterFactualInfo, 'walletFactory' | 'walletOwner' | 'walletSalt'>;

/**
 * What operations learn of a smart wallet: that it is a contract, or how the address of one that is
 * not deployed yet is derived.
 */
export function infoOf(smart: SmartWallet): { isContract: true } | { counterFactualInfo: Derivation } {
  if (smart.kind === 'contract') return { isContract: true };
  const { kind: _, ...info } = smart;
  return { counterFactualInfo: info as Derivation };
}
