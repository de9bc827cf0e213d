import type { Text } from '../../operations/review.ts';
import { Banner } from './Banner.tsx';
import { Phrase } from './Phrase.tsx';

interface NoticeProps {
  readonly text: Text | null | undefined;
  readonly role?: 'alert' | 'status';
}

/** A banner with one text of the background; nothing without it. */
export function Notice({ text, role = 'status' }: NoticeProps) {
  return text ? (
    <Banner tone="notice" role={role}>
      <Phrase text={text} />
    </Banner>
  ) : null;
}
