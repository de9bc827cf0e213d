import type { ComponentChildren } from 'preact';
import { Notice } from './Notice.tsx';
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
      <Notice text={problem} />
      <Problem error={known ? null : error} />
      {known ? children(data) : problem === null && error === null && skeleton}
    </>
  );
}
