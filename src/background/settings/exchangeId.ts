import type { NetworkView } from '../../messaging/views.ts';

/** Names an exchange contract on its chain, under whatever URL its relayer is reached. */
export const exchangeId = ({ chainId, exchangeAddress }: Pick<NetworkView, 'chainId' | 'exchangeAddress'>): string =>
  `${chainId}:${exchangeAddress.toLowerCase()}`;
