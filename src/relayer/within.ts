/** Resolves to the answer, or to `undefined` when it takes longer. */
export async function within<Answer>(asking: Promise<Answer> | undefined, ms: number): Promise<Answer | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  try {
    return await Promise.race([asking, late]);
  } finally {
    clearTimeout(timer);
  }
}
