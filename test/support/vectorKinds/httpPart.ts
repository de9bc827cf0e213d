import { bodyText, type SignedRequest } from '../../../src/protocol/index.ts';
import type { Findings } from './findings.ts';

/** What the reference client put on the wire. */
export interface HttpPart {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Method, path and body text of a request of ours. */
export function checkHttp(
  findings: Findings,
  http: HttpPart,
  endpoint: { readonly method: string; readonly path: string },
  body: object,
): void {
  findings.equal('http.method', endpoint.method, http.method);
  findings.equal('http.url', endpoint.path, new URL(http.url).pathname);
  findings.equal('http.body', bodyText(body), http.body);
}

/** The request that a wire record is, for the request signature. */
export function signedRequestOf({ method, url, body }: HttpPart): SignedRequest {
  const { origin, pathname } = new URL(url);
  return { method: method as SignedRequest['method'], baseUrl: origin, path: pathname, bodyText: body };
}
