import '../first.ts';
import { boot } from '../boot.tsx';
import { KeyUpdateApp } from './KeyUpdateApp.tsx';

void boot(KeyUpdateApp);
