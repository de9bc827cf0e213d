import { askEarly, isTopDocument, preloadTexts } from './early.ts';

/**
 * What runs first in each page of the wallet: a script of its own that waits for no other and for no style sheet. It asks what the page
 * will show, and for its texts, so that they are there when the page's code is.
 */
if (isTopDocument(window)) {
  preloadTexts();
  askEarly('getState', {});
  const approval = new URLSearchParams(location.search).get('id');
  if (approval !== null && location.pathname.endsWith('/approval.html')) askEarly('getApproval', { id: approval });
}
