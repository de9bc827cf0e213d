/** Keys of questions that are not over. */
export const UNDER_WAY = 'approval:';

/** All keys that begin so. */
export const rangeOf = (prefix: string): IDBKeyRange => IDBKeyRange.bound(prefix, `${prefix}\uffff`);
