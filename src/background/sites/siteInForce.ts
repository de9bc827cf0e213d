import type { SiteView } from '../../messaging/views.ts';

/**
 * Gives the rights of a site now: none while it is blocked. What was granted counts again when it
 * is unblocked.
 */
export const siteInForce = (found: SiteView | undefined): SiteView | undefined =>
  found?.blocked ? { ...found, grants: [] } : found;
