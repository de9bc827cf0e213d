import { createHash } from 'node:crypto';
import { type Context, Hono } from 'hono';
import type { Endpoint } from '../../protocol/endpoint.ts';
import { endpoints } from '../../protocol/endpointTable.ts';
import { relayerErrors } from '../../protocol/errors.ts';
import * as examples from '../../protocol/examples.ts';
import { openApiDocument } from '../../protocol/openapi.ts';
import type { Relayer } from '../engine/relayer.ts';
import { perSecondOf } from './admission.ts';
import { compress, compressed } from './compressed.ts';
import type { Env } from './env.ts';

/**
 * `/openapi.json` and a page for people at `/`, both made from the endpoint table; nothing is
 * loaded from elsewhere.
 */
export function reference(relayer: Relayer): Hono<Env> {
  const app = new Hono<Env>();
  const openApi = once(() => JSON.stringify(documentOf(relayer)), 'application/json');
  const page = once(() => renderPage(relayer), 'text/html; charset=UTF-8');
  app.get('/openapi.json', openApi);
  app.get('/', (context) => {
    context.header(
      'content-security-policy',
      `default-src 'none'; style-src 'sha256-${sha256(STYLE)}'; base-uri 'none'; frame-ancestors 'none'`,
    );
    return page(context);
  });
  return app;
}

const documentOf = ({ baseUrls }: Relayer) => openApiDocument(baseUrls[0] ?? '', examples);

/**
 * A document that is rendered and compressed at its first request and answered with 304 to whoever
 * has it.
 */
function once(render: () => string, contentType: string): (context: Context<Env>) => Promise<Response> {
  let document: { readonly text: string; readonly etag: string } | undefined;
  let packed: Promise<Uint8Array<ArrayBuffer>> | undefined;
  return async (context) => {
    if (!document) {
      const text = render();
      document = { text, etag: `W/"${sha256(text)}"` };
    }
    context.header('etag', document.etag);
    context.header('cache-control', 'public, max-age=300');
    if (context.req.header('if-none-match') === document.etag) return context.body(null, 304);
    const { text } = document;
    const pack = () => {
      packed ??= compress(text);
      return packed;
    };
    return context.body(await compressed(context, text, pack), 200, { 'content-type': contentType });
  };
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('base64');

const STYLE = `
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
code, pre { font: 14px/1.4 ui-monospace, monospace; }
pre { overflow-x: auto; padding: 0.75rem; border: 1px solid; border-radius: 6px; }
section { border-top: 1px solid; padding: 1rem 0; }
table { border-collapse: collapse; } td, th { text-align: left; padding: 0.15rem 1rem 0.15rem 0; vertical-align: top; }
`;

const escapeHtml = (text: unknown) =>
  String(text ?? '').replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

interface Operation {
  readonly parameters?: readonly {
    name: string;
    in: string;
    required?: boolean;
    description?: string;
    schema?: object;
  }[];
  readonly requestBody?: { content: Record<string, { schema: { $ref: string } }> };
}

function renderPage(relayer: Relayer): string {
  const { paths, components } = documentOf(relayer) as unknown as {
    paths: Record<string, Record<string, Operation>>;
    components: { schemas: Record<string, object> };
  };
  const list = Object.values(endpoints) as readonly Endpoint[];
  const sections = list.map((endpoint) => {
    const operation = paths[endpoint.path]?.[endpoint.method.toLowerCase()];
    const parameters = (operation?.parameters ?? []).map(
      ({ name, in: where, required, description, schema }) =>
        `<tr><td><code>${escapeHtml(name)}</code></td><td>${escapeHtml(where)}${required ? ', required' : ''}</td><td>${escapeHtml(
          description ?? JSON.stringify(schema),
        )}</td></tr>`,
    );
    const reference = operation?.requestBody?.content['application/json']?.schema.$ref;
    const body = reference && components.schemas[reference.slice(reference.lastIndexOf('/') + 1)];
    const codes = endpoint.errorCodes
      .map((name) => relayerErrors[name])
      .sort((a, b) => a.code - b.code)
      .map(({ code, meaning }) => `<tr><td><code>${code}</code></td><td>${escapeHtml(meaning)}</td></tr>`);
    return `<section id="${escapeHtml(endpoint.name)}"><h2>${escapeHtml(endpoint.summary)}</h2>
<p><code>${escapeHtml(endpoint.method)} ${escapeHtml(endpoint.path)}</code></p>
<p>API key: ${escapeHtml(endpoint.apiKey)}. X-API-SIG: ${escapeHtml(endpoint.signature)}. ${perSecondOf(
      endpoint,
      relayer.config,
    )} requests a second. After an unknown outcome: ${escapeHtml(endpoint.resend)}.</p>
${parameters.length > 0 ? `<table>${parameters.join('')}</table>` : ''}
${body ? `<details><summary>Body</summary><pre>${escapeHtml(JSON.stringify(body, null, 2))}</pre></details>` : ''}
<details><summary>Codes</summary><table>${codes.join('')}</table></details></section>`;
  });
  const index = list.map(({ name, summary }) => `<li><a href="#${escapeHtml(name)}">${escapeHtml(summary)}</a></li>`);
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Relayer reference</title><style>${STYLE}</style></head><body><main><h1>Relayer reference</h1>
<p>Amounts are decimal texts in base units. A refusal has status 400 and the body
<code>{"resultInfo":{"code":…,"message":…}}</code>. Above the rate limit the status is 429, with the same body and a
<code>retry-after</code> header; during an outage or overload of the relayer it is 503, and for a body
that is too large 413, with the same body. The machine-readable form is <a href="/openapi.json">/openapi.json</a>.</p>
<ul>${index.join('')}</ul>${sections.join('')}</main></body></html>`;
}
