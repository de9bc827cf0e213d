/** Words for the end of an order or request; with every other word it can still be carried out. */
export const finalStates = ['processed', 'failed', 'expired', 'cancelled'] as const;
export type FinalState = (typeof finalStates)[number];

/** Statuses of orders whose slot is in use. */
export const openOrderStatuses = ['processing', 'waiting', 'cancelling'] as const;

const fillable = ['processing', 'waiting'];
/** Asks for the orders of which `isOpenOrder` is true. */
export const fillableStatuses = fillable.join();

/** Whether an order can still be filled, and is not being cancelled. */
export const isOpenOrder = ({ status }: { readonly status: string }): boolean => fillable.includes(status);
