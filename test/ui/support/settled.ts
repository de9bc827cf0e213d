const REST_TURNS = 10;

/**
 * Waits until the page has drawn nothing new for a while: answers and effects have come to rest.
 * Turns are counted, not time, because on a busy machine much time can pass in which nothing of the
 * page got its turn.
 */
export async function settled(root: HTMLElement): Promise<void> {
  let last = root.innerHTML;
  for (let still = 0; still < REST_TURNS; still++) {
    await new Promise((done) => setTimeout(done, 1));
    if (root.innerHTML === last) continue;
    last = root.innerHTML;
    still = 0;
  }
}
