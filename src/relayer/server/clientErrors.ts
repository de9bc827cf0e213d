import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type RelayerErrorName, relayerErrors } from '../../protocol/errors.ts';

const reasons: Readonly<Record<string, readonly [status: string, reason: RelayerErrorName, message: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'REQUEST_TIMEOUT', 'the request did not arrive in time'],
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'INVALID_ARGUMENT', 'the headers are too large'],
};

/**
 * Answers what never became a request in the form of every other refusal: Node's own answer has no
 * body, from which a client cannot tell that nothing was taken.
 */
export function answerClientError(error: Error & { readonly code?: string }, socket: Socket): void {
  // Behind the head of another answer nothing may be written; Node's own handler asks the same.
  const { _httpMessage: answering } = socket as Socket & { readonly _httpMessage?: { readonly _headerSent: boolean } };
  if (error.code === 'ECONNRESET' || !socket.writable || answering?._headerSent) return void socket.destroy();
  const [status, reason, message] = reasons[error.code ?? ''] ?? [
    '400 Bad Request',
    'INVALID_ARGUMENT',
    'the request is not HTTP',
  ];
  endWithRefusal(socket, status, reason, message);
}

/** A client that has not closed its side by then has read the answer or never will, ms. */
const LINGER_MS = 1_000;

/**
 * Ends a socket with the answer that every other refusal has. Nobody else closes it: a client that
 * keeps its side open, or does not read, would keep the connection for good.
 */
export function endWithRefusal(socket: Duplex, status: string, reason: RelayerErrorName, message: string): void {
  const body = JSON.stringify({ resultInfo: { code: relayerErrors[reason].code, message } });
  const later = /^(?:429|503) /.test(status) ? 'retry-after: 1\r\n' : '';
  const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.once('close', () => clearTimeout(timer));
  socket.end(
    `HTTP/1.1 ${status}\r\nconnection: close\r\n${later}content-type: application/json\r\naccess-control-allow-origin: *\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}
