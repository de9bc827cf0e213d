import '../first.ts';
import { boot } from '../boot.tsx';
import { ApprovalApp } from './ApprovalApp.tsx';

void boot(ApprovalApp);
