import type { Socket } from 'node:net';
import { maxMessageBytes } from '#adapters/mcp/protocol/message-bounds.ts';
import type { LineClient, LineTransport } from '#adapters/mcp/transports/line-transport.ts';
import { StartError } from '#bootstrap/start/first-start.ts';
import type { User } from '#domain/users/user.ts';
import { boundedLines } from '#infrastructure/streams/bounded-lines.ts';
import { SocketRefused, type SocketServer, serveSocket } from '#infrastructure/streams/socket-server.ts';

/** The user that lines are served for. */
export type Served = Readonly<{ user: User }> & Pick<LineClient, 'current' | 'since'>;

/** How many bytes a reader may leave unread before it is disconnected (MCP-016). */
const maxBacklogBytes = maxMessageBytes;

/** Serves the client on standard input and output until the input ends. */
export function serveStdio(transport: LineTransport, { user, current, since }: Served): Promise<void> {
  const client: LineClient = {
    current,
    since,
    send: (json) => void process.stdout.write(`${json}\n`),
    end: () => process.stdin.destroy(),
  };
  return transport.serve(user, client, boundedLines(process.stdin, maxMessageBytes));
}

/**
 * Serves each client that connects to the socket, concurrently. Throws `StartError` for a path that cannot be served.
 */
export async function serveLineSocket(transport: LineTransport, path: string, served: Served): Promise<SocketServer> {
  try {
    return await serveSocket(path, (socket) => void serveConnection(transport, socket, served));
  } catch (error) {
    if (error instanceof SocketRefused) throw new StartError(`--socket: ${error.message}`);
    throw error;
  }
}

async function serveConnection(
  transport: LineTransport,
  socket: Socket,
  { user, current, since }: Served,
): Promise<void> {
  const client: LineClient = {
    current,
    since,
    send: (json) => {
      socket.write(`${json}\n`);
      if (socket.writableLength > maxBacklogBytes) socket.destroy();
    },
    end: () => socket.destroySoon(),
  };
  try {
    await transport.serve(user, client, boundedLines(socket, maxMessageBytes));
  } catch {
    // The connection was cut; there is nobody to report the error to.
  }
  socket.destroySoon();
}
