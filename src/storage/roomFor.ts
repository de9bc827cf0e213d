/**
 * Tells of each value in turn whether it still fits.
 * @param bytes - Size limit of all values together, as JSON in UTF-8.
 * @param leftOut - Called for each value that does not fit.
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
