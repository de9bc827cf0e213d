/**
 * The chain of the development relayer, as pages configure it. No node answers there: what a page
 * asks of the wallet is answered by the wallet.
 */
export const chain = {
  id: 31337,
  name: 'Development',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: { default: { http: [`${location.origin}/rpc`] } },
};

export const WALLET = 'Countersign';

/** The structs of typed data without that of the domain, which ethers adds by itself. */
export const structsOf = ({ types: { EIP712Domain: _domain, ...structs } }) => structs;
