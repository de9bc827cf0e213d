import '../first.ts';
import { boot } from '../boot.tsx';
import { PopupApp } from './PopupApp.tsx';

void boot(PopupApp);
