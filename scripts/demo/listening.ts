import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Starts the server; its port, and what ends it with its connections. */
export async function listening(
  server: Server,
  host: string,
  port = 0,
): Promise<{ readonly port: number; close(): Promise<void> }> {
  await new Promise<void>((done, fail) => {
    server.once('error', fail);
    server.listen(port, host, done);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}
