import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

/** How a receiver answers. */
export type Mood = 'takes' | 'fails' | 'hangs' | 'redirects' | 'floods';

/** A message as a receiver got it. */
export type ReceivedMessage = Readonly<{
  path: string;
  headers: Readonly<Record<string, string>>;
  body: string;
  /** How it was answered. */
  mood: Mood;
}>;

/** Starts a receiver of webhooks on a free port. */
export async function startReceiver() {
  const received: ReceivedMessage[] = [];
  const state: { mood: Mood } = { mood: 'takes' };
  const server = createServer((request, response) => void answer(request, response));
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request);
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    received.push({ path: request.url ?? '', headers, body, mood: state.mood });
    switch (state.mood) {
      case 'takes':
        return void response.writeHead(204).end();
      case 'fails':
        return void response.writeHead(500).end('no');
      case 'redirects':
        return void response.writeHead(307, { location: '/elsewhere' }).end();
      case 'floods':
        response.writeHead(200, { 'content-type': 'text/plain' });
        return flood(response);
      case 'hangs':
        return;
    }
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('It has no port.');
  return {
    url: `http://127.0.0.1:${address.port}/hooks?of=portolan`,
    received,
    state,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Writes without end until the reader goes. */
function flood(response: ServerResponse): void {
  const more = 'x'.repeat(65_536);
  const write = (): void => {
    while (!response.destroyed && response.write(more));
  };
  response.on('drain', write);
  write();
}

/** An e-mail as a server got it: its envelope, and its source with headers. */
export type ReceivedMail = Readonly<{ from: string; to: readonly string[]; source: string }>;

/** Starts an SMTP server on a free port, without TLS. */
export async function startMailServer() {
  const received: ReceivedMail[] = [];
  const state = { refuses: false };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onRcptTo: (_, __, done) =>
      done(state.refuses ? Object.assign(new Error('no such mailbox'), { responseCode: 550 }) : null),
    onData: (stream, { envelope }, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        const to = envelope.rcptTo.map(({ address }) => address);
        received.push({ from, to, source: Buffer.concat(chunks).toString('utf8') });
        done();
      });
    },
  });
  server.on('error', () => undefined);
  const { server: socket } = server;
  server.listen(0, '127.0.0.1');
  await once(socket, 'listening');
  const address = socket.address();
  if (typeof address !== 'object' || address === null) throw new Error('It has no port.');
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    received,
    state,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
