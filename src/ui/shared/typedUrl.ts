import { isLocalHost } from '../../messaging/hostPattern.ts';

export type TypedUrl =
  | { readonly ok: true; readonly baseUrl: string; readonly host: string }
  | { readonly ok: false; readonly reason: 'networkUrlInvalid' | 'networkUrlPlain' };

/**
 * Reads what was typed as the base URL of a server: https, or http on this machine; nothing but
 * scheme, host and path.
 * @returns Without a trailing slash.
 */
export function typedUrl(text: string): TypedUrl {
  const typed = text.trim();
  if (!URL.canParse(typed)) return { ok: false, reason: 'networkUrlInvalid' };
  const url = new URL(typed);
  if (
    (url.protocol !== 'https:' && url.protocol !== 'http:') ||
    url.username !== '' ||
    url.search !== '' ||
    url.hash !== ''
  )
    return { ok: false, reason: 'networkUrlInvalid' };
  if (url.protocol === 'http:' && !isLocalHost(url.hostname)) return { ok: false, reason: 'networkUrlPlain' };
  const baseUrl = `${url.origin}${url.pathname}`.replace(/\/+$/, '');
  return { ok: true, baseUrl, host: url.host };
}
