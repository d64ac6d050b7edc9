import { createServer, type RequestListener } from 'node:http';

/** Bare node:http on a free port, as a target of load; the listener is called when a request has been read to its end. */
export async function listenBare(listener: RequestListener) {
  const server = createServer((request, response) => {
    request.resume().once('end', () => listener(request, response));
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
