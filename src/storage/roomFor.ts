/**
 * Decides of one value after the other whether it still fits.
 * @param bytes - Room for all of them, as JSON in UTF-8.
 * @param leftOut - is told of each value that does not fit.
 */
export function roomFor(bytes: number, leftOut: () => void): (value: unknown) => boolean {
  let left = bytes;
  return (value) => {
    const size = new TextEncoder().encode(JSON.stringify(value)).length;
    const fits = size <= left;
    if (fits) left -= size;
    else leftOut();
    return fits;
  };
}
