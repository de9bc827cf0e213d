import type { WalletState } from '../../messaging/views.ts';

/** Props of every screen of the popup. */
export interface ScreenProps {
  readonly wallet: WalletState;
  readonly onWallet: (wallet: WalletState) => void;
  /** What the screen is about: the parts of the address behind its name. */
  readonly rest: readonly string[];
}
