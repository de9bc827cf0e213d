import { askEarly, isTopDocument, preloadTexts } from './early.ts';
import { readKept } from './readKept.ts';
import { applyTheme, rememberedDisplay } from './theme.ts';

/**
 * First script of each page of the wallet: it waits for no other script and for no style sheet. It
 * sets the look, and asks what the page will show, and for its texts, so that they are there when
 * the page's code is.
 */
if (isTopDocument(window)) {
  const params = new URLSearchParams(location.search);
  const isPopup = location.pathname.endsWith('/popup.html');
  // The toolbar's popup has a size of its own; `panel` and `tab` fill what they get.
  if (isPopup) document.documentElement.dataset.view = params.get('view') ?? 'popup';
  applyTheme(rememberedDisplay());
  preloadTexts();
  // The popup and the side panel begin at home; a tab may begin anywhere. Asked first, so that it
  // is there when the page is drawn, which waits for the state alone.
  if (isPopup && location.hash === '') {
    const kept = readKept();
    askEarly(
      'getHome',
      { refresh: false },
      kept.then(({ home }) => home),
    );
    askEarly(
      'getState',
      {},
      kept.then(({ state }) => state),
    );
  } else askEarly('getState', {});
  const approval = params.get('id');
  if (approval !== null && location.pathname.endsWith('/approval.html')) askEarly('getApproval', { id: approval });
}
