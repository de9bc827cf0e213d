import { describe, expect, it } from 'vitest';
import { readBytes } from '../../src/client/readBytes.ts';

/** A body in these parts, which notes what was read of it and whether it was cancelled. */
function bodyOf(parts: readonly (readonly number[])[], cancel: () => unknown = () => {}) {
  const seen = { pulled: 0, cancelled: 0 };
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const part = parts[seen.pulled];
        seen.pulled += 1;
        if (part) controller.enqueue(Uint8Array.from(part));
        else controller.close();
      },
      cancel() {
        seen.cancelled += 1;
        return cancel() as undefined;
      },
    },
    { highWaterMark: 0 },
  );
  return { response: new Response(body), seen };
}

describe('a body', () => {
  it('is read in the order of its parts, up to its bound', async () => {
    const { response, seen } = bodyOf([[1, 2], [], [3], [4, 5, 6]]);
    expect(await readBytes(response, 6)).toEqual(Uint8Array.of(1, 2, 3, 4, 5, 6));
    expect(seen.cancelled).toBe(0);
  });

  it('that is longer is not read on, and its source is told', async () => {
    const { response, seen } = bodyOf([[1, 2, 3], [4], [5], [6]]);
    expect(await readBytes(response, 3)).toBeUndefined();
    expect(seen).toEqual({ pulled: 2, cancelled: 1 });
  });

  it('that is longer is refused also when its source fails at the end', async () => {
    const failing = bodyOf([[1, 2]], () => Promise.reject(new Error('gone')));
    expect(await readBytes(failing.response, 1)).toBeUndefined();
  });

  it('that is empty or absent has no bytes', async () => {
    expect(await readBytes(bodyOf([]).response, 1)).toEqual(new Uint8Array(0));
    expect(await readBytes(new Response(null), 1)).toEqual(new Uint8Array(0));
  });

  it('that breaks off is a failure', async () => {
    const body = new ReadableStream({
      start(controller) {
        controller.error(new Error('gone'));
      },
    });
    await expect(readBytes(new Response(body), 1)).rejects.toThrow('gone');
  });
});
