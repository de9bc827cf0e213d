/**
 * Exchange and roots in the header of a block, from its bytes as text; nothing else of the block is
 * read.
 * @param data - 0x + hex digits, as a relayer publishes a block; at least a header.
 */
export const headerOf = (data: string) => ({
  exchange: `0x${data.slice(2, 42)}`,
  rootBefore: `0x${data.slice(42, 106)}`,
  rootAfter: `0x${data.slice(106, 170)}`,
});
