import { chmod, lstat, unlink } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { dirname } from 'node:path';
import { type FileLock, lockFile } from '#infrastructure/files/file-lock.ts';

/** Thrown for a socket that cannot be served; the message says what to do. */
export class SocketRefused extends Error {}

/** A socket that is being served. */
export type SocketServer = Readonly<{
  /** Stops accepting connections, waits for open ones, and removes the socket's file; the lock file stays. */
  close(): Promise<void>;
}>;

/**
 * The maximum length of a socket's path, in bytes: the kernel's limit is 104 on macOS and 108 on Linux, with the
 * terminating NUL.
 */
const maxPathBytes = 103;

/** Whether the path names a Windows named pipe. */
export const isNamedPipe = (path: string): boolean => /^\\\\[.?]\\pipe\\/i.test(path);

/**
 * Serves a Unix domain socket or a Windows named pipe. Only the socket's owner may connect (mode 0600). A stale socket
 * file is removed; one that is being served is not, even if two servers start at the same time: a lock on a file beside
 * the socket (`mcp.sock.lock`) is held from before the check until the socket is closed (RUN-011).
 */
export async function serveSocket(path: string, onConnection: (socket: Socket) => void): Promise<SocketServer> {
  if (isNamedPipe(path)) return listening(path, onConnection);
  await demandPlace(path);
  const lock = locked(path);
  try {
    await removeStale(path);
    const server = await listening(path, onConnection);
    await chmod(path, 0o600);
    return { close: () => server.close().finally(lock.release) };
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function listening(path: string, onConnection: (socket: Socket) => void): Promise<SocketServer> {
  const server = createServer({ noDelay: true }, (socket) => {
    // The reader of the connection handles its end.
    socket.on('error', () => socket.destroy());
    onConnection(socket);
  });
  await bind(server, path);
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
      }),
  };
}

/** Locks the socket for this server, so that the check for a stale socket and its removal are atomic. */
function locked(path: string): FileLock {
  try {
    return lockFile(`${path}.lock`);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    throw rejection(path, code.startsWith('SQLITE_BUSY') ? 'EADDRINUSE' : code);
  }
}

async function demandPlace(path: string): Promise<void> {
  if (Buffer.byteLength(path) > maxPathBytes) {
    throw new SocketRefused(`${path} is too long for a socket: its path may have ${maxPathBytes} bytes.`);
  }
  if ((await lstat(dirname(path)).catch(() => null)) === null) {
    throw new SocketRefused(`${path} cannot be created: its folder does not exist.`);
  }
}

async function removeStale(path: string): Promise<void> {
  const found = await lstat(path).catch(() => null);
  if (found === null) return;
  if (!found.isSocket()) throw new SocketRefused(`${path} exists and is not a socket. Choose another path.`);
  if (await isServed(path)) {
    throw new SocketRefused(`${path} is served by another process. Stop it, or choose another path.`);
  }
  await unlink(path);
}

/** Whether a process accepts connections there; a socket whose process has died refuses them. */
function isServed(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    const end = (isThere: boolean): void => {
      socket.destroy();
      resolve(isThere);
    };
    socket.once('connect', () => end(true));
    socket.once('error', (error: NodeJS.ErrnoException) =>
      end(error.code !== 'ECONNREFUSED' && error.code !== 'ENOENT'),
    );
  });
}

async function bind(server: Server, path: string): Promise<void> {
  // The umask creates the file with its final mode, since others could connect before a chmod.
  const former = isNamedPipe(path) ? null : process.umask(0o177);
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', (error: NodeJS.ErrnoException) => reject(rejection(path, error.code ?? '')));
      server.listen(path, resolve);
    });
  } finally {
    if (former !== null) process.umask(former);
  }
}

function rejection(path: string, code: string): SocketRefused {
  if (code === 'EADDRINUSE') {
    return new SocketRefused(`${path} is served by another process. Stop it, or choose another path.`);
  }
  if (code === 'EACCES' || code === 'EPERM') return new SocketRefused(`This user may not create ${path}.`);
  return new SocketRefused(`${path} cannot be opened for listening (${code}).`);
}
