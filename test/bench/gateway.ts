import { createServer } from 'node:http';
import got from 'got';

/** Bare node:http that answers each request with what one call of the provider by bare got answered. */
export async function startGateway(provider: string, headers: Readonly<Record<string, string>>) {
  const call = got.extend({ headers, retry: { limit: 0 }, throwHttpErrors: false, responseType: 'buffer' });
  const server = createServer((request, response) => {
    request.resume().once('end', () => {
      call(provider).then(
        ({ statusCode, headers: answered, body }) => {
          const type = answered['content-type'] ?? 'application/octet-stream';
          response.writeHead(statusCode, { 'Content-Type': type, 'Content-Length': body.length }).end(body);
        },
        () => response.writeHead(502).end(),
      );
    });
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
