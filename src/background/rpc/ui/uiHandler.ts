import type { z } from 'zod';
import type { UiMethod, UiResults, uiMethods } from '../../../messaging/uiMethods.ts';
import type { Wallet } from '../../wallet.ts';

export type UiInput<M extends UiMethod> = z.output<(typeof uiMethods)[M]['params']>;

/** What the background does for each method of our own pages. */
export type UiHandlers<M extends UiMethod = UiMethod> = {
  readonly [Name in M]: (wallet: Wallet, params: UiInput<Name>) => Promise<UiResults[Name]>;
};
