import type { PermissionKind } from '../../messaging/views.ts';

/** A permission in two or three words, and in one sentence that says what a site can then do. */
export const kindTexts: Readonly<Record<PermissionKind, { readonly name: string; readonly sentence: string }>> = {
  read: { name: 'kindRead', sentence: 'permission_read' },
  orders: { name: 'kindOrders', sentence: 'permission_orders' },
  transfers: { name: 'kindTransfers', sentence: 'permission_transfers' },
  withdrawals: { name: 'kindWithdrawals', sentence: 'permission_withdrawals' },
  nfts: { name: 'kindNfts', sentence: 'permission_nfts' },
  pools: { name: 'kindPools', sentence: 'permission_pools' },
  key: { name: 'kindKey', sentence: 'permission_key' },
  sign: { name: 'kindSign', sentence: 'permission_sign' },
};
