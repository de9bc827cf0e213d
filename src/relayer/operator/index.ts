import { depositConfirmed } from './actions/depositConfirmed.ts';
import { nftDepositConfirmed } from './actions/nftDepositConfirmed.ts';
import { log } from './lists/log.ts';
import type { AnyOperatorAction } from './operatorAction.ts';
import type { OperatorList } from './operatorList.ts';

/** What the operator can report and do. */
export const operatorActions: Readonly<Record<string, AnyOperatorAction>> = { depositConfirmed, nftDepositConfirmed };

/** What the operator can look at. */
export const operatorLists: Readonly<Record<string, OperatorList>> = { log };

/** `depositConfirmed` is `/operator/deposit-confirmed`, and the command's word for it. */
export const pathOf = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
