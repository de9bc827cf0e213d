import { useEffect, useState } from 'preact/hooks';
import { dateTime, distance } from './format.ts';

/** Milliseconds between two updates of a shown distance. */
const tickMs = 15_000;

export function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), tickMs);
    return () => clearInterval(timer);
  }, []);
  return now;
}

function machineTime(milliseconds: number): string | undefined {
  const date = new Date(milliseconds);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

/** Date with its distance from now. `milliseconds` since 1970. */
export function Time({ milliseconds }: { readonly milliseconds: number }) {
  const now = useNow();
  return (
    <time dateTime={machineTime(milliseconds)}>
      <bdi>{dateTime(milliseconds)}</bdi> <bdi class="soft">{distance(milliseconds, now)}</bdi>
    </time>
  );
}

/** Only the distance; the date stands in the tooltip. */
export function Ago({ milliseconds }: { readonly milliseconds: number }) {
  const now = useNow();
  return (
    <time dateTime={machineTime(milliseconds)} title={dateTime(milliseconds)}>
      <bdi>{distance(milliseconds, now)}</bdi>
    </time>
  );
}
