import type { WalletState } from '../../messaging/views.ts';

/** Props of every screen of the popup. */
export interface ScreenProps {
  readonly wallet: WalletState;
  readonly onWallet: (wallet: WalletState) => void;
  /** Subject of the screen: the parts of the address behind its name. */
  readonly rest: readonly string[];
}
