import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const info = { name: 'test', version: '1' };
const signedIn = (person: string) => ({ requestInit: { headers: { authorization: `Bearer ${person}` } } });

/** The SDK's own client, connected by Streamable HTTP. */
export async function streamableClient(url: string, person: string): Promise<Client> {
  const client = new Client(info);
  const transport = new StreamableHTTPClientTransport(new URL('/message', url), signedIn(person));
  await client.connect(transport);
  return client;
}

/** The SDK's own client, connected by the older HTTP with SSE. */
export async function sseClient(url: string, person: string): Promise<Client> {
  const client = new Client(info);
  await client.connect(new SSEClientTransport(new URL('/sse', url), signedIn(person)));
  return client;
}

/** How to post JSON-RPC by hand. */
export type PostOptions = Readonly<{
  person?: string;
  path?: string;
  headers?: Readonly<Record<string, string>>;
  signal?: AbortSignal;
}>;

/** Posts a body to `/message`: text and bytes as they are, anything else as JSON. */
export function post(url: string, body: unknown, options: PostOptions = {}): Promise<Response> {
  const { person = 'ann', path = '/message', headers = {}, signal = null } = options;
  const isRaw = typeof body === 'string' || body instanceof Uint8Array;
  return fetch(new URL(path, url), {
    method: 'POST',
    headers: {
      authorization: `Bearer ${person}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: isRaw ? new Uint8Array(Buffer.from(body)) : JSON.stringify(body),
    signal,
  });
}

/** Starts a Streamable HTTP session as a client that supports sampling; returns its id, or nothing if no session was created. */
export async function beginSampling(url: string, person = 'ann'): Promise<string> {
  const clientInfo = { name: 'c', version: '1' };
  const params = { protocolVersion: '2025-11-25', capabilities: { sampling: {} }, clientInfo };
  const response = await post(url, { jsonrpc: '2.0', id: 1, method: 'initialize', params }, { person });
  await response.text();
  return response.headers.get('mcp-session-id') ?? '';
}

/** A request of `tools/call`. */
export const toolsCall = (id: unknown, name: string, more: object = {}) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: {}, ...more },
});

/** Server-sent events as they come, from a response's body. */
export async function* eventsOf(response: Response): AsyncGenerator<Readonly<{ event: string; data: string }>> {
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk).toString();
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1];
      const data = field('data');
      if (data !== undefined) yield { event: field('event') ?? 'message', data };
    }
  }
}

/** All events of a response, once it has ended. */
export async function allEventsOf(response: Response): Promise<Readonly<{ event: string; data: string }>[]> {
  const events = [];
  for await (const event of eventsOf(response)) events.push(event);
  return events;
}
