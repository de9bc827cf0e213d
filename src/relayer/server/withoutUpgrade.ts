import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

const OFFER = new Set(['upgrade', 'http2-settings']);

/**
 * Has the server read a request again as if its client had not offered another protocol, which a
 * server may do (RFC 9110, 7.8). Node has stopped parsing such a connection after the headers.
 * @param head - what came behind them.
 */
export function withoutUpgrade(server: Server, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  // Answers keep the order of their requests: Node would wait for ever behind one of before.
  const { _httpMessage: before } = socket as Duplex & { readonly _httpMessage?: ServerResponse | null };
  if (before) return void before.once('finish', () => withoutUpgrade(server, request, socket, head));
  const { method, url, httpVersion, rawHeaders } = request;
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = rawHeaders.slice(at, at + 2);
    const kept = name.toLowerCase() === 'connection' ? value.split(',').filter((option) => !isOffer(option)) : [value];
    if (!isOffer(name) && kept.length > 0) lines.push(`${name}: ${kept.join(',')}`);
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  server.emit('connection', socket);
}

const isOffer = (name: string) => OFFER.has(name.trim().toLowerCase());
