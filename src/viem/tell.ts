/**
 * Calls back the page. What its callback throws is an unhandled rejection of the page, and neither
 * an error of the wallet nor the end of a watch.
 */
export const tell = async <Args extends unknown[]>(
  callback: ((...args: Args) => void) | undefined,
  ...args: Args
): Promise<void> => callback?.(...args);
