/** The legal currencies that the interface's prices know. */
export const legalCurrencies: readonly string[] = ['USD', 'EUR', 'GBP', 'JPY', 'CNY', 'HKD'];
