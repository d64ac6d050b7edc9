import { createServer, request } from 'node:http';

/** A proxy on loopback that adds an authorization to each request and leaves the rest: the suite cannot sign in. */
export async function startSignedInProxy(target: string, headers: Readonly<Record<string, string>>) {
  const { hostname, port } = new URL(target);
  const server = createServer((incoming, outgoing) => {
    const { method, url, headers: given } = incoming;
    const forwarded = request({ hostname, port, method, path: url, headers: { ...given, ...headers } }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      outgoing.flushHeaders();
      answer.pipe(outgoing);
    });
    forwarded.on('error', () => outgoing.destroy());
    outgoing.on('close', () => forwarded.destroy());
    incoming.pipe(forwarded);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const close = async () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://localhost:${typeof address === 'object' ? address?.port : ''}`, close };
}
