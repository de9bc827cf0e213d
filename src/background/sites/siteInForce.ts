import type { SiteView } from '../../messaging/views.ts';

/** What a site may see and do now: nothing while it is blocked. What was granted counts again when it is unblocked. */
export const siteInForce = (found: SiteView | undefined): SiteView | undefined =>
  found?.blocked ? { ...found, grants: [] } : found;
