import { askEarly } from '../background.ts';
import { boot } from '../boot.tsx';
import { ApprovalApp } from './ApprovalApp.tsx';
import { idInAddress } from './useApproval.ts';

void boot(ApprovalApp, () => {
  const id = idInAddress();
  if (id !== null) askEarly('getApproval', { id });
});
