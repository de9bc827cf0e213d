import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { textFrame } from '../../src/relayer/push/textFrame.ts';

it.each([0, 1, 125, 126, 65_535, 65_536])('a text of %i bytes is one frame that a client reads', async (length) => {
  const text = 'a'.repeat(length);
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await new Promise((listening) => server.once('listening', listening));
  server.once('connection', (socket, { socket: stream }) => {
    stream.write(textFrame(text));
    socket.close();
  });
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const read: unknown[] = [];
  client.on('message', (data, isBinary) => read.push([String(data), isBinary]));
  await new Promise((closed) => client.once('close', closed));
  expect(read).toEqual([[text, false]]);
  server.close();
});
