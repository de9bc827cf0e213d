import { askEarly, isTopDocument, preloadTexts } from './early.ts';

/**
 * First script of each page of the wallet: it waits for no other script and for no style sheet. It asks what the page
 * will show, and for its texts, so that they are there when the page's code is.
 */
if (isTopDocument(window)) {
  preloadTexts();
  askEarly('getState', {});
  const approval = new URLSearchParams(location.search).get('id');
  if (approval !== null && location.pathname.endsWith('/approval.html')) askEarly('getApproval', { id: approval });
}
