/** What a site may ask to be allowed; `eth_requestAccounts` asks for `connectKinds`. */
export const permissionKinds = ['read', 'orders', 'transfers', 'withdrawals', 'nfts', 'pools', 'key', 'sign'] as const;
