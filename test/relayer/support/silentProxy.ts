import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net';

/**
 * A TCP proxy that can lose its connections as a firewall does that forgets them: both ends keep
 * theirs open and hear nothing more. New connections work.
 */
export async function silentProxy(port: number) {
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = createConnection(port, '127.0.0.1');
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      open.add(from);
      from.pipe(to);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        open.delete(from);
        to.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    /** @returns the number of connections that are silent now. */
    silence: () => {
      for (const socket of open) {
        socket.unpipe();
        socket.pause();
      }
      return open.size / 2;
    },
    close: () => {
      for (const socket of open) socket.destroy();
      server.close();
    },
  };
}
