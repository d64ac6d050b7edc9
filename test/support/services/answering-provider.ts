import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { keptConnections } from '#test/support/network/kept-connections.ts';

/** JSON that a provider puts into its envelope; a text that is no JSON is sent as it is. */
export type Says = Readonly<{ data: unknown } | { json: string }>;

/** How it answers unless a test says otherwise. */
export const usualHead = { status: 200, headers: { 'content-type': 'application/json' } };

/** A provider on its own port that gives the same answer to every request, in its own envelope. */
export class AnsweringProvider {
  says: Says = { data: {} };
  /** The status and headers that it says it with. */
  head: Readonly<{ status: number; headers: Readonly<Record<string, string>> }> = usualHead;
  requests = 0;
  readonly #service: ServiceKey;
  readonly #server = createServer(keptConnections, (request, response) => void this.#serve(request, response));

  constructor(service: ServiceKey) {
    this.#service = service;
  }

  async listen(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    const address = this.#server.address();
    return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(request);
    this.requests += 1;
    const url = new URL(request.url ?? '/', 'http://provider');
    if (url.pathname === '/oauth/v2/auth') response.writeHead(302, { location: consented(url) }).end();
    else response.writeHead(this.head.status, this.head.headers).end(this.#answer(url.pathname, body));
  }

  #answer(path: string, body: string): string {
    if (path === '/oauth/v2/token') {
      return JSON.stringify({ access_token: 'the-access-token', refresh_token: 'the-refresh-token', expires_in: 3600 });
    }
    const json = 'json' in this.says ? this.says.json : JSON.stringify(this.says.data);
    switch (this.#service) {
      case 'sales_crm':
        return `{"success":true,"data":${json}}`;
      case 'suite_crm':
        return `{"data":${json},"info":{"more_records":false}}`;
      case 'tracker':
        return `{"data":{${rootsOf(body)
          .map((root) => `"${root}":${body.includes('pageInfo') ? `{"nodes":${json}}` : json}`)
          .join()}}}`;
      default:
        return json;
    }
  }
}

/** Where a browser is sent with the consent that was asked for. */
function consented({ searchParams }: URL): string {
  const back = new URL(searchParams.get('redirect_uri') ?? '');
  back.searchParams.set('code', 'the-code');
  back.searchParams.set('state', searchParams.get('state') ?? '');
  return back.href;
}

/** The fields that a GraphQL request asks for at its root. */
function rootsOf(body: string): readonly string[] {
  const { query = '' }: { query?: string } = JSON.parse(body === '' ? '{}' : body);
  const root = /\{\s*(?:\w+\s*:\s*)?(\w+)/.exec(query)?.[1];
  return root === undefined ? [] : [root];
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
