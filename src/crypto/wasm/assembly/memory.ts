/** First free byte; what is taken is never given back (callers keep slots and use them again). */
let free: usize = __heap_base;

/** Address of `size` new zero bytes, aligned to 16. */
export function allocate(size: usize): usize {
  const at = (free + 15) & ~(15 as usize);
  const end = at + size;
  const pages = ((end + 0xffff) >>> 16) as i32;
  const missing = pages - memory.size();
  if (missing > 0 && memory.grow(missing) < 0) unreachable();
  free = end;
  return at;
}
