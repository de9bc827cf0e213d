import { metElsewhere } from '../../report/report.ts';

/**
 * Runs works one after another, each whatever became of the one before. In this context alone,
 * which is enough where the background is the only one that does such work, and spares the
 * browser's lock manager's round trip.
 */
export function createMutex(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work);
    last = mine.catch(metElsewhere);
    return mine;
  };
}
