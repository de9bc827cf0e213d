import { boot } from '../boot.tsx';
import { PopupApp } from './PopupApp.tsx';

// The toolbar's popup has a size of its own; side panel and tab fill what they get.
const asked = new URLSearchParams(location.search).get('view');
document.documentElement.dataset.view = asked === 'tab' || asked === 'panel' ? asked : 'popup';

void boot(PopupApp);
