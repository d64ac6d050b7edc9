import { createServer, type ServerResponse } from 'node:http';
import got from 'got';

/** Bare node:http that answers each request with what one call of the provider by bare got answered. */
export async function startGateway(provider: string, headers: Readonly<Record<string, string>>) {
  const call = got.extend({ headers, retry: { limit: 0 }, throwHttpErrors: false, responseType: 'buffer' });
  const answer = async (response: ServerResponse): Promise<void> => {
    try {
      const { statusCode, headers: answered, body } = await call(provider);
      const type = answered['content-type'] ?? 'application/octet-stream';
      response.writeHead(statusCode, { 'Content-Type': type, 'Content-Length': body.length }).end(body);
    } catch {
      response.writeHead(502).end();
    }
  };
  const server = createServer((request, response) => {
    request.resume().once('end', () => void answer(response));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  const close = async () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${port}`, headers: {}, close };
}
