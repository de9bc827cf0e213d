import { askEarly, isTopDocument } from './early.ts';

/**
 * What runs first in each page of the wallet: a script of its own that waits for no other and for no style sheet. It asks what the page
 * will show, so that the answer is there when the page's code is.
 */
if (isTopDocument(window)) {
  askEarly('getState', {});
  const approval = new URLSearchParams(location.search).get('id');
  if (approval !== null && location.pathname.endsWith('/approval.html')) askEarly('getApproval', { id: approval });
}
