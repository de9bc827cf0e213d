import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { createRelayer } from '../../src/relayer/createRelayer.ts';

/** For 127.0.0.1 alone, signed by itself, until 2126. */
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgU7aasSStIOJ3so+k
RQ3mZWTEl8CKP7HxVfXUfbrtk2ihRANCAAQxBqGM/6uhRBNQP/JhzgeilmDQNa2F
kbBDjuJUAxNbzmZLRawh++U2Eznsa2ZbpOvOMWNVS0qFurwk2hO+b4kX
-----END PRIVATE KEY-----`;
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBkDCCATagAwIBAgIUG07Dcoigrne9h7J0OisF4IZ9nEkwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJMTI3LjAuMC4xMCAXDTI2MTIwMTAzMDI1MVoYDzIxMjYxMTA3
MDMwMjUxWjAUMRIwEAYDVQQDDAkxMjcuMC4wLjEwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAQxBqGM/6uhRBNQP/JhzgeilmDQNa2FkbBDjuJUAxNbzmZLRawh++U2
Eznsa2ZbpOvOMWNVS0qFurwk2hO+b4kXo2QwYjAdBgNVHQ4EFgQUD07HNiGHFoWK
vdLQPrl5o0eu11gwHwYDVR0jBBgwFoAUD07HNiGHFoWKvdLQPrl5o0eu11gwDwYD
VR0TAQH/BAUwAwEB/zAPBgNVHREECDAGhwR/AAABMAoGCCqGSM49BAMCA0gAMEUC
IQDPddl2NtQZew/abtvDKFPzikNwFK3CKJLjAqeGQhUVpgIgRizcKWHBowxCEWwq
+V43xiUF4Z+qFt1l/SWcdc9lluQ=
-----END CERTIFICATE-----`;

let folder: string;
let authority: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-tls-'));
  authority = join(folder, 'ca.pem');
  writeFileSync(authority, CERTIFICATE);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The request of a client that asks for TLS. */
const SSL_REQUEST = Buffer.from('0000000804d2162f', 'hex');

/** A message of a server. */
function message(type: string, content: string): Buffer {
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(4 + Buffer.byteLength(content), 1);
  return Buffer.concat([head, Buffer.from(content)]);
}
const refused = (code: string, text: string) => message('E', `SFATAL\0VFATAL\0C${code}\0M${text}\0\0`);

/** A server that gives these answers, one to each message of a client. */
async function server(answers: readonly Buffer[], hasTls = true) {
  const listening = createServer((socket) => {
    const left = [...answers];
    const answer = (stream: Socket) => {
      const next = left.shift();
      if (next) stream.write(next);
    };
    socket.on('error', () => {});
    socket.once('data', (first) => {
      if (!first.equals(SSL_REQUEST)) {
        answer(socket);
        socket.on('data', () => answer(socket));
        return;
      }
      socket.write(hasTls ? 'S' : 'N');
      if (!hasTls) return;
      const tls = new TLSSocket(socket, { isServer: true, key: KEY, cert: CERTIFICATE });
      tls.on('error', () => {});
      tls.on('data', () => answer(tls));
    });
  }).listen(0);
  await once(listening, 'listening');
  onTestFinished(() => void listening.close());
  return { port: (listening.address() as AddressInfo).port };
}

/** What a start says that may wait for a minute. */
const start = (databaseUrl: string) =>
  createRelayer({ dev: true, devOnPostgres: true, logLevel: 'silent', port: 0, databaseUrl }).then(
    () => 'started',
    (error: Error) => error.message,
  );

const password = refused('28P01', 'no such password');
const scram = [message('R', '\0\0\0\x0aSCRAM-SHA-256\0\0'), message('R', '\0\0\0\x0br=x')];

it.each([
  [
    'a certificate that nobody trusts',
    [password],
    'u:p',
    '127.0.0.1',
    '?sslmode=verify-full',
    'DATABASE_URL: self-signed certificate',
  ],
  [
    'the certificate of another host',
    [password],
    'u:p',
    'localhost',
    '?sslmode=verify-full&sslrootcert=AUTHORITY',
    "DATABASE_URL: Hostname/IP does not match certificate's altnames",
  ],
  [
    'a file that is not there',
    [password],
    'u:p',
    '127.0.0.1',
    '?sslmode=verify-full&sslrootcert=/no/such',
    'DATABASE_URL: ENOENT: no such file or directory, open',
  ],
  ['a folder for a file', [password], 'u:p', '127.0.0.1', '?sslmode=verify-full&sslrootcert=/', 'DATABASE_URL: EISDIR'],
  [
    'no password',
    scram,
    'u',
    '127.0.0.1',
    '',
    'DATABASE_URL: SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string',
  ],
  ['a wrong password', [password], 'u:p', '127.0.0.1', '', 'no such password'],
  ['an unknown database', [refused('3D000', 'no such database')], 'u:p', '127.0.0.1', '', 'no such database'],
] as const)('a start ends at once with %s', async (_, answers, user, host, query, text) => {
  const { port } = await server(answers);
  expect(await start(`postgres://${user}@${host}:${port}/x${query.replace('AUTHORITY', authority)}`)).toContain(text);
});

it('a start ends at once where TLS is asked of a server without it', async () => {
  const { port } = await server([password], false);
  const said = await start(`postgres://u:p@127.0.0.1:${port}/x?sslmode=verify-full`);
  expect(said).toBe('DATABASE_URL: The server does not support SSL connections');
});

it('a connection to PostgreSQL is encrypted where the URL asks for it', async () => {
  const { port } = await server([refused('28P01', 'asked over TLS')]);
  const url = `postgres://u:p@127.0.0.1:${port}/x?sslmode=verify-full&sslrootcert=${authority}`;
  expect(await start(url)).toBe('asked over TLS');
});
