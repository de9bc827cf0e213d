/** Waits until the page has drawn nothing new for a while: answers and effects have come to rest. */
export async function settled(root: HTMLElement): Promise<void> {
  const restMs = 100;
  let last = root.innerHTML;
  let since = Date.now();
  while (Date.now() - since < restMs) {
    await new Promise((done) => setTimeout(done, 10));
    if (root.innerHTML !== last) {
      last = root.innerHTML;
      since = Date.now();
    }
  }
}
