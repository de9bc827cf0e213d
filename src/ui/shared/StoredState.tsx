import type { ComponentChildren } from 'preact';
import { Banner } from './Banner.tsx';
import { Phrase } from './Phrase.tsx';
import { Problem } from './Problem.tsx';
import type { StoredQuery } from './useStored.ts';

interface StoredStateProps<T> {
  readonly query: StoredQuery<T>;
  /** Stands in the place of what was never read. */
  readonly skeleton: ComponentChildren;
  readonly children: (data: T) => ComponentChildren;
}

/**
 * Shows a stored answer at once, and why it is old; shows grey lines only for an answer that was
 * never read.
 */
export function StoredState<T>({ query, skeleton, children }: StoredStateProps<T>) {
  const { data, problem, error } = query;
  const known = data !== undefined && data !== null;
  return (
    <>
      {problem !== null && (
        <Banner tone="notice" role="status">
          <Phrase text={problem} />
        </Banner>
      )}
      <Problem error={known ? null : error} />
      {known ? children(data) : problem === null && error === null && skeleton}
    </>
  );
}
