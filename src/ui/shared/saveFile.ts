/** Hands a text over as a file: the browser asks where to put it, or puts it where downloads go. */
export function saveFile(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has taken the data when the click returns; the address only keeps memory.
  URL.revokeObjectURL(url);
}
