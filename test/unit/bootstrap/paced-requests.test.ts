import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { type Listening, listen } from '#bootstrap/listen.ts';

/** Connections that the server has accepted, so that what is sent on them in one turn arrives in one turn. */
async function connections({ server, port }: Listening, count: number): Promise<readonly Socket[]> {
  const accepted = new Promise<void>((resolve) => {
    let left = count;
    server.on('connection', () => {
      left -= 1;
      if (left === 0) resolve();
    });
  });
  const sockets = Array.from({ length: count }, () => connect(port, '127.0.0.1'));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  await accepted;
  return sockets;
}

function ask(sockets: readonly Socket[], paths: readonly string[]): void {
  for (const [number, socket] of sockets.entries()) {
    socket.write(`GET ${paths[number] ?? ''} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  }
}

const numbered = (count: number) => Array.from({ length: count }, (_, number) => `/${number}`);

it('a probe waits for few of the requests that arrived before it, and all are answered (PUB-010)', async () => {
  const listening = await listen('127.0.0.1', 0, 1_000);
  const begun: string[] = [];
  listening.serve(({ url = '' }, response) => {
    begun.push(url);
    response.end('done');
  });
  const paths = [...numbered(399), '/healthz'];
  const sockets = await connections(listening, paths.length);
  const answers = sockets.map((socket) => once(socket, 'data'));
  ask(sockets, paths);
  for (const [said] of await Promise.all(answers)) expect(String(said)).toContain(' 200 ');
  expect(begun.indexOf('/healthz')).toBeLessThan(300);
  expect(begun.filter((path) => path !== '/healthz')).toEqual(numbered(399));
  for (const socket of sockets) socket.destroy();
  await listening.close(1_000);
});

it('a request whose client has left before its turn is not begun', async () => {
  const listening = await listen('127.0.0.1', 0, 1_000);
  const begun: string[] = [];
  const served: Socket[] = [];
  listening.server.on('connection', (socket: Socket) => served.push(socket));
  listening.serve(({ url = '' }, response) => {
    begun.push(url);
    if (begun.length === 1) for (const socket of served.slice(-100)) socket.destroy();
    response.end('done');
  });
  const sockets = await connections(listening, 400);
  const left = sockets.map(
    (socket) =>
      new Promise((resolve) => {
        socket.on('error', resolve).once('data', resolve).once('close', resolve);
      }),
  );
  ask(sockets, numbered(400));
  await Promise.all(left);
  expect(begun.length).toBeLessThanOrEqual(300);
  for (const socket of sockets) socket.destroy();
  await listening.close(1_000);
});

it('a probe on a new connection is answered before most of the requests on others that were opened before it (PUB-010)', async () => {
  const listening = await listen('127.0.0.1', 0, 1_000);
  const begun: string[] = [];
  listening.serve(({ url = '' }, response) => {
    begun.push(url);
    response.end('done');
  });
  // Nothing is accepted until this turn ends: all of them wait with their requests.
  const sockets = [...numbered(400), '/healthz'].map((path) => {
    const socket = connect(listening.port, '127.0.0.1');
    ask([socket], [path]);
    return socket;
  });
  for (const [said] of await Promise.all(sockets.map((socket) => once(socket, 'data')))) {
    expect(String(said)).toContain(' 200 ');
  }
  expect(begun.indexOf('/healthz')).toBeLessThan(300);
  for (const socket of sockets) socket.destroy();
  await listening.close(1_000);
});
