import '../first.ts';
import { boot } from '../boot.tsx';
import { PopupApp } from './PopupApp.tsx';

// The toolbar's popup has a size of its own; side panel (`panel.html`) and tab fill what they get.
const { dataset } = document.documentElement;
dataset.view ??= new URLSearchParams(location.search).get('view') === 'tab' ? 'tab' : 'popup';

void boot(PopupApp);
