import { OWN_ORIGIN } from '../../messaging/ownOrigin.ts';
import { t } from '../i18n.ts';
import { visibleText } from './visibleText.ts';

/** Longest origin drawn whole, in characters: a host name has at most 253. */
const originLimit = 270;

/** Labels before a country's that are sold like endings, such as `co.uk`. */
const SOLD_ENDINGS = /^(ac|co|com|edu|go|gob|gov|ne|net|or|org)$/;

interface OriginParts {
  readonly scheme: string;
  /**
   * Part that the owner of the name chose freely, such as `paypal.com.` in
   * `paypal.com.evil.example`; empty for addresses.
   */
  readonly front: string;
  /** The name that somebody registered, with its port. */
  readonly host: string;
  readonly plain: boolean;
  readonly encoded: boolean;
}

/** Where the registered name begins in a host: its last two labels, three below such as `co.uk`. */
function startOfName(host: string): number {
  const name = host.replace(/:\d+$/, '');
  if (name.startsWith('[') || /^[\d.]+$/.test(name)) return 0;
  const labels = name.split('.');
  const [second = '', last = ''] = labels.slice(-2);
  const kept = last.length === 2 && SOLD_ENDINGS.test(second) ? 3 : 2;
  return labels.slice(0, -kept).reduce((length, label) => length + label.length + 1, 0);
}

/**
 * Cuts an origin for drawing. The browser writes non-Latin hosts in their `xn--` form; that form is
 * kept, it cannot deceive.
 */
function originParts(origin: string): OriginParts {
  const safe = visibleText(origin, originLimit);
  const match = /^([a-z][a-z0-9+.-]*:\/\/)(.+)$/i.exec(safe);
  const scheme = match?.[1] ?? '';
  const host = match?.[2] ?? safe;
  const start = startOfName(host);
  const local = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(host);
  return {
    scheme,
    front: host.slice(0, start),
    host: host.slice(start),
    plain: scheme === 'http://' && !local,
    encoded: /(^|\.)xn--/.test(host),
  };
}

/** Fronts longer than this have lines of their own, so that they push nothing aside. */
const LONG_FRONT = 24;

/**
 * The asking site, its registered name in bold, since only that says whose it is; or the wallet
 * itself.
 */
export function Site({ origin }: { readonly origin: string }) {
  if (origin === OWN_ORIGIN) return <span class="site site-host">{t('siteOwn')}</span>;
  const { scheme, front, host, plain, encoded } = originParts(origin);
  return (
    <span class="site">
      <bdi class="site-origin" title={`${scheme}${front}${host}`}>
        <span class="soft">{scheme}</span>
        {front !== '' && (
          <span class={front.length > LONG_FRONT ? 'site-front site-front-long' : 'site-front'}>{front}</span>
        )}
        <span class="site-host">{host}</span>
      </bdi>
      {plain && <span class="tag tag-notice">{t('siteNotEncrypted')}</span>}
      {encoded && <span class="tag tag-notice">{t('siteForeignLetters')}</span>}
    </span>
  );
}
