import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { type LoopbackServer, serveOnLoopback } from '#test/support/network/loopback-server.ts';

/** A received request, with its body as text. */
export type Arrived = Readonly<{ method: string; url: string; headers: IncomingMessage['headers']; body: string }>;

/** An API on a loopback port, and the requests that it received. */
export type InnerServer = LoopbackServer & Readonly<{ arrived: readonly Arrived[] }>;

type Answer = Readonly<{ status?: number; headers?: Readonly<Record<string, string>>; body?: unknown }>;

async function serve(answerTo: (request: Arrived, url: URL) => Answer): Promise<InnerServer> {
  const arrived: Arrived[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url = '', headers } = request;
    const one = { method, url, headers, body: await text(request) };
    arrived.push(one);
    const { status = 200, headers: more = {}, body } = answerTo(one, new URL(url, 'http://inner'));
    response.writeHead(status, { 'content-type': 'application/json', ...more });
    response.end(body === undefined ? undefined : JSON.stringify(body));
  };
  const server = await serveOnLoopback((request, response) => void answer(request, response));
  return { ...server, arrived };
}

const refused: Answer = { status: 401, body: { title: 'Unauthorized' } };

/** The train-ticket API: consents at once, has three pages of stations, and stores no bookings. */
export function startTrainTravel(): Promise<InnerServer> {
  return serve((request, url) => {
    const { pathname, searchParams } = url;
    if (pathname === '/authorize') {
      const back = new URL(searchParams.get('redirect_uri') ?? '');
      back.search = new URLSearchParams({ code: 'a-code', state: searchParams.get('state') ?? '' }).toString();
      return { status: 302, headers: { location: back.href } };
    }
    if (pathname === '/token') {
      const given = new URLSearchParams(request.body);
      const isGood = given.get('code') === 'a-code' && given.get('client_secret') === 'app-secret';
      const tokens = { access_token: 'train-token', refresh_token: 'again', token_type: 'Bearer', expires_in: 3600 };
      return isGood && given.has('code_verifier')
        ? { body: tokens }
        : { status: 400, body: { error: 'invalid_grant' } };
    }
    if (request.headers.authorization !== 'Bearer train-token') return refused;
    if (pathname === '/stations') return { body: stations(Number(searchParams.get('page') ?? 1)) };
    if (pathname === '/trips') return { body: { data: [{ id: 't1', price: 50, operator: 'DB' }], links: {} } };
    if (request.method === 'POST') return { status: 201, body: { id: 'b1', ...JSON.parse(request.body) } };
    if (request.method === 'DELETE' && pathname === '/bookings/b1') return { status: 204 };
    return { status: 404, body: { title: 'Not Found', detail: 'There is no such booking' } };
  });
}

function stations(page: number): unknown {
  const next = page < 3 ? { next: `https://api.example.com/stations?page=${page + 1}` } : {};
  return {
    data: [{ id: `s${page}`, name: `Station ${page}`, country_code: 'DE' }],
    links: { self: '/stations', ...next },
  };
}

/** The code host API: accepts one token, and pages issues by `Link` header. */
export function startCodeHost(): Promise<InnerServer> {
  return serve((request, url) => {
    const { pathname, searchParams } = url;
    const token = request.headers.authorization;
    if (token !== 'token the-token' && token !== 'Bearer the-token') return refused;
    if (pathname === '/user') return { body: { login: 'octocat', id: 1 } };
    if (pathname === '/repos/a/b/issues' && request.method === 'GET') {
      const page = Number(searchParams.get('page') ?? 1);
      const link = `<https://api.github.com/repositories/1/issues?page=${page + 1}>; rel="next"`;
      return { headers: page < 2 ? { link } : {}, body: [{ id: page, number: page, title: `Issue ${page}` }] };
    }
    if (pathname === '/repos/a/b/issues') {
      return {
        status: 422,
        body: { message: 'Validation Failed', errors: [{ field: 'title', message: 'is too short' }] },
      };
    }
    if (pathname.endsWith('/assets')) return { status: 201, body: { id: 9, size: request.body.length } };
    return { status: 204 };
  });
}
