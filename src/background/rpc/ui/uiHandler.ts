import type { UiMethod, UiResults, uiMethods } from '../../../messaging/uiMethods.ts';
import type { z } from '../../../protocol/zod.ts';
import type { Wallet } from '../../wallet.ts';

type UiInput<M extends UiMethod> = z.output<ReturnType<(typeof uiMethods)[M]['params']>>;

/**
 * Handlers of the background for methods of our own pages. @typeParam Parts - Parts of the wallet
 * that the handlers use.
 */
export type UiHandlers<Parts extends keyof Wallet> = {
  readonly [Name in UiMethod]?: (wallet: Pick<Wallet, Parts>, params: UiInput<Name>) => Promise<UiResults[Name]>;
};
