import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import type { RelayerErrorName } from '../../protocol/errors.ts';
import { SOCKET_KEY_PARAMETER, SOCKET_PATH } from '../../protocol/push.ts';
import type { Relayer } from '../engine/relayer.ts';
import { logFailure } from '../engine/trouble.ts';
import { clientAddress, UNDOCUMENTED_FACTOR } from '../server/admission.ts';
import { endWithRefusal } from '../server/clientErrors.ts';
import { createRateLimit } from '../server/rateLimit.ts';
import { within } from '../within.ts';
import { Connection, type ConnectionLimits } from './connection.ts';
import { createPushHub } from './pushHub.ts';
import { answerRequest } from './requests.ts';
import { takeSocketKey } from './socketKeys.ts';

/** The largest request that is read, bytes: 20 topics fit several times. */
const MAX_REQUEST = 16_384;
/**
 * `Connection` answers pings, because `ws` would answer them without limit, even to a client that
 * does not read.
 */
export const SOCKET_OPTIONS = {
  noServer: true,
  maxPayload: MAX_REQUEST,
  perMessageDeflate: false,
  autoPong: false,
} as const;
/** Requests of one client. */
const MESSAGES_PER_SECOND = 20;
/** Time for clients to read what was sent before the process ends, ms. */
const LEAVE_MS = 1_000;
/** A request names a path and no host, which a URL needs. */
const ANY_HOST = 'http://relayer';

/** The relayer's WebSocket: who may connect, how many, and when a connection ends. */
export function createPushServer(relayer: Relayer) {
  const { config, metrics } = relayer;
  const limits: ConnectionLimits = {
    queueBytes: config.pushQueueBytes,
    silenceMs: config.pushSilenceMs,
    messagesPerSecond: MESSAGES_PER_SECOND,
  };
  const attempts = createRateLimit(undefined, relayer.sharedRates);
  const attemptsPerSecond = UNDOCUMENTED_FACTOR * config.requestsPerSecond;
  const hub = createPushHub(relayer);
  const connections = new Map<Connection, string>();
  /** Connections by the client's address, those that are being opened too. */
  const perClient = new Map<string, number>();
  const count = (client: string, change: 1 | -1) => {
    const number = (perClient.get(client) ?? 0) + change;
    if (number === 0) perClient.delete(client);
    else perClient.set(client, number);
  };
  const server = new WebSocketServer(SOCKET_OPTIONS);
  /** Connections whose key is being looked up. */
  let opening = 0;
  let stopped = false;
  metrics.gauge('push_connections', () => connections.size);

  const received = (connection: Connection, text: string) =>
    connection.carryOut(() =>
      answerRequest(relayer, hub, connection, text).catch((error) => {
        logFailure(relayer, error, 'a request for topics failed');
        connection.close('lost', 'the request could not be carried out; connect again');
      }),
    );

  const closed = (connection: Connection, reason: string) => {
    const client = connections.get(connection);
    if (client === undefined) return;
    connections.delete(connection);
    count(client, -1);
    hub.leave(connection);
    metrics.count('push_closed_total', { reason });
  };

  /** Pings, and looks whether the API keys of account topics are still in force. */
  let pinged = performance.now();
  const heartbeat = setInterval(() => {
    const now = performance.now();
    const paused = Math.max(0, now - pinged - config.pushPingMs);
    pinged = now;
    for (const connection of connections.keys()) {
      connection.ping(paused);
      const { apiKey } = connection;
      if (apiKey === undefined || !connection.isOpen) continue;
      relayer
        .accountOfApiKey(apiKey.text)
        .then((account) => {
          if (account?.accountId !== apiKey.accountId) connection.close('keyReplaced', 'the API key was replaced');
        })
        // Without the database nothing is told either.
        .catch(() => {});
    }
  }, config.pushPingMs);
  heartbeat.unref();

  /** Answers what does not become a connection in the form of every other refusal. */
  const refuse = (socket: Duplex, status: string, reason: RelayerErrorName, message: string): void => {
    metrics.count('push_refused_total', { status: status.slice(0, 3) });
    if (!socket.writable) return void socket.destroy();
    endWithRefusal(socket, status, reason, message);
  };

  const upgrade = async (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const target = request.url ?? '/';
    const url = URL.canParse(target, ANY_HOST) ? new URL(target, ANY_HOST) : undefined;
    if (url?.pathname !== SOCKET_PATH)
      return refuse(socket, '404 Not Found', 'INVALID_ARGUMENT', 'there is no such socket');
    const client = clientAddress(request, config);
    // Each attempt asks the database for its key, whatever that is.
    if (!attempts.take(`address ${client}`, 'openSocket', attemptsPerSecond))
      return refuse(
        socket,
        '429 Too Many Requests',
        'UNKNOWN_ERROR',
        `more than ${attemptsPerSecond} connections a second; wait a second`,
      );
    const busy = () => {
      if (stopped || connections.size + opening >= config.maxPushConnections)
        return 'no more connections are taken here; try again in a moment';
      if ((perClient.get(client) ?? 0) >= config.maxPushConnectionsPerClient)
        return `more than ${config.maxPushConnectionsPerClient} connections of one client`;
      return undefined;
    };
    const before = busy();
    if (before !== undefined) return refuse(socket, '503 Service Unavailable', 'UNKNOWN_ERROR', before);
    opening += 1;
    count(client, 1);
    let kept = false;
    try {
      const key = url.searchParams.get(SOCKET_KEY_PARAMETER) ?? '';
      if (key === '' || !(await takeSocketKey(relayer.db, key)))
        return refuse(
          socket,
          '401 Unauthorized',
          'API_KEY_INVALID',
          `${SOCKET_KEY_PARAMETER}: is no key of /v3/ws/key that can still be used`,
        );
      if (stopped) return refuse(socket, '503 Service Unavailable', 'UNKNOWN_ERROR', 'the relayer stops');
      server.handleUpgrade(request, socket, head, (opened) => {
        kept = true;
        connections.set(new Connection(opened, socket, limits, received, closed), client);
      });
    } finally {
      opening -= 1;
      if (!kept) count(client, -1);
    }
  };

  return {
    /** Takes connections on this server. */
    attach(http: Server): void {
      http.on('upgrade', (request, socket, head) => {
        socket.on('error', () => {});
        upgrade(request, socket, head).catch((error) => {
          logFailure(relayer, error, 'a connection could not be opened');
          refuse(socket, '503 Service Unavailable', 'UNKNOWN_ERROR', 'the connection could not be opened');
        });
      });
    },

    wake: hub.wake,
    accepted: hub.accepted,

    /** Sends every client to another process. */
    drain(): void {
      stopped = true;
      for (const connection of connections.keys()) connection.close('goingAway', 'the relayer stops; connect again');
    },

    async stop(): Promise<void> {
      clearInterval(heartbeat);
      const open = [...server.clients];
      this.drain();
      await hub.stop();
      const ends = open.map(
        (socket) =>
          new Promise((ended) => (socket.readyState === socket.CLOSED ? ended(null) : socket.once('close', ended))),
      );
      await within(Promise.all(ends), LEAVE_MS);
      for (const socket of open) socket.terminate();
    },
  };
}

export type PushServer = ReturnType<typeof createPushServer>;
