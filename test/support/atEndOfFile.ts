const ends: (() => void)[] = [];

/** Calls `end` once, after the last test of the file: the process goes on with another file. */
export const atEndOfFile = (end: () => void): void => void ends.push(end);

export function endFile(): void {
  for (const end of ends.splice(0)) end();
}
