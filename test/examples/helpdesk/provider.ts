import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { type LoopbackServer, serveOnLoopback } from '#test/support/network/loopback-server.ts';

/** A help-desk API on a loopback port, which consents at once and accepts one token. */
export function startHelpdesk(): Promise<LoopbackServer> {
  return serveOnLoopback((request, response) => void answer(request, response));
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://desk');
  const body = await text(request);
  const json = (status: number, value: unknown) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  if (url.pathname === '/authorize') {
    const back = new URL(url.searchParams.get('redirect_uri') ?? '');
    back.search = new URLSearchParams({ code: 'a-code', state: url.searchParams.get('state') ?? '' }).toString();
    response.writeHead(302, { location: back.href }).end();
  } else if (url.pathname === '/token') {
    const given = new URLSearchParams(body);
    const isGood = given.get('code') === 'a-code' && given.get('client_secret') === 'app-secret';
    json(isGood ? 200 : 400, isGood ? { access_token: 'desk-token', refresh_token: 'again' } : { error: 'no' });
  } else if (request.headers.authorization !== 'Bearer desk-token') json(401, {});
  else if (request.method === 'POST') json(201, { id: '8', state: 'open', ...JSON.parse(body) });
  else if (url.pathname === '/v1/tickets/7') json(200, { id: '7', subject: 'The lamp is out', state: 'open' });
  else json(url.pathname === '/v1/me' ? 200 : 404, {});
}
