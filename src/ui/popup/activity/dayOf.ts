import { DAY_MS } from '../../../protocol/time.ts';
import { locale } from '../../i18n.ts';

/**
 * The day of an entry: "Today", "Yesterday", "November 12", with the year when it is another one.
 */
export function dayOf(milliseconds: number, now: number): string {
  const midnight = (time: number) => new Date(time).setHours(0, 0, 0, 0);
  // Rounded, because a day can have 23 or 25 hours.
  const days = Math.round((midnight(milliseconds) - midnight(now)) / DAY_MS);
  if (days === 0 || days === -1) {
    const [first = '', ...rest] = new Intl.RelativeTimeFormat(locale(), { numeric: 'auto' }).format(days, 'day');
    return first.toLocaleUpperCase(locale()) + rest.join('');
  }
  const isThisYear = new Date(milliseconds).getFullYear() === new Date(now).getFullYear();
  return new Intl.DateTimeFormat(locale(), {
    month: 'long',
    day: 'numeric',
    ...(isThisYear ? {} : { year: 'numeric' }),
    numberingSystem: 'latn',
  }).format(milliseconds);
}
