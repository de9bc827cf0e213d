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
  const local = url.hostname === '127.0.0.1' || url.hostname === 'localhost';
  if (
    (url.protocol !== 'https:' && url.protocol !== 'http:') ||
    url.username !== '' ||
    url.search !== '' ||
    url.hash !== ''
  )
    return { ok: false, reason: 'networkUrlInvalid' };
  if (url.protocol === 'http:' && !local) return { ok: false, reason: 'networkUrlPlain' };
  const baseUrl = `${url.origin}${url.pathname}`.replace(/\/+$/, '');
  return { ok: true, baseUrl, host: url.host };
}
