/** Columns of a row of texts, in their order: name and meaning. */
type Columns = Readonly<Record<string, string>>;

/**
 * Description, for the reference page and the viem package's types, of a list whose rows are lists
 * of texts.
 */
export const rowDoc = (order: string, columns: Columns, note = '') => ({
  description: `${order}: ${Object.values(columns).join(', ')}${note}`,
  'x-columns': Object.keys(columns),
});
