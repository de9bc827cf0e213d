/**
 * Views of the wallet's own pages. Plain data, no secrets; made by `background/`, drawn by `ui/`.
 * One file a topic.
 */
export type * from './views/activity.ts';
export type * from './views/addressBook.ts';
export type * from './views/approvals.ts';
export type * from './views/attention.ts';
export type * from './views/diagnostics.ts';
export type * from './views/holdings.ts';
export type * from './views/keys.ts';
export type * from './views/market.ts';
export type * from './views/sites.ts';
export type * from './views/wallet.ts';
