import { type LoopbackServer, serveOnLoopback } from '#test/support/network/loopback-server.ts';

/** Acme CRM with one sale, on a loopback port; it accepts every token. */
export function startAcme(): Promise<LoopbackServer> {
  return serveOnLoopback((request, response) => {
    const json = (status: number, value: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    if (request.headers.authorization === undefined) json(401, { problem: 'no token' });
    else if (request.url === '/me') json(200, { id: 1, name: 'Bob' });
    else if (request.url === '/sales/7') json(200, { number: 7, subject: 'Lamp', worth: 90, open: true });
    else json(404, { problem: 'no such sale' });
  });
}
