import { connect } from 'node:net';

/** What came back on a raw connection; status 0 is "the connection was closed without an answer". */
export type RawAnswer = Readonly<{ status: number; head: string; body: string; text: string }>;

/**
 * Sends bytes as they are and reads until the server closes: for requests that no client library would send. The
 * request should carry `Connection: close`; a server that goes on waiting is cut after `patienceMs` of silence.
 */
export function sendRaw(origin: string, request: string | Uint8Array, maxWaitMs = 60_000): Promise<RawAnswer> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect({ host: hostname, port: Number(port) });
    socket.setTimeout(maxWaitMs, () => socket.destroy());
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', (error) =>
      chunks.length === 0 && !/ECONNRESET|EPIPE/.test(error.message) ? reject(error) : null,
    );
    socket.on('close', () => resolve(parse(Buffer.concat(chunks).toString('latin1'))));
    socket.write(typeof request === 'string' ? Buffer.from(request, 'latin1') : request);
  });
}

/** A request's bytes from its lines; the body is appended as it is. */
export function rawRequest(startLine: string, headers: readonly string[], body = ''): string {
  return `${startLine}\r\n${headers.map((header) => `${header}\r\n`).join('')}Connection: close\r\n\r\n${body}`;
}

function parse(text: string): RawAnswer {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0);
  return { status, head, body: rest.join('\r\n\r\n'), text };
}
