import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import rawBody from 'raw-body';
import type { Answer } from '#adapters/vault-rest/answer.ts';
import type { VaultCall, VaultHandler } from '#adapters/vault-rest/vault-handler.ts';
import type { Logger } from '#application/ports/logger.ts';

/** Where the vault listens; port 0 takes any free port. */
export type VaultSocketOptions = Readonly<{ host: string; port: number; logger: Logger }>;

/** The vault's REST interface on a port. `url` has no trailing slash. */
export type VaultSocket = Readonly<{
  url: string;
  /** Accepts no new requests; resolves when those in flight have been answered, or are cut off after 5 s. */
  close(): Promise<void>;
}>;

/** Serves the handler over HTTP. Throws when the port is taken. */
export async function openVaultSocket(handle: VaultHandler, options: VaultSocketOptions): Promise<VaultSocket> {
  const server = createServer((request, response) => {
    answerOverSocket(handle, request, response).catch((error: unknown) => {
      options.logger.debug({ err: error }, 'A vault connection failed');
      response.destroy();
    });
  });
  await listen(server, options);
  return { url: urlOf(server, options.host), close: () => close(server) };
}

async function answerOverSocket(
  handle: VaultHandler,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  let isTooLarge = false;
  const call: VaultCall = {
    method: request.method ?? 'GET',
    target: request.url ?? '/',
    header: (name) => {
      const value = request.headers[name.toLowerCase()];
      return Array.isArray(value) ? value.join(', ') : value;
    },
    body: async (limit) => {
      const body = await readBody(request, limit);
      isTooLarge = body === null;
      return body;
    },
  };
  const answer = await handle(call);
  if (response.destroyed) return;
  response.writeHead(answer.status, { ...headersOf(answer), ...(isTooLarge ? { Connection: 'close' } : {}) });
  response.end(answer.body ?? undefined);
}

function headersOf({ status, headers, body }: Answer): Readonly<Record<string, string | number>> {
  const length = typeof body === 'string' ? Buffer.byteLength(body) : (body?.byteLength ?? 0);
  // A response that never has a body has no Content-Length either (RFC 9110 §8.6).
  const sized = status === 204 || status === 304 ? {} : { 'Content-Length': length };
  return { 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-store', ...headers, ...sized };
}

async function readBody(request: IncomingMessage, limit: number): Promise<Buffer | null> {
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
  // Without either header there is no body (RFC 9112 §6.3).
  if (length === undefined && coding === undefined) return Buffer.alloc(0);
  try {
    return await rawBody(request, { limit, length: length ?? null });
  } catch (error) {
    const isTooLarge = error instanceof Error && 'type' in error && error.type === 'entity.too.large';
    if (!isTooLarge) throw error;
    request.resume();
    return null;
  }
}

function listen(server: Server, { port, host }: VaultSocketOptions): Promise<void> {
  return new Promise((settle, fail) => {
    server.once('error', fail);
    server.listen(port, host, () => {
      server.off('error', fail);
      settle();
    });
  });
}

function urlOf(server: Server, host: string): string {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The embedded vault does not listen');
  return `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`;
}

async function close(server: Server): Promise<void> {
  const closed = new Promise<void>((settle) => {
    server.close(() => settle());
  });
  server.closeIdleConnections();
  const deadline = setTimeout(() => server.closeAllConnections(), 5000).unref();
  await closed;
  clearTimeout(deadline);
}
