import { Buffer } from 'node:buffer';
import { createServer } from 'node:http';

/** Bare node:http that reads a request to its end and answers always the same bytes. */
export async function startBare(body: string, type: string) {
  const bytes = Buffer.from(body);
  const server = createServer((request, response) => {
    request.resume().once('end', () => {
      response.writeHead(200, { 'Content-Type': type, 'Content-Length': bytes.length }).end(bytes);
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
