import '../first.ts';
import { boot } from '../boot.tsx';
import { ReceiptApp } from './ReceiptApp.tsx';

void boot(ReceiptApp);
