import { OWN_ORIGIN } from '../../messaging/ownOrigin.ts';
import { t } from '../i18n.ts';
import { visibleText } from './visibleText.ts';

/** Longest origin drawn whole, in characters: a host name has at most 253. */
const originLimit = 270;

interface OriginParts {
  readonly scheme: string;
  readonly host: string;
  readonly plain: boolean;
  readonly encoded: boolean;
}

/** Cuts an origin for drawing. The browser writes non-Latin hosts in their `xn--` form; that form is kept, it cannot deceive. */
function originParts(origin: string): OriginParts {
  const safe = visibleText(origin, originLimit);
  const match = /^([a-z][a-z0-9+.-]*:\/\/)(.+)$/i.exec(safe);
  const scheme = match?.[1] ?? '';
  const host = match?.[2] ?? safe;
  const local = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(host);
  return { scheme, host, plain: scheme === 'http://' && !local, encoded: /(^|\.)xn--/.test(host) };
}

/** The asking site, host in front; or the wallet itself. */
export function Site({ origin }: { readonly origin: string }) {
  if (origin === OWN_ORIGIN) return <span class="site site-host">{t('siteOwn')}</span>;
  const { scheme, host, plain, encoded } = originParts(origin);
  return (
    <span class="site">
      <bdi class="site-origin">
        <span class="soft">{scheme}</span>
        <span class="site-host">{host}</span>
      </bdi>
      {plain && <span class="tag tag-notice">{t('siteNotEncrypted')}</span>}
      {encoded && <span class="tag tag-notice">{t('siteForeignLetters')}</span>}
    </span>
  );
}
